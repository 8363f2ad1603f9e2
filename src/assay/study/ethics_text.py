"""What an ethics board is told about people's data, made from the study file: what the study declares, and no more."""

from assay.study import Study


def ethics_text(study: Study) -> list[str]:
    """The paragraphs. What the file does not say stands in brackets, to be filled in."""
    kinds = [entry.gate.kind for entry in study.gates]
    return [
        each for each in (_who(study, kinds), _what(study, kinds), _care(study), _rights(study), _end(study)) if each
    ]


def _who(study: Study, kinds: list[str]) -> str:
    consent = "Annotators agree to a consent text before they work. " if "consent" in kinds else ""
    whom = "They" if consent else "Annotators"
    ids = "names"
    if study.assignment.panel is not None:
        ids = f"names, and the ids by which the recruitment panel ({study.assignment.panel.kind}) knows them,"
    pay = ""
    if study.pay is not None:
        what = ("item", study.pay.per_item) if study.pay.per_item is not None else ("hour of work", study.pay.per_hour)
        pay = f" They are paid {study.pay.say(what[1] or 0)} for each {what[0]}."
    return (
        f"{consent}{whom} work under a pseudonym that is drawn; {ids} are stored apart from all answers. "
        f"No address of a device is stored.{pay}"
    )


def _what(study: Study, kinds: list[str]) -> str:
    said = "Stored are their answers, with the times of work"
    if any(each.input.answer == "text" for each in study.rubric):
        said += ", and what they write in their own words"
    about = (
        " Questions about the person are asked; the answers lie apart from judgments and names, and are reported for "
    )
    about += "groups of five people or more only."
    return f"{said}.{about if 'questionnaire' in kinds or study.at_end is not None else ''}"


def _care(study: Study) -> str:
    parts = []
    if "warning" in [entry.gate.kind for entry in study.gates]:
        parts.append("Hard content is announced before the work begins.")
    if study.care.warn:
        parts.append("Each item with hard content is announced before it opens, and can be left out.")
    else:
        parts.append("Every item can be left out without a reason.")
    if study.care.most_per_day is not None:
        parts.append(f"Nobody opens more than {study.care.most_per_day} such items in 24 hours.")
    if study.support is not None or study.care.support:
        parts.append("Where to find support stands one click away on every page.")
    if study.care.check_in is not None:
        seen = "coordinators see the answers" if study.care.check_in.coordinator_sees else "the answers are not stored"
        parts.append(f"After every {study.care.check_in.every} items they are asked how they are; {seen}.")
    return " ".join(parts)


def _rights(study: Study) -> str:
    stay = "are kept without any link to the person" if study.privacy.on_erasure == "keep" else "are deleted as well"
    return (
        "Annotators can at any time see and download everything that is stored about them, stop within two clicks, and "
        "have all of it deleted at once without giving a reason. Where the study erases somebody, free texts go, "
        f"and numeric judgments {stay}."
    )


def _end(study: Study) -> str:
    days, privacy = study.privacy.delete_people_after_days, study.privacy
    until = "[until when]" if days is None else f"until {days} days after the study is closed; then everybody is erased"
    basis = f" They are processed on this basis: {privacy.lawful_basis}." if privacy.lawful_basis else ""
    return f"Data are kept on [where] {until}.{basis} Questions go to {privacy.contact or '[contact]'}."
