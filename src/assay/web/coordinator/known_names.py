"""Who may see names beside pseudonyms, and find people by them: viewers know pseudonyms alone."""

from collections.abc import Mapping

from markupsafe import Markup

from assay.store.annotator.names import names_apart, pseudonym_of
from assay.web.access import Call


def may_know_names(call: Call) -> bool:
    """Whether whoever looks may see names beside pseudonyms."""
    return not call.session.reads_only


async def names_known(call: Call) -> dict[str, str]:
    """What people are called, by pseudonym, as far as whoever looks may know it: viewers know pseudonyms alone."""
    return await call.context.store.aread(names_apart, call.session.study_id) if may_know_names(call) else {}


async def pseudonym(call: Call, name: str) -> str:
    """The pseudonym of whoever is meant, also by the name, where whoever asks may know it."""
    if not may_know_names(call):
        return name
    return await call.context.store.aread(pseudonym_of, call.session.study_id, name) or name


def name_beside(called: Mapping[str, str], annotator: str) -> Markup:
    """The name beside a pseudonym, where there is one and it may be known."""
    words = Markup(' <span class="muted">{}</span>')
    return words.format(called[annotator]) if annotator in called else Markup("")
