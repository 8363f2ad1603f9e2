"""What has changed between two versions of a study, in words, and what kind of change each is.

Whether judgments of both may be pooled is decided in `judgments/same_scale.py`.
"""

import difflib
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from assay.gates import Gate
from assay.inputs.one_of import OneOf
from assay.judgments.same_scale import same_scale
from assay.study.rubric import Dimension
from assay.study.schema import Study

Kind = Literal["scale", "anchors", "question", "rule", "consent", "gate", "guide", "shown", "settings"]
MINOR: tuple[Kind, ...] = ("guide", "settings")
"""What a minor version may change: nobody has to answer differently, or to agree to something else."""
READ: dict[str, Kind] = {"consent": "consent", "reading": "guide", "warning": "guide"}
"""What a change of a gate is, by the gate's kind; of all others it is the gate that has changed."""
HELP = ("check", "not_a_failure", "failures", "levels", "boundaries", "examples")
SHOWN = ("show", "candidates", "entries", "history", "clean")
LONGEST = 60


@dataclass(frozen=True, slots=True)
class Change:
    """One thing that has changed."""

    kind: Kind
    about: str
    """The dimension, rule, gate or key."""
    words: str

    @property
    def is_minor(self) -> bool:
        """Whether a minor version may have it."""
        return self.kind in MINOR

    def __str__(self) -> str:
        return f"{self.about}: {self.words}"


def study_changes(old: Study, new: Study) -> list[Change]:
    """Everything that has changed from one version of a study to another; nothing where they are the same."""
    if old.hash == new.hash:
        return []
    found = [*_rubric(old, new), *_derived_values(old, new), *_rules(old, new), *_gates(old, new), *_others(old, new)]
    return found or [Change("settings", "study.yaml", "the same is written in another order")]


def _rubric(old: Study, new: Study) -> Iterator[Change]:
    before = {each.dimension: each for each in old.rubric}
    after = {each.dimension: each for each in new.rubric}
    for name in (each for each in before if each not in after):
        yield Change("question", name, "is no longer asked")
    for name, dimension in after.items():
        if name in before:
            yield from _dimension(old, new, before[name], dimension)
        else:
            yield Change("question", name, "is asked for the first time")
    if [name for name in before if name in after] != [name for name in after if name in before]:
        yield Change("question", "rubric", "the questions come in another order")


def _dimension(old: Study, new: Study, then: Dimension, now: Dimension) -> Iterator[Change]:
    name = now.dimension
    if then.input.kind != now.input.kind:
        yield Change("scale", name, f"is answered by {now.input.kind}, before by {then.input.kind}")
    elif then.input.values() != now.input.values():
        same = same_scale(old, new, name)
        words = f"its answers are {_answers(now)}, before {_answers(then)}"
        yield Change("question" if same else "scale", name, words)
    else:
        yield from _labels(then, now, "anchors" if same_scale(old, new, name) else "scale")
    if then.scope != now.scope:
        yield Change("scale", name, f"is asked of {now.of}, before of {then.of}")
    for key in ("title", "ask", "optional", "unable", "ask_when"):
        was, is_ = getattr(then, key, None), getattr(now, key, None)
        if was != is_:
            yield Change("question", name, f"{key} {_is_before(is_, was)}")
    if helps := [key for key in HELP if getattr(then, key) != getattr(now, key)]:
        yield Change("guide", name, f"its help has changed: {', '.join(helps)}")
    if then.pool_with != now.pool_with:
        yield Change("settings", name, f"pool_with {_is_before(now.pool_with, then.pool_with)}")


def _labels(then: Dimension, now: Dimension, kind: Kind) -> Iterator[Change]:
    name = now.dimension
    if isinstance(then.input, OneOf) and isinstance(now.input, OneOf):
        before = {choice.value: choice.label for choice in then.input.choices()}
        for choice in now.input.choices():
            if choice.label != before[choice.value]:
                yield Change(kind, name, f"{choice.value} {_is_before(choice.label, before[choice.value])}")
    elif then.input != now.input:
        for key, was, is_ in _differences(_plain(then.input), _plain(now.input)):
            yield Change("question", name, f"{key} {_is_before(is_, was)}")


def _answers(dimension: Dimension) -> str:
    values = dimension.input.values()
    if values and all(isinstance(each, int) for each in values):
        return f"{values[0]} to {values[-1]}"
    return ", ".join(map(str, values)) or "free"


def _derived_values(old: Study, new: Study) -> Iterator[Change]:
    before = {each.derived: each for each in old.derive}
    after = {each.derived: each for each in new.derive}
    for name in (each for each in before if each not in after):
        yield Change("rule", name, "is no longer computed")
    for name, derived in after.items():
        if name not in before:
            yield Change("rule", name, "is computed for the first time")
        elif before[name].derivation != derived.derivation:
            changed = _differences(_plain(before[name].derivation), _plain(derived.derivation))
            ways = "; ".join(f"{key} {_is_before(is_, was)}" for key, was, is_ in changed)
            yield Change("rule", name, f"is computed in another way{': ' if ways else ''}{ways}")
        elif before[name] != derived:
            yield Change("settings", name, "has another title, or is shown otherwise")


def _rules(old: Study, new: Study) -> Iterator[Change]:
    before, after = [_plain(each) for each in old.rules], [_plain(each) for each in new.rules]
    gone = [(at, rule) for at, rule in enumerate(before, 1) if rule not in after]
    added = [(at, rule) for at, rule in enumerate(after, 1) if rule not in before]
    if [at for at, _ in gone] == [at for at, _ in added]:  # the same rules, put otherwise
        for (at, was), (_, is_) in zip(gone, added, strict=True):
            for key, then, now in _differences(was, is_):
                yield Change("rule", "rules", f"{key} of rule {at} {_is_before(now, then)}")
    else:
        for at, rule in gone:
            yield Change("rule", "rules", f"rule {at} is gone: {_rule(rule)}")
        for at, rule in added:
            yield Change("rule", "rules", f"rule {at} is new: {_rule(rule)}")
    if before != after and sorted(map(json.dumps, before)) == sorted(map(json.dumps, after)):
        yield Change("rule", "rules", "they come in another order: an earlier one wins")


def _rule(rule: dict[str, Any]) -> str:
    """A rule as its file has it, without what is said to whoever breaks it."""
    return ", ".join(f"{key} {_short(value)}" for key, value in rule.items() if key != "message")


def _gates(old: Study, new: Study) -> Iterator[Change]:
    before, after = gates_by_name(old), gates_by_name(new)
    for name, gate in before.items():
        if name not in after:
            yield Change(READ.get(gate.kind, "gate"), name, "the gate is gone")
    for name, gate in after.items():
        if name not in before:
            # A gate that nobody has passed yet is no small thing, whatever it asks.
            yield Change("consent" if gate.kind == "consent" else "gate", name, "the gate is new")
        elif before[name].version != gate.version:
            yield Change(READ.get(gate.kind, "gate"), name, _text_changes(before[name], gate))
    if [name for name in before if name in after] != [name for name in after if name in before]:
        yield Change("gate", "gates", "they come in another order")


def gates_by_name(study: Study) -> dict[str, Gate]:
    """The gates by their kind, with a number from the second of a kind on: reading, reading 2."""
    found: dict[str, Gate] = {}
    times: Counter[str] = Counter()
    for gate in (entry.gate for entry in study.gates):
        times[gate.kind] += 1
        found[gate.kind if times[gate.kind] == 1 else f"{gate.kind} {times[gate.kind]}"] = gate
    return found


def _text_changes(then: Gate, now: Gate) -> str:
    """How much of which text of a gate has changed, or which of its settings."""
    before, after = dict(_texts(_plain(then))), dict(_texts(_plain(now)))
    said = [f"{file} is gone" for file in before if file not in after]
    for file, text in after.items():
        if file not in before:
            said.append(f"{file} is new")
        elif (lines := _lines_changed(before[file], text)) > 0:
            said.append(f"{file}: {lines} line{'' if lines == 1 else 's'} changed")
    return "; ".join(said) or "its settings have changed"


def _texts(plain: Any) -> Iterator[tuple[str, str]]:
    """The Markdown files in something, each with its text."""
    if isinstance(plain, dict):
        if plain.keys() == {"file", "text"}:
            yield plain["file"], plain["text"]
            return
        plain = list(plain.values())
    if isinstance(plain, list):
        for each in plain:
            yield from _texts(each)


def _lines_changed(before: str, after: str) -> int:
    parts = difflib.SequenceMatcher(None, before.splitlines(), after.splitlines(), autojunk=False).get_opcodes()
    return sum(max(a2 - a1, b2 - b1) for tag, a1, a2, b1, b2 in parts if tag != "equal")


def _others(old: Study, new: Study) -> Iterator[Change]:
    told = {"rubric", "rules", "derive", "gates"}
    before = {key: each for key, each in _plain(old).items() if key not in told}
    after = {key: each for key, each in _plain(new).items() if key not in told}
    for key, was, is_ in _differences(before, after):
        kind: Kind = "shown" if key.startswith(tuple(f"items.{each}" for each in SHOWN)) else "settings"
        yield Change(kind, key, _is_before(is_, was))
    if _coordinators_see(new) and not _coordinators_see(old):
        # Whoever is at work has agreed to something else.
        yield Change("consent", "care.check_in", "coordinators see what people say, and did not before")


def _coordinators_see(study: Study) -> bool:
    return study.care.check_in is not None and study.care.check_in.coordinator_sees


def _differences(before: Any, after: Any, at: str = "") -> Iterator[tuple[str, Any, Any]]:
    """Where two documents differ: the path, what stood there, and what stands there now."""
    if isinstance(before, dict) and isinstance(after, dict):
        for key in dict.fromkeys([*before, *after]):
            yield from _differences(before.get(key), after.get(key), f"{at}.{key}".lstrip("."))
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        for number, (one, other) in enumerate(zip(before, after, strict=True), 1):
            yield from _differences(one, other, f"{at}.{number}")
    elif before != after:
        yield at, before, after


def _plain(settings: Any) -> Any:
    return json.loads(settings.model_dump_json(by_alias=True, exclude_unset=True))


def _is_before(is_: Any, was: Any) -> str:
    """The new and the old value in words. Of long texts that begin alike, from where they differ."""
    now, then = _short(is_), _short(was)
    if now == then and isinstance(is_, str) and isinstance(was, str):
        alike = next((at for at, (one, other) in enumerate(zip(is_, was, strict=False)) if one != other), 0)
        start = max(0, alike - LONGEST // 3)
        now, then = (_short(f"…{text[start:]}") for text in (is_, was))
    return f"is {now}, before {then}"


def _short(value: Any) -> str:
    """A value in a few words."""
    if value is None or value == "" or (isinstance(value, Sequence) and not value):
        return "nothing"
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    text = " ".join(text.split())
    text = text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
    return f'"{text}"' if isinstance(value, str) else text
