"""Whether automated judges say what people say: each of them beside what people reach among themselves."""

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

from assay.judgments.scales import scale_of
from assay.report.charts import number
from assay.report.data import TOO_FEW, Data
from assay.report.judge_agreement import JudgedDimension, judge_on
from assay.report.section import Section
from assay.report.system_comparison import is_number
from assay.report.wording import estimate_in_words, too_few_to_say

NAMES = {"quadratic_kappa": "weighted kappa (quadratic)", "cohen_kappa": "Cohen's kappa", "spearman": "Spearman's rho"}
MOST_SAID = 3


class Judges(Section[dict[str, Any]]):
    """Whether automated judges say what people say: each of them beside what people reach among themselves."""

    kind: ClassVar[str] = "judges"
    rank: ClassVar[int] = 26
    title: ClassVar[str] = "Do automated judges say what people say?"
    figures: ClassVar[tuple[str, ...]] = ("judge",)

    def numbers(self, data: Data) -> dict[str, Any]:
        if not data.by_judges:
            return {"warnings": [], "dimensions": [], "agreed": ""}
        from assay.statistics.comparison.system_level import why_not_comparable

        judged = dict.fromkeys((each.annotator, each.item) for each in data.by_judges)
        found = [*(_asked(data, each.dimension) for each in data.study.scored), *_computed(data)]
        return {
            "warnings": _together(why_not_comparable(judged), sorted({judge for judge, _ in judged})),
            "dimensions": [row for row in found if row is not None],
            "agreed": data.with_agreed.in_words(),
        }

    def lines(self, numbers: dict[str, Any]) -> list[str]:
        lines = [f"Warning: {each}." for each in numbers["warnings"]]
        judges = dict.fromkeys(each["judge"] for row in numbers["dimensions"] for each in row["judges"])
        for judge in judges:
            rows = [
                (row["title"], each)
                for row in numbers["dimensions"]
                for each in row["judges"]
                if each["judge"] == judge
            ]
            lines += _lines(judge, rows)
        return [*lines, numbers["agreed"]] if lines and numbers["agreed"] else lines


def _together(warnings: Sequence[str], judges: Sequence[str]) -> list[str]:
    """One warning in the place of many that say the same."""
    pairs = len(judges) * (len(judges) - 1) // 2
    if pairs > 1 and len(warnings) == pairs and all("no item in common" in each for each in warnings):
        return [f"no two of the judges {', '.join(judges)} judged an item in common: what differs may be their items"]
    return list(warnings)


Rows = Sequence[tuple[str, dict[str, Any]]]


def _lines(judge: str, rows: Rows) -> Iterator[str]:
    """The least and the most agreement of one judge, where it differs from people, and whether it may replace them."""
    batches = sorted({batch for _, found in rows for batch in found["batches"]})
    start = f"{judge} ({', '.join(batches)})" if batches else judge
    both = [(title, found) for title, found in rows if found["n"]]
    if not both:
        yield f"{start}: no item was judged both by it and by people."
        return
    ranked = sorted(both, key=lambda row: (_main(row[1])["value"] is None, _main(row[1])["value"] or 0.0))
    defined = [row for row in ranked if _main(row[1])["value"] is not None] or ranked[:1]
    if all(found["too_few"] for _, found in both) and len(defined) > 1:
        yield _of_few(start, defined, both)
        return
    ends = defined[:1] if len(defined) == 1 else [defined[0], defined[-1]]
    line = f"{start}: agreement with people {' to '.join(_said(*row) for row in ends)}"
    line += _apart("less agreement than people have", both, "gap", below=True)
    line += _apart("more agreement than people have", both, "gap", below=False)
    line += _apart("higher values than people's", both, "bias", below=False)
    line += _apart("lower values than people's", both, "bias", below=True)
    few = min((found for _, found in both), key=lambda found: found["n_units"])
    yield f"{line}; {_counted(both)}{too_few_to_say(few['n_units'], few['unit'])}."
    yield from _by_batch(judge, both)
    yield from _replaces(start, both)


def _by_batch(judge: str, rows: Rows) -> Iterator[str]:
    """The range of agreement on each batch, of a judge that judged several."""
    for batch in sorted({each["batch"] for _, found in rows for each in found["by_batch"]}):
        of_batch = [(title, each) for title, found in rows for each in found["by_batch"] if each["batch"] == batch]
        defined = [row for row in of_batch if _main(row[1])["value"] is not None]
        if defined:
            yield _of_few(f"{judge}, batch {batch or '(none)'}", defined, of_batch)


def _of_few(start: str, defined: Rows, both: Rows) -> str:
    """Where nothing rests on items enough, the range is all there is to say."""
    own = [_main(found)["value"] for _, found in defined]
    people = [value for _, found in defined if (value := _main(found, people=True)["value"]) is not None]
    line = f"{start}: agreement with people {_range(own)} over {len(defined)} dimensions"
    line += f", people among themselves {_range(people)}" if people else ""
    few = max((found for _, found in both), key=lambda found: found["n_units"])
    return f"{line}; {_counted(both)}{too_few_to_say(few['n_units'], few['unit'])}."


def _range(values: Sequence[float]) -> str:
    low, high = number(min(values)), number(max(values))
    return low if low == high else f"{low} to {high}"


def _main(found: dict[str, Any], people: bool = False) -> dict[str, Any]:
    """The statistic that is said first, of the judge or of people."""
    main = next(each for each in found["statistics"] if each["name"] == found["headline"])
    return dict(main["people_" + found["role"] if people else found["role"]])


def _said(title: str, found: dict[str, Any]) -> str:
    return (
        f"{estimate_in_words(_main(found))} ({title}, {NAMES[found['headline']]}; people among themselves "
        f"{estimate_in_words(_main(found, people=True))})"
    )


def _apart(words: str, rows: Rows, what: str, *, below: bool) -> str:
    """The dimensions on which an interval lies wholly to one side of zero. Few items say nothing of it."""
    found = []
    for title, each in rows:
        name, role = (each["headline"], "gap") if what == "gap" else ("bias", "with_mean")
        one = next((one[role] for one in each["statistics"] if one["name"] == name), None)
        if one is not None and one["ci"] and each["n_units"] >= TOO_FEW:
            low, high = one["ci"]
            if (high < 0) if below else (low > 0):
                found.append((abs(one["value"]), f"{title} by {estimate_in_words(one)}"))
    ranked = [words for _, words in sorted(found, reverse=True)]
    more = f" and {len(ranked) - MOST_SAID} more" if len(ranked) > MOST_SAID else ""
    return f"; {words} on {', '.join(ranked[:MOST_SAID])}{more}" if ranked else ""


def _counted(rows: Rows) -> str:
    counts = sorted({found["n_units"] for _, found in rows})
    n = f"{counts[0]}" if len(counts) == 1 else f"{counts[0]} to {counts[-1]}"
    return f"n = {n} {rows[0][1]['unit']}, {max(found['n_people'] for _, found in rows)} people"


def _replaces(start: str, rows: Rows) -> Iterator[str]:
    """What the alternative annotator test says, where there are people and items enough for it."""
    tested = [(title, found["alt_test"]) for title, found in rows if found["alt_test"]["undefined"] is None]
    if tested:
        passed = {title: [each for each in test["by_margin"] if each["passes"]] for title, test in tested}
        said = [
            f"{title} {'yes' if margins else 'no'}"
            + (f" (from epsilon {min(each['epsilon'] for each in margins):g} on)" if margins else "")
            for title, margins in passed.items()
        ]
        yield f"{start}: could it take the place of people, by the alternative annotator test? {'; '.join(said)}."


def _asked(data: Data, name: str) -> dict[str, Any] | None:
    """A dimension that people were asked, on its scale."""
    from assay.statistics.table import Scale

    dimension = data.study.dimension(name)
    assert dimension.input.level is not None
    judged = [each for each in data.by_judges if each.dimension == name and each.value is not None]
    if not judged:
        return None
    people = [
        each
        for each in data.that_count
        if each.dimension == name and each.value is not None and data.on_this_scale(each)
    ]
    rows = [(each.unit, each.annotator, data.value_on_scale(each, dimension)) for each in people]
    truth = [
        (each.unit, each.annotator, data.value_on_scale(each, dimension))
        for each in data.with_agreed.judgments
        if each.dimension == name and each.value is not None and data.on_this_scale(each)
    ]
    values = [(each.unit, each.annotator, data.value_on_scale(each, dimension)) for each in judged]
    scale = Scale(scale_of(dimension), dimension.input.level)
    later = [
        each
        for each in data.by_judges_again
        if each.dimension == name and each.value is not None and data.on_this_scale(each)
    ]
    again = [(each.unit, each.annotator, data.value_on_scale(each, dimension)) for each in later]
    question = JudgedDimension(data, judged, values, rows, scale, False, again, truth)
    judges = sorted({each.annotator for each in judged})
    return {"dimension": name, "title": dimension.heading, "judges": [judge_on(question, judge) for judge in judges]}


def _computed(data: Data) -> list[dict[str, Any]]:
    """What is computed from answers, of judges and of people alike."""
    from assay.statistics.table import Scale

    rows = []
    for derived in data.study.derive:
        judged = [each for each in data.by_judges if each.dimension == derived.derived]
        people = [each for each in data.derived if each.dimension == derived.derived]
        given = {each.value for each in [*judged, *people]}
        if not judged:
            continue
        settled = [each for each in data.with_agreed.derived if each.dimension == derived.derived]
        given |= {each.value for each in settled}
        numeric = all(is_number(each) for each in given)
        scale = Scale(tuple(sorted(given, key=float if numeric else str)), "interval" if numeric else "nominal")  # type: ignore[arg-type]
        values, by_people, truth = (
            [(each.unit, each.annotator, each.value) for each in some] for some in (judged, people, settled)
        )
        question = JudgedDimension(data, judged, values, by_people, scale, numeric, (), truth)
        judges = sorted({each.annotator for each in judged})
        found = [judge_on(question, judge) for judge in judges]
        rows.append({"dimension": derived.derived, "title": derived.heading, "judges": found})
    return rows
