"""How the study was done, in one paragraph: for the first page of the report, and to begin a paper's methods from."""

from assay import __version__
from assay.in_words import count
from assay.report.data import Data
from assay.report.headline import headline_of
from assay.report.system_comparison import comparisons_of
from assay.report.system_scores import BOTH
from assay.report.wording import CORRECTIONS, days_in_words, list_in_words, many
from assay.statistics import title_of
from assay.statistics.draws import DRAWS
from assay.study.schema import Study

ORDERS = {"random": "in an order drawn for each annotator", "fixed": "in the order of the item file"}


def method_paragraph(data: Data) -> str:
    """The paragraph. What judgments from files do not tell is not claimed."""
    sentences = [_who(data), *([] if data.sources.is_elsewhere else _how(data)), _agreement(data), *_comparisons(data)]
    return " ".join([*sentences, f"Computed with assay {__version__}, seed {data.seed}."])


def _who(data: Data) -> str:
    people = {each.annotator for each in data.that_count}
    rated = list_in_words([each.heading for each in data.study.scored_dimensions])
    when = days_in_words([each.submitted_at for each in data.that_count if not each.is_from_file])
    when = f" ({when})" if when else ""
    systems = [name for name in data.systems if name]
    of = f" of {many(len(systems), 'system')}" if len(systems) > 1 else ""
    return f"{many(len(people)).capitalize()} judged {many(data.items, 'item')}{of}{when} on {rated}."


def _how(data: Data) -> list[str]:
    """Assignment, blinding and what was hidden among the items, as the study file has them."""
    plan, study = data.study.assignment, data.study
    each = "Every annotator judged every item" if plan.per_item == "all" else f"Each item went to {many(plan.per_item)}"
    found = [
        f"{each}, {ORDERS.get(plan.order, f'in the order “{plan.order}”')}, without sight of the system behind it."
    ]
    if study.preference_dimensions or any(asked.scope.of == "side" for asked in study.scored_dimensions):
        found.append("Which candidate stood on the left was drawn for each annotator and item.")
    if study.gates:
        gates = list_in_words([entry.gate.kind for entry in study.gates])
        found.append(f"Before they judged, annotators passed: {gates}.")
    hidden = ["items with known answers"] if plan.controls else []
    hidden += ["items that came a second time"] if plan.duplicates and data.second_passes else []
    if hidden:
        found.append(f"Unmarked among the items were {list_in_words(hidden)}.")
    return found


def _agreement(data: Data) -> str:
    wanted = data.study.analysis.agreement.coefficient
    shown = (headline_of(found, wanted) for found in data.agreement.values())
    coefficient = list_in_words(list(dict.fromkeys(title_of(each.name) for each in shown if each))) or title_of(wanted)
    drawn = "groups of items" if data.study.items.group else "items"
    return (
        f"Agreement is {coefficient} for each dimension by itself; intervals are 95 %, from {count(DRAWS)} draws of "
        f"{drawn} where no closed form is used."
    )


def _comparisons(data: Data) -> list[str]:
    """How systems were compared; nothing where there is but one."""
    if len([name for name in data.systems if name]) < 2 and not data.study.preference_dimensions:
        return []
    ways = sorted({CORRECTIONS[each.correction] for each in comparisons_of(data)} - {""})
    corrected = f"; p-values are corrected over each family of tests ({list_in_words(ways)})" if ways else ""
    about = "annotators like these" if data.study.analysis.generalise == BOTH else "these annotators"
    looks = ", valid at any look" if data.study.analysis.looks == "any" else ""
    return [f"Systems are compared by {ways_of_comparing(data.study)}, for {about}{looks}{corrected}."]


def ways_of_comparing(study: Study) -> str:
    """What is computed of each system, or of two, where the study has questions that say so."""
    scores = any(not each.input.compares for each in study.scored_dimensions) or bool(study.derive)
    by_scores = ["the mean of item means"] if scores or not study.preference_dimensions else []
    return list_in_words([*by_scores, *(["the net win rate (wins − losses)"] if study.preference_dimensions else [])])
