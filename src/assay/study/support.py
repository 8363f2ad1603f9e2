"""Which of a study's texts of support is for somebody: by the languages that their browser asks for."""

from collections.abc import Mapping

from assay.markdown_file import MarkdownFile


def languages_wanted(header: str) -> list[str]:
    """The languages of an Accept-Language header, the most wanted first.

    >>> languages_wanted("en;q=0.8, de-AT, de;q=0.9, *;q=0.1")
    ['de-AT', 'de', 'en']
    """
    found = []
    for place, part in enumerate(header[:500].split(",")):
        tag, _, weight = part.strip().partition(";q=")
        try:
            found.append((-float(weight or 1), place, tag.strip()))
        except ValueError:
            continue
    return [tag for _, _, tag in sorted(found) if tag and tag != "*"]


def support_for(texts: Mapping[str, MarkdownFile], header: str) -> list[str]:
    """The keys of the texts, the one that fits best first: the same country, then the same language.

    The text without a language is the key "": it comes first where none fits.

    >>> support_for({"": None, "de": None, "de-AT": None}, "de-CH")
    ['de', '', 'de-AT']
    """
    wanted = languages_wanted(header)
    exact = [key for tag in wanted for key in texts if key.casefold() == tag.casefold()]
    alike = [key for tag in wanted for key in texts if key and key == tag.split("-")[0].lower()]
    near = [key for tag in wanted for key in texts if key and key.split("-")[0] == tag.split("-")[0].lower()]
    first = [*exact, *alike] or ([""] if "" in texts else near)
    return list(dict.fromkeys([*first, *texts]))
