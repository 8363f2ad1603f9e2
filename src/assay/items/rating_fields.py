"""What a row says of an item, apart from what somebody said of it: a file for each annotator holds the same items."""

from collections.abc import Iterator, Mapping
from typing import Any

from assay.items.combine_rows import BOTH, PAIR
from assay.study.judgment_fields import JudgmentFields
from assay.study.schema import Study


def without_ratings(study: Study, hidden: Mapping[str, Any]) -> dict[str, Any]:
    """The hidden fields of an item without those that `items.judgments` reads: who judged, what, and which run.

    In a row that names an annotator, values that are derived from their answers are left out, too.
    """
    found = _without_labels_of_pairs(study, hidden)
    if any(settings.annotator in hidden for settings in study.items.judgments if settings.annotator):
        found = {name: value for name, value in found.items() if name not in {each.derived for each in study.derive}}
    for settings in study.items.judgments:
        for path in _fields_of_row(study, settings):
            found = _without(found, path)
        for source, path in _fields_of_entries(study, settings):
            if source in found:
                found[source] = _without_in_each(found[source], path)
    if isinstance(found.get(BOTH), list):
        found[BOTH] = [without_ratings(study, each) for each in found[BOTH]]
    return found


def _fields_of_row(study: Study, settings: JudgmentFields) -> Iterator[str]:
    sides = (settings.sides.left, settings.sides.right) if settings.sides else ()
    repeat = settings.repeat.removesuffix("?")
    yield from (name for name in (settings.annotator, settings.judge, repeat, *sides) if name)
    for slot, path in study.fields_read(settings).items():
        if study.dimension(slot.dimension).scope.of != "entries":
            yield path


def _fields_of_entries(study: Study, settings: JudgmentFields) -> Iterator[tuple[str, str]]:
    for slot, path in study.fields_read(settings).items():
        scope = study.dimension(slot.dimension).scope
        if scope.of == "entries":
            yield study.items.entries[scope.entries].from_, path


def _without_labels_of_pairs(study: Study, hidden: Mapping[str, Any]) -> dict[str, Any]:
    """Hidden fields without keys such as `A vs. B`, where judgments are read from what stands under them."""
    candidates = study.items.candidates
    paths = [path for each in study.items.judgments for path in study.fields_read(each).values()]
    if candidates is None or not candidates.keys or not any(path.startswith(f"{PAIR}.") for path in paths):
        return dict(hidden)
    return {key: value for key, value in hidden.items() if candidates.keys not in key}


def _without(row: Mapping[str, Any], path: str) -> dict[str, Any]:
    """A row without one field, by its name or by a path into nested values."""
    found = {key: value for key, value in row.items() if key != path}
    for end, sign in enumerate(path):
        inner = found.get(path[:end])
        if sign == "." and isinstance(inner, Mapping):
            found[path[:end]] = _without(inner, path[end + 1 :])
    return found


def _without_in_each(entries: Any, path: str) -> Any:
    if isinstance(entries, Mapping):
        return {key: _without(each, path) if isinstance(each, Mapping) else each for key, each in entries.items()}
    if isinstance(entries, list):
        return [_without(each, path) if isinstance(each, Mapping) else each for each in entries]
    return entries
