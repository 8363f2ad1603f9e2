"""The file of judges: who judges a study besides people, how they are asked, and what it may cost.

It is a file of its own and no part of the study: annotators never see it, and nothing but `assay judge` reads it.
"""

import hashlib
import re
from functools import cache, cached_property
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import Field, field_validator, model_validator

from assay.errors import Mistake, StudyMistakes
from assay.judges import Judge
from assay.kinds import JUDGES, Many, Settings
from assay.markdown_file import MarkdownFile
from assay.mistakes import mistake
from assay.study import yaml
from assay.study.field_types import Name, OneKind
from assay.study.schema import with_kinds, with_types
from assay.study.valid_parts import read_valid_parts

PLACES = ("rubric", "guidelines", "examples", "item", "answers")
"""What may stand in braces in a prompt of one's own."""
PLACE = re.compile(r"\{([a-z_]+)\}")
MILLION = 1_000_000


class JudgePrice(Settings):
    """What a million tokens cost, in any currency: that of the budget."""

    input: float = Field(default=0.0, ge=0, description="A million tokens that are sent.")
    output: float = Field(default=0.0, ge=0, description="A million tokens that come back.")

    def of(self, tokens_in: float, tokens_out: float) -> float:
        """What so many tokens cost."""
        return (tokens_in * self.input + tokens_out * self.output) / MILLION


class JudgeLimits(Settings):
    """How fast a judge is asked."""

    at_once: int = Field(default=4, ge=1, le=256, description="How many requests are under way at the same time.")
    requests: int | None = Field(default=None, ge=1, description="Requests a minute at most. Left out: no limit.")
    tokens: int | None = Field(
        default=None, ge=1, description="Tokens a minute at most, sent and received. Left out: no limit."
    )
    retries: int = Field(
        default=6,
        ge=0,
        le=20,
        description="How often a request is sent again after a failure that may pass, such as 429, 500 or a lost "
        "connection: after `wait` seconds, then twice as long and so on up to a minute, or when `Retry-After` says.",
    )
    wait: float = Field(default=1.0, gt=0, le=60, description="Seconds before a request is sent again the first time.")
    seconds: float = Field(default=120.0, gt=0, le=3600, description="How long an answer may take.")


class JudgeBudget(Settings):
    """Where a run stops. What earlier runs of the same judges cost in this study counts too."""

    money: float | None = Field(default=None, gt=0, description="In the currency of the prices.")
    tokens: int | None = Field(default=None, ge=1, description="Sent and received.")

    @property
    def is_set(self) -> bool:
        """Whether there is one."""
        return self.money is not None or self.tokens is not None


def with_known_places(prompt: MarkdownFile) -> MarkdownFile:
    """A prompt of one's own, if everything in braces can be filled in. Raises the error of a validator where not."""
    places = PLACE.findall(prompt.text)
    listed = ", ".join(f"{{{each}}}" for each in PLACES)
    if unknown := [each for each in places if each not in PLACES]:
        raise mistake(f"the prompt has {{{unknown[0]}}}, which means nothing", f"these are filled in: {listed}")
    for needed in ("item", "answers"):
        if needed not in places:
            raise mistake(f"the prompt has no {{{needed}}}", f"these are filled in: {listed}")
    return prompt


class JudgeEntry(OneKind):
    """One judge: its name, its kind with its settings, and how it is asked."""

    judge: Name = Field(description="Its name, in the data and in the report. No annotator may have the same.")
    price: JudgePrice | None = Field(
        default=None, description="What tokens cost, for the estimate, the budget and the sum at the end."
    )
    limits: JudgeLimits = Field(default=JudgeLimits.model_construct(), description="How fast it is asked.")
    prompt: MarkdownFile | None = Field(
        default=None,
        description="A prompt of one's own: a text file in which `{rubric}`, `{guidelines}`, `{examples}`, `{item}` "
        "and `{answers}` are filled in. Its hash is kept with every answer. Left out: the prompt that Assay makes.",
    )
    guidelines: bool = Field(
        default=False,
        description="Whether it reads what annotators have to read: the texts of the gate `reading`, and the worked "
        "examples of dimensions.",
    )
    examples: Many[str] = Field(
        default=(),
        description="Items that it is shown with their known answers, by their ids: only such of a calibration or "
        "practice, and never any that is judged.",
    )
    ask: Literal["together", "one-by-one"] = Field(
        default="together",
        description="`together`: all dimensions in one request, in the order of the page. `one-by-one`: each dimension "
        "in a request of its own, which knows nothing of the other answers; where an answer breaks a rule about "
        "several dimensions, it is asked again with those answers that the rule is about.",
    )
    orders: Literal["both", "drawn"] = Field(
        default="both",
        description="Of pairs: `both` asks each item twice, in the order that was drawn and with sides swapped; "
        "`drawn` only once. Beside people the first one counts; where people and judges are put together, their mean.",
    )
    repeats: int = Field(default=1, ge=1, le=20, description="How often each item is judged: each time is a run.")
    reasons: bool = Field(
        default=False,
        description="Whether it says why before it answers. That is kept with the answer, and not judged.",
    )
    doubt: bool = Field(
        default=False,
        description="Whether it says how unsure it is, from 0 (sure) to 10 (a guess), or null. That is kept with its "
        "judgments, and is doubt for `assignment.people: {by: doubt}` beside how far judges are apart.",
    )
    ask_again: int = Field(
        default=2,
        ge=0,
        le=10,
        description="How often it is asked again, with the reasons, when its answer breaks a rule of the study. After "
        'that the item is stored as "unable".',
    )

    @field_validator("prompt", mode="after")
    @classmethod
    def _known_places(cls, prompt: MarkdownFile | None) -> MarkdownFile | None:
        return None if prompt is None else with_known_places(prompt)

    @property
    def kind(self) -> Judge:
        """How it is reached."""
        kind: Judge = self.only_kind
        return kind

    @cached_property
    def template_hash(self) -> str:
        """The hash of a prompt of one's own; empty where Assay makes it."""
        return hashlib.sha256(self.prompt.text.encode()).hexdigest() if self.prompt is not None else ""


class JudgesFile(Settings):
    """Who judges besides people."""

    judges: Many[JudgeEntry] = Field(min_length=1, description="The judges.")
    budget: JudgeBudget = Field(default=JudgeBudget.model_construct(), description="Where a run stops.")

    @model_validator(mode="after")
    def _names_differ(self) -> Self:
        names = [each.judge for each in self.judges]
        for index, name in enumerate(names):
            if name in names[:index]:
                raise mistake(f"two judges are called {name!r}", "give each a name", "judges", index, "judge")
        return self

    @model_validator(mode="after")
    def _prices_where_money_is_counted(self) -> Self:
        without = [index for index, each in enumerate(self.judges) if each.price is None]
        if self.budget.money is not None and without:
            what = f"a budget of money is set, and {self.judges[without[0]].judge!r} has no price"
            hint = "write price: {input: ..., output: ...}, for a million tokens; for one that costs nothing price: {}"
            raise mistake(what, hint, "judges", without[0])
        return self


@cache
def judges_type() -> type[JudgesFile]:
    """The type of the file, with the keys of every kind of judge."""
    entry: Annotated[type, ""] = with_kinds(JudgeEntry, JUDGES)
    made: type[JudgesFile] = with_types(JudgesFile, judges=Many[entry])  # type: ignore[valid-type]
    return made


def load_judges(path: Path, folder: Path) -> JudgesFile:
    """Read a file of judges. Raises StudyMistakes with all mistakes in it. `folder` is that of the study."""
    try:
        text = path.read_text("utf-8-sig")
    except FileNotFoundError:
        hint = "docs/judges.md shows how to write one, in four lines"
        raise StudyMistakes([Mistake(str(path), "there is no such file", hint)]) from None
    except (OSError, UnicodeDecodeError) as error:
        raise StudyMistakes([Mistake(str(path), f"the file cannot be read ({error})", "save it as UTF-8")]) from None
    tree = yaml.read(text)
    found = list(tree.mistakes)
    made: JudgesFile | None = None
    if tree.data is not None:
        made, _, mistakes = read_valid_parts(judges_type(), tree, folder)
        found += [yaml.PositionedMistake(tree.position(each.at), each.what, each.hint) for each in mistakes]
    if made is not None and not found:
        return made
    placed = sorted(dict.fromkeys(found), key=lambda each: each.position)
    raise StudyMistakes([Mistake(f"{path}:{line}:{column}", what, hint) for (line, column), what, hint in placed])
