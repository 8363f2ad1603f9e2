"""The steps by which an answer was reached: what was done, where, what came of it, and why."""

import json
from collections.abc import Mapping
from typing import Any, ClassVar

from pydantic import Field

from assay.displays import WALK, Display
from assay.displays.formatted_text import LabelledField, as_text, type_in_words
from assay.displays.regions import ZOOM, is_number, regions_of
from assay.kinds import Shortcut

SHORT_ARGUMENTS = 80
SHORT_LINES, SHORT_TEXT = 6, 500


class StepsDisplay(LabelledField, Display):
    """The steps by which an answer was reached, numbered, and the answer at the end.

    Of a step only the four named parts are shown; a part that a step does not have is left out. Short: `steps: trace`.
    """

    kind: ClassVar[str] = "steps"
    example: ClassVar[Any] = {
        "field": "trajectory",
        "label": "How the answer was reached",
        "answer": "final_answer",
        "operation": "operation",
        "arguments": "arguments",
        "result": "result",
        "reasoning": "reasoning",
    }

    answer: str = Field(default="", description="The field with the final answer.")
    operation: str = Field(default="operation", description="The key of a step that names what is done.")
    arguments: str = Field(default="arguments", description="The key of a step with what it is done to.")
    result: str = Field(default="result", description="The key of a step with what came of it.")
    reasoning: str = Field(default="reasoning", description="The key of a step with the reason given for it.")

    def fields(self) -> tuple[str, ...]:
        return (self.field, self.answer) if self.answer else (self.field,)

    def keep(self, name: str, value: Any) -> Any:
        if name != self.field:
            return value
        names = (self.operation, self.arguments, self.result, self.reasoning)
        steps = value if isinstance(value, list) else []
        return [{key: step[key] for key in names if key in step} if isinstance(step, dict) else {} for step in steps]

    def mistake_in(self, name: str, value: Any) -> str | None:
        if name != self.field or value is None:
            return None
        if not isinstance(value, list):
            return f"a list of steps is expected, not {type_in_words(value)}"
        odd = [(at, step) for at, step in enumerate(value, 1) if not isinstance(step, dict)]
        return f"step {odd[0][0]} is {type_in_words(odd[0][1])}, not a mapping" if odd else None

    def shortcuts(self) -> tuple[Shortcut, ...]:
        return (WALK,)

    def view(self, shown: dict[str, Any], prefix: str = "") -> dict[str, Any]:
        steps = self.keep(self.field, shown.get(self.field))
        return {
            "label": self.label,
            "steps": [self._step(step, f"{prefix}{at}") for at, step in enumerate(steps, 1)],
            "prefix": prefix,
            "asks_answer": bool(self.answer),
            "answer": as_text(shown.get(self.answer)) if self.answer else "",
        }

    def _step(self, step: dict[str, Any], name: str) -> dict[str, Any]:
        given, zoom = take_zoom(step.get(self.arguments))
        short, arguments = shorten_arguments(given)
        result = as_text(step.get(self.result))
        return {
            "name": name,
            "operation": as_text(step.get(self.operation)),
            "region": short,
            "zoom": zoom,
            "arguments": arguments,
            "arguments_start": start_of(arguments, 1, SHORT_ARGUMENTS),
            "result": result,
            "result_start": start_of(result, SHORT_LINES, SHORT_TEXT),
            "reasoning": as_text(step.get(self.reasoning)),
        }

    def plain_text(self, shown: Mapping[str, Any]) -> str:
        lines = []
        for number, step in enumerate(self.keep(self.field, shown.get(self.field)), 1):
            arguments = shorten_arguments(step.get(self.arguments))
            done = " ".join(part for part in (as_text(step.get(self.operation)), *arguments) if part)
            lines.append(f"{number} {done}".rstrip())
            more = (as_text(step.get(name)) for name in (self.result, self.reasoning))
            lines += [f"  {text}" for text in more if text]
        if self.answer:
            lines.append(f"= {as_text(shown.get(self.answer))}")
        return "\n".join(lines)

    def sample(self) -> dict[str, Any]:
        def step(at: int) -> dict[str, Any]:
            said = {self.result: f"What step {at} gave.", self.reasoning: f"Why step {at} was taken."}
            return {self.operation: f"STEP_{at}", self.arguments: {"x": 100 * at, "y": 50}, **said}

        found: dict[str, Any] = {self.field: [step(1), step(2)]}
        return {**found, self.answer: "What the answer is."} if self.answer else found


def shorten_arguments(arguments: Any) -> tuple[str, str]:
    """A step's arguments in short: its point or box as numbers in parentheses, and the rest as compact JSON."""
    if not arguments and not is_number(arguments):
        return "", ""
    # A word is said as it is.
    found = [each for each in regions_of(arguments) if each[1].shape != "outline" and each[1].corners]
    short = " ".join(f"({', '.join(f'{n:.6g}' for pair in region.corners for n in pair)})" for _, region in found)
    if isinstance(arguments, dict):
        said = {name for names, _ in found for name in names}
        arguments = {name: value for name, value in arguments.items() if name not in said}
    rest = (
        arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False, separators=(", ", ": "))
    )
    return short, "" if arguments == {} else rest


def take_zoom(arguments: Any) -> tuple[Any, str]:
    """A step's arguments without how far it zooms in, and that number, which the page says in words."""
    factor = arguments.get(ZOOM) if isinstance(arguments, dict) else None
    if not is_number(factor):
        return arguments, ""
    return {name: value for name, value in arguments.items() if name != ZOOM}, f"{factor:.6g}"


def start_of(text: str, lines: int, length: int) -> str:
    """The beginning of a long text; empty where the text is short enough to be shown whole."""
    if len(text) <= length and text.count("\n") < lines:
        return ""
    return "\n".join(text[:length].split("\n")[:lines]).rstrip()
