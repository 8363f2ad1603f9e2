"""Agreement as a person reads it: on a terminal, and as a page of its own."""

from collections.abc import Iterable, Sequence
from html import escape
from importlib import resources
from typing import Any

from assay.judgments.units import Units
from assay.model import Coefficient
from assay.ratings.agreement import DimensionResult, RatingsAgreement
from assay.ratings.extra_results import FurtherAnswers, Models
from assay.statistics import title_of
from assay.statistics.comparison.alt_test import AltTest
from assay.statistics.comparison.custom_weights import TITLES

Row = tuple[str, str, str, str, str]
"""Title, value, interval or why there is none, items, and the number of a footnote."""


class Notes:
    """Numbered footnotes; the same words get one number."""

    def __init__(self) -> None:
        self.words: dict[str, int] = {}

    def mark(self, words: str) -> str:
        """The number of a footnote with these words, as it stands behind a line."""
        return f"[{self.words.setdefault(words, len(self.words) + 1)}]" if words else ""


def rows_of(coefficients: Sequence[Coefficient], notes: Notes) -> Iterable[Row]:
    """A table row for each coefficient."""
    for each in coefficients:
        if each.value is None:
            yield _title(each.name), "undefined", each.undefined or "", "", ""
        else:
            between = "" if each.ci is None else f"{number(each.ci[0])} to {number(each.ci[1])}"
            yield _title(each.name), number(each.value), between, f"{each.n_items:,}", notes.mark(each.method)


def number(value: float) -> str:
    """Three digits; a zero has no sign.

    >>> number(0.81529), number(-0.00001)
    ('0.815', '0.000')
    """
    return f"{value:.3f}".replace("-0.000", "0.000")


def describe(found: RatingsAgreement) -> str:
    """How many units, judgments and annotators the coefficients rest on."""
    shared = Units(found.of, found.n_shared, found.items)
    judged = shared if found.n_shared == found.n_items else Units(found.of, found.n_items)
    counts = ((found.n_ratings, "judgment"), (found.n_annotators, "annotator"))
    said = ", ".join([str(judged), *(f"{count:,} {what}{'' if count == 1 else 's'}" for count, what in counts)])
    return said if judged is shared else f"{said}; {shared} have two or more judgments, on which agreement rests"


INTERVAL = "95 % interval"
"""What stands beside a value, but for tables that say something else."""
POOLED = "all comparisons together, each item in both directions"


def print_agreement(dimensions: Sequence[DimensionResult], pooled: Sequence[RatingsAgreement], console: Any) -> None:
    """Print tables to a terminal."""
    from rich.table import Table
    from rich.text import Text

    def table(rows: Iterable[Row], first: str, of: RatingsAgreement, third: str = INTERVAL) -> Table:
        shown = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
        shown.add_column(first, overflow="fold")
        shown.add_column("value", justify="right", no_wrap=True)
        shown.add_column(third, overflow="fold")
        shown.add_column(Units(of.of, 0).called, justify="right", no_wrap=True)
        shown.add_column("", style="dim", no_wrap=True)
        for index, row in enumerate(rows):
            shown.add_row(*map(Text, row), style="bold" if index == 0 else "")
        return shown

    notes = Notes()
    for each in dimensions:
        console.print(Text(f"\n{each.title}", style="bold"))
        console.print(Text(f"{each.level} scale: {each.scale}. {describe(each.whole)}."))
        console.print(table(rows_of(each.whole.coefficients, notes), "coefficient", each.whole))
        for title, rows in further_tables(each, notes):
            console.print(Text(f"\n{each.title}, {title}"))
            console.print(table(rows, "", each.whole))
        for title, third, rows in answer_tables(each.answers, notes):
            console.print(Text(f"\n{each.title}, {title}"))
            console.print(table(rows, "", each.whole, third))
    for whole in pooled:
        console.print(Text(f"\n{whole.name}, {POOLED}"))
        console.print(table(rows_of(whole.coefficients, notes), "coefficient", whole))
    if notes.words:
        console.print()
    for words, index in notes.words.items():
        console.print(Text(f"[{index}] {words}", style="dim"))


def further_tables(found: DimensionResult, notes: Notes) -> Iterable[tuple[str, list[Row]]]:
    """What stands beside the whole: systems one by one, other parts, and automated judges with each person."""
    if found.systems:
        yield "system by system", list(_first_of_each(found.systems, notes))
    for column, parts in found.by.items():
        yield f"by {column}", list(_first_of_each(parts, notes))
    if found.judges:
        names = [each.name for each in found.judges[0].coefficients]
        among = [each for each in found.whole.coefficients if each.name in names]
        for name in names:
            rows: list[Row] = [("people among themselves", *rest) for _, *rest in rows_of(_only(among, name), notes)]  # type: ignore[misc]
            for pair in found.judges:
                who = f"{pair.judge} (automated) and {pair.person}"
                rows += [(who, *rest) for _, *rest in rows_of(_only(pair.coefficients, name), notes)]  # type: ignore[misc]
            yield f"automated judges, by {title_of(name)}", rows


def answer_tables(answers: FurtherAnswers, notes: Notes) -> Iterable[tuple[str, str, list[Row]]]:
    """What else was asked for, each with the head of its third column."""
    if answers.weighted:
        yield "with weights of one's own", INTERVAL, list(rows_of(answers.weighted, notes))
    if answers.errors:
        rows = [
            (title_of(name), "undefined" if error is None else number(error), "", "", "")
            for name, error in answers.errors.items()
        ]
        yield "standard errors (jackknife)", "", rows
    for name, pairs in answers.pairs.items():
        rows = []
        for pair in pairs:
            for _, *rest in rows_of([pair.coefficient], notes):
                rows.append((f"{pair.first} and {pair.second}", *rest))  # type: ignore[arg-type]
        yield f"pairs of annotators, by {_title(name)}", INTERVAL, rows
    for judge, test in answers.alt_tests.items():
        yield f"{judge} (automated) in the place of people", "", list(_alt_test_rows(test, notes))
    if answers.models is not None:
        yield from _model_tables(answers.models, notes)


def _alt_test_rows(test: AltTest, notes: Notes) -> Iterable[Row]:
    """Whether a judge may take the place of people, and of each of them."""
    mark = notes.mark("; ".join(test.warnings))
    if test.winning_rate is None or test.advantage is None:
        yield "winning rate", "undefined", test.undefined or "", "", mark
        return
    passes = "passes: it wins against half of them or more" if test.passes else "does not pass"
    yield "winning rate", number(test.winning_rate), f"{passes} (epsilon {test.epsilon:g})", "", mark
    yield "advantage probability", number(test.advantage), "", "", ""
    for each in test.persons:
        won = "wins" if each.won else "does not win"
        p = "p < 0.001" if each.p_adjusted < 0.001 else f"p = {each.p_adjusted:.3f}"
        beside = f"{won} (the person {number(each.people)}, corrected {p})"
        yield f"in the place of {each.person}", number(each.judge), beside, f"{each.n:,}", ""


def _model_tables(models: Models, notes: Notes) -> Iterable[tuple[str, str, list[Row]]]:
    """How competent annotators are, and how many items get another category than most gave them."""
    mark = notes.mark("; ".join(models.dawid_skene.warnings))
    rows: list[Row] = [
        (str(name), number(competence), f"{number(right)} by Dawid and Skene's model", f"{n:,}", mark)
        for name, n, right, competence in models.annotators()
    ]
    yield "competence of annotators (MACE)", "share of right labels", rows
    found = models.dawid_skene
    yield (
        "most probable categories",
        "",
        [
            ("another category than most gave", str(found.differ_from_majority), "items", f"{len(found.items):,}", ""),
            ("no category that most gave", str(found.without_majority), "items", f"{len(found.items):,}", ""),
        ],
    )


def _title(name: str) -> str:
    return {"spearman": "Spearman's rank correlation", **TITLES}.get(name) or title_of(name)


def _first_of_each(parts: Sequence[RatingsAgreement], notes: Notes) -> Iterable[Row]:
    """The headline of each part."""
    for part in parts:
        for title, *rest in list(rows_of(part.coefficients[:1], notes)):
            yield (f"{part.name}: {title}", *rest)  # type: ignore[misc]


def _only(coefficients: Sequence[Coefficient], name: str) -> list[Coefficient]:
    return [each for each in coefficients if each.name == name]


def agreement_page(
    dimensions: Sequence[DimensionResult],
    pooled: Sequence[RatingsAgreement],
    file: str,
    notes_above: Sequence[str],
    made: str,
) -> str:
    """One HTML page that needs nothing from elsewhere."""
    css = resources.files("assay.report").joinpath("report.css").read_text("utf-8")
    notes = Notes()
    parts = []
    for each in dimensions:
        parts.append(f"<h2>{escape(each.title)}</h2>")
        parts.append(f"<p>{each.level.capitalize()} scale: {escape(each.scale)}. {describe(each.whole)}.</p>")
        parts.append(_table("coefficient", rows_of(each.whole.coefficients, notes), each.whole))
        for title, rows in further_tables(each, notes):
            parts.append(f"<h3>{escape(title.capitalize())}</h3>{_table('', rows, each.whole)}")
        for title, third, rows in answer_tables(each.answers, notes):
            parts.append(f"<h3>{escape(title.capitalize())}</h3>{_table('', rows, each.whole, third)}")
    for whole in pooled:
        parts.append(f"<h2>{escape(whole.name)}</h2><p>{POOLED.capitalize()}.</p>")
        parts.append(_table("coefficient", rows_of(whole.coefficients, notes), whole))
    said = "".join(f"<li>{escape(note)}</li>" for note in notes_above)
    assumed = f"<h2>Assumed</h2><ul>{said}</ul>" if said else ""
    how = "".join(f"<li>{escape(words)}</li>" for words in notes.words)
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>Agreement: {escape(file)}</title><style>{css}</style></head><body><main>"
        f'<h1>Agreement in {escape(file)}</h1><p class="muted">Made by assay agree{escape(made)}.</p>'
        f"{''.join(parts)}{assumed}<h2>How the intervals were made</h2><ol>{how}</ol></main></body></html>\n"
    )


def _table(first: str, rows: Iterable[Row], of: RatingsAgreement, third: str = INTERVAL) -> str:
    head = f'<thead><tr><th scope="col">{escape(first)}</th><th scope="col" class="n">value</th>'
    head += f'<th scope="col">{escape(third)}</th><th scope="col" class="n">{Units(of.of, 0).called}</th>'
    head += '<th scope="col">note</th></tr></thead>'
    body = "".join(
        f"<tr{' class=main' if index == 0 else ''}>"
        f'<th scope="row">{escape(title)}</th><td class="n">{escape(value)}</td>'
        f'<td>{escape(between)}</td><td class="n">{n}</td><td>{escape(note)}</td></tr>'
        for index, (title, value, between, n, note) in enumerate(rows)
    )
    return f'<div class="scroll"><table>{head}<tbody>{body}</tbody></table></div>'
