"""The sources of the methods that a report used, as BibTeX. `references.bib` has every source that there is."""

import re
from functools import cache
from pathlib import Path

from assay import __version__
from assay.report.build import Report
from assay.report.sections.methods import Definition

INITIALS = r", (?:[A-Z]\.[ -]?)+"
NAMED = re.compile(
    rf"(?P<surname>[A-Z][\w-]+){INITIALS}(?:(?:,|and) ?(?:[a-z]+ )*[A-Z][\w-]+{INITIALS})*\((?P<year>\d{{4}})\)"
)
ENTRY = re.compile(r"^@\w+\{(\w+),.*$", re.M)
ALSO = re.compile(r"[;.] \((\d{4})\)")
BY_CORRECTION = {"Holm": "holm1979", "Bonferroni": "dunn1961"}
BOOTSTRAP = "efron1993"
SOFTWARE = "assay"


@cache
def sources() -> dict[str, str]:
    """Every entry by its key."""
    text = (Path(__file__).parent / "references.bib").read_text("utf-8")
    return {match[1]: match[0] for match in ENTRY.finditer(text)}


def keys_of(references: str) -> list[str]:
    """The keys of the sources that a text names.

    >>> keys_of("Gwet, K. L. (2008). Computing reliability. Journal 61; (2014) Handbook of Inter-Rater Reliability.")
    ['gwet2008', 'gwet2014']
    """
    found: dict[str, None] = {}
    for match in NAMED.finditer(references):
        surname = match["surname"].lower()
        later = references[match.end() : _end(references, match.end())]
        for year in (match["year"], *ALSO.findall(later)):
            found[f"{surname}{year}"] = None
    return [each for each in found if each in sources()]


def _end(text: str, start: int) -> int:
    """Where the name of the next author starts in a text, or the end of the text."""
    following = NAMED.search(text, start)
    return following.start() if following else len(text)


def sources_to_cite(report: Report) -> dict[str, list[str]]:
    """What the report used, in words, each with the keys of its sources."""
    methods = report.parts["methods"]
    defined: list[Definition] = methods.coefficients
    found = {each.title: keys_of(each.references) for each in defined}
    found |= {f"{name}'s correction": [BY_CORRECTION[name]] for name in methods.corrections if name in BY_CORRECTION}
    models = {
        question.ranking.model
        for family in report.parts["preferences"].families
        for question in family.dimensions
        if question.ranking is not None
    }
    if models:
        found["ranking of systems"] = ["bradley1952", "davidson1970"]
    found["bootstrap intervals"] = [BOOTSTRAP]
    return {name: keys for name, keys in found.items() if keys}


def bibtex(report: Report) -> str:
    """The bibliography of the methods that the report used, and of the program."""
    keys = sorted({key for each in sources_to_cite(report).values() for key in each})
    software = (
        f"@misc{{{SOFTWARE}, author = {{{{The Assay authors}}}}, title = {{Assay: Rigorous Human Evaluation of "
        f"{{AI}} Output}}, version = {{{__version__}}}, year = {{{report.data.made_at[:4]}}}}}"
    )
    return "\n".join([*(sources()[key] for key in keys), software]) + "\n"
