"""The part `analysis` of the study file: what the report computes, what monitors watch, what a pilot has to show."""

from typing import Annotated, Any, Literal, Self

from pydantic import Field, model_validator

from assay.kinds import MONITORS, STATISTICS, Many, Reference, Settings
from assay.mistakes import mistake
from assay.study.field_types import AnalysedDimensions, Name, refuse_nothing
from assay.study.stopping import EQUIVALENCE, NON_INFERIORITY, StopRule


class AgreementSettings(Settings):
    """Which coefficient of agreement counts, and which value the study asks for."""

    coefficient: str = Field(default="krippendorff_alpha_ordinal", description="The coefficient shown first.")
    at_least: float | None = Field(default=None, ge=-1, le=1, description="The value that the study asks for.")

    @model_validator(mode="after")
    def _refuse_unknown_coefficient(self) -> Self:
        if self.coefficient not in STATISTICS:
            raise mistake(
                f"there is no coefficient {self.coefficient!r}",
                f"write one of: {', '.join(STATISTICS)}",
                "coefficient",
            )
        return self


class Monitors(Settings):
    """Which monitors watch, with their thresholds."""

    @model_validator(mode="after")
    def _refuse_empty_keys(self) -> Self:
        refuse_nothing(self, self.model_fields_set)
        return self

    def by_name(self) -> dict[str, Any]:
        """The monitors that are set, by name."""
        return {name: monitor for name in MONITORS if (monitor := getattr(self, name, None)) is not None}

    @property
    def look_for_paste(self) -> bool:
        """Whether one of them wants to know that something was pasted: only then does the page note it."""
        return any(each.looks_for_paste for each in self.by_name().values())


UNFINISHED = "unfinished"


class Exclusion(Settings):
    """Annotators to leave out: the report has the results without them beside those with them. Nothing is deleted."""

    annotators: str = Field(
        description="Which annotators: a monitor, for those whom it flags by its threshold; or `unfinished`."
    )
    at_least: float | None = Field(
        default=None,
        ge=0,
        le=1,
        description="For `unfinished`: the share of their items that is enough; left out: all.",
    )
    reason: str = Field(default="", description="Why, for the report.")
    reassign: bool = Field(
        default=False,
        description="Whether their part is over then, and their places go to others as soon as flags are looked at: "
        "what they have judged is unfinished again. Not with `unfinished`.",
    )

    @model_validator(mode="after")
    def _refuse_unknown_rule(self) -> Self:
        if self.annotators != UNFINISHED and self.annotators not in MONITORS:
            options = ", ".join([*MONITORS, UNFINISHED])
            raise mistake(f"there is no monitor {self.annotators!r}", f"write one of: {options}", "annotators")
        if self.at_least is not None and self.annotators != UNFINISHED:
            what = f"the threshold of {self.annotators} stands under monitors"
            raise mistake(what, f"write it at analysis.monitors.{self.annotators}", "at_least")
        if self.reassign and self.annotators == UNFINISHED:
            what = "whoever is at work is unfinished: their places would go to others at once"
            raise mistake(what, "leave it out; `assay annotator NAME release` ends somebody's part", "reassign")
        return self


ComparedName = Annotated[
    Name,
    Reference(("dimension", "derived value"), "there is neither a dimension nor a derived value {name!r}"),
]


QuestionName = Annotated[
    Name,
    Reference(("question",), "no questionnaire asks {name!r}", listed_in="gates and at_end"),
]


class ComparisonSettings(Settings):
    """Systems compared on some dimensions."""

    on: Many[ComparedName] = Field(default=(), description="The dimensions; left out: all that are scored.")
    systems: Many[str] = Field(
        default=(),
        description="The systems, in the direction in which each is compared with those after it; left out: all, each "
        "with each, as the file names them.",
    )
    correction: Literal["holm", "bonferroni", "none"] = Field(
        default="holm", description="How several tests at once are corrected for."
    )
    show: Literal["difference", "equivalence", "non_inferiority"] = Field(
        default="difference",
        description="What the comparison is to show: that systems differ; that they do not differ by `margin` or more; "
        "or that a system is not worse than those after it by `margin` or more.",
    )
    margin: float | None = Field(
        default=None,
        gt=0,
        description="The least difference of scores that matters, in points, declared before anything is judged: the "
        "report says whether a difference as large as that is ruled out.",
    )
    margin_net: float | None = Field(
        default=None, gt=0, lt=1, description="The same for preferences, as a net win rate: wins − losses, over all."
    )

    @model_validator(mode="after")
    def _refuse_equivalence_without_margin(self) -> Self:
        if self.show != "difference" and self.margin is None and self.margin_net is None:
            what = f"to show {self.show.replace('_', '-')} takes the difference that would matter"
            raise mistake(what, "add `margin` in points, or `margin_net` for preferences", "show")
        return self

    @property
    def shows_by_margin(self) -> str:
        """What its margin is for; empty where it has none."""
        if self.margin is None and self.margin_net is None:
            return ""
        return NON_INFERIORITY if self.show == NON_INFERIORITY else EQUIVALENCE


class PilotSettings(Settings):
    """A pilot: how many items it has, and the agreement that it has to reach before the main part opens."""

    items: int = Field(ge=2, description="How many items the pilot has.")
    dimensions: AnalysedDimensions = Field(
        default=(), description="The dimensions that count; left out: all that are scored."
    )
    go: float = Field(ge=-1, le=1, description="From this agreement on, on each of them, the main part opens.")
    revise: float = Field(ge=-1, le=1, description="From here on the guidelines are revised; below, written anew.")
    rounds: int = Field(default=2, ge=1, description="The most pilots.")
    decide_by: Literal["value", "interval"] = Field(
        default="value",
        description="What is compared with `go` and `revise`: the value, or its whole 95 % interval. An interval that "
        "contains one of them is undecided, and the main part stays closed.",
    )

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if self.revise > self.go:
            raise mistake("`revise` lies above `go`", "write the lower value in revise", "revise")
        return self


class Analysis(Settings):
    """What the report computes."""

    agreement: AgreementSettings = Field(
        default=AgreementSettings.model_construct(), description="Agreement between annotators."
    )
    monitors: Monitors = Field(default=Monitors(), description="What is watched while the work goes on.")
    pilot: PilotSettings | None = Field(
        default=None, description="What a pilot has to show before the main part opens."
    )
    exclude: Many[Exclusion] = Field(default=(), description="Who is left out, beside the result with everybody.")
    compare: Many[ComparisonSettings] = Field(
        default=(),
        description="Which systems are compared, on what; left out: all, on everything. Each is corrected by itself.",
    )
    groups: Many[QuestionName] = Field(
        default=(),
        description="Questions about the person by whose answers the report has agreement and scores, group by group. "
        "No group of fewer than five people is ever shown.",
    )
    generalise: Literal["items", "items and annotators"] | None = Field(
        default=None,
        description="What comparisons of systems are about: other items like these, judged by exactly these annotators "
        "(`items`), or also by annotators like these (`items and annotators`, which takes four at least). The report "
        "decides by the one that is declared, and prints the other beside it. Left out: items.",
    )
    looks: Literal["any"] | None = Field(
        default=None,
        description="`any`: comparisons of systems have intervals and p-values that hold however often somebody looks "
        "at the report while the study runs, and decides by it when to stop. They are wider, and take 30 items or "
        "groups. Left out: they are right for one look, after the study is closed.",
    )
    stop_when: StopRule | None = Field(
        default=None,
        description="When enough was judged, declared beforehand; with `looks: any` only. It is looked at while people "
        "work; when it is reached, that is recorded once, with the time.",
    )
    blind: bool = Field(
        default=False,
        description="Whether the coordinator's page hides how systems compare until the study is closed.",
    )
    use_agreed: bool = Field(
        default=False,
        description="Whether a value that was agreed on stands in comparisons, in place of the judgments it settles.",
    )
    adjudicate_above: float | None = Field(
        default=None,
        gt=0,
        description="The standard deviation (n - 1) above which an item is talked over again.",
    )

    @property
    def stop_rule_in_words(self) -> str:
        """When the study stops, in a sentence; empty where it does not say."""
        return self.stop_when.in_words({each.shows_by_margin for each in self.compare}) if self.stop_when else ""

    @model_validator(mode="after")
    def _refuse_looks_beyond_the_panel(self) -> Self:
        if self.looks == "any" and self.generalise == "items and annotators":
            what = "looks at any time are worked out for these annotators only"
            raise mistake(what, "leave out `looks`, or write `generalise: items`", "looks")
        return self

    @model_validator(mode="after")
    def _refuse_to_stop_by_what_holds_for_one_look(self) -> Self:
        if self.stop_when is None:
            return self
        if self.looks != "any":
            what = "a study that stops by its results takes intervals that hold at every look"
            raise mistake(what, "add `looks: any`", "stop_when")
        margins = any(each.margin or each.margin_net for each in self.compare)
        if self.stop_when.equivalence_shown and not margins:
            what = "to stop when equivalence is shown takes the difference that would matter"
            raise mistake(
                what, "add `margin` or `margin_net` to a comparison in `compare`", "stop_when", "equivalence_shown"
            )
        return self

    @model_validator(mode="after")
    def _refuse_exclusion_without_monitor(self) -> Self:
        for index, rule in enumerate(self.exclude):
            if rule.annotators != UNFINISHED and rule.annotators not in self.monitors.by_name():
                hint = f"add analysis.monitors.{rule.annotators} with its threshold"
                raise mistake(f"no {rule.annotators} is watched", hint, "exclude", index, "annotators")
        return self
