"""The prompt of a judge, made from the study: the same rubric that people read, and the item as the page shows it."""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from assay.displays import Display
from assay.judges import Prompt, PromptPicture
from assay.judging.answer_schema import DOUBT, MOST_DOUBT, REASONS, answer_schema, may_be_left_out
from assay.judging.judges_file import PLACE, JudgeEntry
from assay.judging.marked_picture import mark_picture, marks_in_words
from assay.judgments import Question
from assay.judgments.condition_words import when_asked
from assay.judgments.item_rules import target_dimensions
from assay.judgments.rule_words import in_words
from assay.model import CANDIDATES, UNABLE
from assay.study.items import ItemBlock
from assay.study.rubric import Dimension
from assay.study.schema import Study

Part = str | PromptPicture
Shown = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class WorkedExample:
    """An item of a calibration or practice with its known answers."""

    name: str
    shown: Shown
    answers: str
    """As JSON, by key."""
    reason: str


@dataclass(frozen=True, slots=True)
class PromptMaker:
    """Makes the prompts of one judge in one study."""

    study: Study
    entry: JudgeEntry
    examples: Sequence[WorkedExample]
    pictures: Mapping[str, PromptPicture]
    """Every picture by its hash; those of items that a judge looks at."""

    def prompt(self, shown: Shown, blocks: Sequence[ItemBlock], questions: Sequence[Question], before: str) -> Prompt:
        """What is asked of an item: these questions, with these blocks in sight. `before` is what it has said of it."""
        words = self.study.words
        parts: dict[str, list[Part]] = {
            **self._besides_item(list(dict.fromkeys(question.slot.dimension for question in questions))),
            "item": [*self._content(shown, blocks), *([words("judge.before", answers=before)] if before else [])],
            "answers": ["\n".join(self._what_to_answer(questions))],
        }
        schema = answer_schema(questions, reasons=self.entry.reasons, doubt=self.entry.doubt)
        if self.entry.prompt is not None:
            return Prompt("", tuple(_join_texts(_fill_template(self.entry.prompt.text, parts))), schema)
        filled = ((name, some) for name, some in parts.items() if any(some))
        body = (part for name, some in filled for part in (f"# {self._titles[name]}\n", *some, ""))
        return Prompt(self._titles["system"], tuple(_join_texts(body)), schema)

    def hash_without_item(self) -> str:
        """The hash of what is the same in the prompts of all items: when it changes, so does the judge."""
        some = self._besides_item([dimension.dimension for dimension in self.study.rubric])
        said = {name: [part if isinstance(part, str) else part.hash for part in parts] for name, parts in some.items()}
        own = self.entry.prompt.text if self.entry.prompt is not None else self._titles
        return hashlib.sha256(json.dumps([own, said], ensure_ascii=False).encode()).hexdigest()

    @property
    def _titles(self) -> dict[str, str]:
        words = self.study.words
        return {
            "system": words("judge.system"),
            "rubric": words("judge.rubric"),
            "guidelines": words("judge.guidelines"),
            "examples": words("judge.examples"),
            "item": words("judge.item"),
            "answers": words("judge.answers"),
        }

    def _besides_item(self, asked: Sequence[str]) -> dict[str, list[Part]]:
        """What is said besides the item, where these dimensions are asked."""
        return {
            "rubric": ["\n".join(self._rubric(asked))],
            "guidelines": ["\n".join(self._guidelines(asked)) if self.entry.guidelines else ""],
            "examples": [part for each in self.examples for part in self._example(each)],
        }

    def _rubric(self, asked: Sequence[str]) -> Iterator[str]:
        for name in asked:
            yield from self._dimension(self.study.dimension(name))
        names = [dimension.dimension for dimension in self.study.rubric]
        rules = [rule for rule in self.study.rules if set(target_dimensions(rule, names)) & set(asked)]
        if rules:
            yield f"## {self.study.words('judge.rules')}\n"
            yield from (f"- {', '.join(target_dimensions(rule, names))}: {in_words(rule)}" for rule in rules)
            yield ""

    def _dimension(self, dimension: Dimension) -> Iterator[str]:
        """Everything that the page says of a dimension: the question, the answers, and how to decide."""
        words = self.study.words
        yield f"## {dimension.heading} (`{dimension.dimension}`)\n"
        if dimension.ask:
            yield f"{dimension.ask}\n"
        if dimension.ask_when is not None:
            yield f"{words('judge.asked_when', when=when_asked(self.study, dimension))}\n"
        lists: dict[str, Iterable[str]] = {
            words("judge.values"): self._values(dimension),
            words("judge.levels"): (f"{point}: {' '.join(lines)}" for point, lines in dimension.levels.items()),
            words("judge.boundaries"): (f"{points}: {words}" for points, words in dimension.boundaries.items()),
            words("judge.check"): dimension.check,
            words("judge.failures"): (f"{name}: {words}" for name, words in dimension.failures.items()),
            words("judge.not_a_failure"): dimension.not_a_failure,
        }
        for title, some in lists.items():
            lines = [f"- {line}" for line in some]
            if lines:
                yield "\n".join((title, *lines, ""))

    def _values(self, dimension: Dimension) -> Iterator[str]:
        kind = dimension.input
        choices = getattr(kind, "choices", None)
        if choices is not None:
            for choice in choices(self.study.sides, self.study.words):
                yield f"{choice.value}: {choice.label}" if choice.label else f"{choice.value}"
        else:
            options: Mapping[str, str] = getattr(kind, "options", {})
            yield from (f"{name}: {label}" for name, label in options.items())
            if kind.answer == "list":
                yield f"[]: {getattr(kind, 'none', '') or self.study.words('judge.nothing')}"
            if where := getattr(kind, "where", ""):
                yield self.study.words("judge.where", where=where, example=f"{next(iter(options))} @3")
        if label := self.study.unable(dimension):
            yield f"{UNABLE}: {label}"

    def _guidelines(self, asked: Sequence[str]) -> Iterator[str]:
        """What annotators have to read, and the worked examples of dimensions."""
        for entry in self.study.gates:
            if entry.gate.kind == "reading":
                yield from (section.text for section in entry.gate.sections)  # type: ignore[attr-defined]
        for name in asked:
            examples = self.study.dimension(name).examples
            if examples is not None:
                yield examples.text

    def _example(self, example: WorkedExample) -> Iterator[Part]:
        yield from self._content(example.shown, self.study.items.show)
        yield self.study.words("judge.example_answers", answers=example.answers)
        yield f"{example.reason}\n" if example.reason else ""

    def _content(self, shown: Shown, blocks: Sequence[ItemBlock]) -> Iterator[Part]:
        """The item as the page shows it: its blocks in order, of a pair one side after the other."""
        for block in blocks:
            display = block.display
            if not display.candidate_fields():
                yield from self._block(display, shown, "")
                continue
            for label, candidate in zip(self.study.sides, shown.get(CANDIDATES) or (), strict=False):
                for inner in display.show:  # type: ignore[attr-defined]
                    yield from self._block(inner.display, candidate, label)

    def _block(self, display: Display, shown: Shown, side: str) -> Iterator[Part]:
        label = getattr(display, "label", "")
        title = ": ".join(part for part in (side, label) if part)
        if title:
            yield f"## {title}\n"
        names = display.pictures()
        if not names:
            yield f"{display.plain_text(shown)}\n"
        for name in names:
            yield from self._picture(display, shown, name)

    def _picture(self, display: Display, shown: Shown, name: str) -> Iterator[Part]:
        """A picture as such where the judge can see it, with the words that stand for it."""
        found = display.keep(name, shown.get(name))
        picture = self.pictures.get(found.get("picture", "")) if isinstance(found, dict) else None
        words = display.opening(shown)
        yield f"[{self.study.words('judge.picture')}{f': {words}' if words else ''}]\n"
        if picture is not None and self.entry.kind.can_see:
            marks = display.marks_over(shown)
            yield from marks_in_words(self.study, marks)
            yield mark_picture(picture, marks)

    def _what_to_answer(self, questions: Sequence[Question]) -> Iterator[str]:
        words = self.study.words
        yield words("judge.object")
        if self.entry.reasons:
            yield f"- `{REASONS}`: {words('judge.reasons')}"
        for part, some in groupby(questions, key=lambda each: each.part):
            for question in some:
                of = f" ({part})" if part else ""
                null = f" {words('judge.null')}" if may_be_left_out(question) else ""
                end = "" if not of and question.title.endswith(("?", "!", ".")) else "."
                yield f"- `{question.key}`: {question.title}{of}{end}{null}"
        if self.entry.doubt:
            yield f"- `{DOUBT}`: {words('judge.doubt', most=MOST_DOUBT)}"


def visible_blocks(study: Study, revealed: Sequence[int]) -> list[ItemBlock]:
    """The blocks that are in sight once those of these numbers have been revealed."""
    return [block for number, block in enumerate(study.items.show) if not block.after or number in revealed]


def _fill_template(template: str, parts: Mapping[str, Sequence[Part]]) -> Iterator[Part]:
    end = 0
    for place in PLACE.finditer(template):
        yield template[end : place.start()]
        yield from parts[place[1]]
        end = place.end()
    yield template[end:]


def _join_texts(parts: Iterable[Part]) -> Iterator[Part]:
    """The same parts; texts that follow one another are joined."""
    for is_text, some in groupby(parts, key=lambda part: isinstance(part, str)):
        if not is_text:
            yield from some
        elif text := "\n".join(part for part in some if isinstance(part, str)).strip("\n"):
            yield text
