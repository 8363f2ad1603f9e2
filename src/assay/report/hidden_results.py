"""Results by system are hidden from coordinators while a blind study runs (`analysis.blind`), until it is closed."""

from assay.study import Study


def are_hidden(study: Study, state: str) -> bool:
    """Whether coordinators may not see yet how systems compare. Reports and exports of a command are not asked."""
    return study.analysis.blind and state != "closed"
