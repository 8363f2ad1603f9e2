"""Questions that are asked only under a condition (`ask_when`): where the condition cannot do what it says."""

from collections.abc import Iterable, Iterator, Mapping

from assay.judgments.answer_space import Condition, TooManyAnswers, can_hold
from assay.judgments.item_rules import target_dimensions
from assay.judgments.warnings import join_words
from assay.study.explain import MistakeAt
from assay.study.expression import names
from assay.study.rubric import Dimension
from assay.study.schema import Study


def asked_mistakes(study: Study) -> Iterator[MistakeAt]:
    """What is wrong with the conditions under which questions are asked."""
    for index, dimension in enumerate(study.rubric):
        if dimension.ask_when is not None:
            yield from _never(study, dimension, ("rubric", index, "ask_when"))
            yield from _on_later_fields(study, dimension, ("rubric", index, "ask_when"))
            yield from _round_in_circles(study, dimension, ("rubric", index, "ask_when"))
    yield from _blocks_that_wait(study)


def _never(study: Study, dimension: Dimension, at: tuple[str | int, ...]) -> Iterator[MistakeAt]:
    try:
        if not can_hold([Condition(study, dimension.asked_tree, dimension.scope)]):
            what = f"{dimension.dimension} is never asked: no answer makes this true"
            yield MistakeAt(at, what, "compare it with the answers that there are")
    except TooManyAnswers:
        return


def _on_later_fields(study: Study, dimension: Dimension, at: tuple[str | int, ...]) -> Iterator[MistakeAt]:
    """What is shown later must not be guessed from which questions are asked."""
    for name in dict.fromkeys(names(dimension.asked_tree)):
        if name in study.items.later_fields and name not in _dimensions(study):
            what = f"{name} is shown only after some answers, and whether {dimension.dimension} is asked would tell it"
            yield MistakeAt(at, what, "let it depend on an answer, or show the field from the start")


def _round_in_circles(study: Study, dimension: Dimension, at: tuple[str | int, ...]) -> Iterator[MistakeAt]:
    """A cycle: an answer that follows from a question decides whether that question is asked."""
    needs = {name: {*_deciding_dimensions(study, each)} for name, each in _dimensions(study).items()}
    for rule in study.rules:
        for name in target_dimensions(rule, needs) if rule.required is None else ():
            if any(name in (each.value or ()) for each in study.rules):
                needs[name] |= {each for each in names(rule.tree) if each in needs}
    if dimension.dimension in _all_needed(needs, needs[dimension.dimension]):
        what = f"whether {dimension.dimension} is asked depends on an answer that follows from {dimension.dimension}"
        yield MistakeAt(at, what, "let the rule with `value` depend on something else")


def _blocks_that_wait(study: Study) -> Iterator[MistakeAt]:
    """Blocks that may wait for ever: for what an optional answer decides, or for what waits for the block itself."""
    dimensions = _dimensions(study)
    needs = {name: {*_deciding_dimensions(study, each)} for name, each in dimensions.items()}
    for index, block in enumerate(study.items.show):
        for name in block.after:
            open_ = [each for each in _all_needed(needs, needs[name]) if dimensions[each].optional]
            if open_:
                what = f"whether {name} is asked depends on {join_words(open_)}, which may be left out"
                hint = f"let the block wait for something else, or remove optional from {open_[0]}"
                yield MistakeAt(("items", "show", index, "after"), what, hint)
            held = [each for each in _all_needed(needs, needs[name]) if each in block.before]
            if held:
                what = f"the block waits for {name}, which depends on {held[0]}, which waits for the block"
                hint = f"remove {name} from after, or {held[0]} from before"
                yield MistakeAt(("items", "show", index, "before"), what, hint)


def _dimensions(study: Study) -> dict[str, Dimension]:
    return {dimension.dimension: dimension for dimension in study.rubric}


def _deciding_dimensions(study: Study, dimension: Dimension) -> list[str]:
    """The dimensions that decide whether this one is asked."""
    return [name for name in dict.fromkeys(names(dimension.asked_tree)) if name in _dimensions(study)]


def _all_needed(needs: Mapping[str, set[str]], first: Iterable[str]) -> list[str]:
    """Everything that some dimensions depend on, themselves included."""
    found: list[str] = []
    waiting = sorted(first)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.append(name)
            waiting += sorted(needs[name])
    return found
