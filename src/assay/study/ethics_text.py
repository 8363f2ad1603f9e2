"""What an ethics board is told about people's data, made from the study file: what the study declares, and no more."""

from assay.study import Study


def ethics_text(study: Study) -> list[str]:
    """The paragraphs, in the study's language. What the file does not say stands in brackets, to be filled in."""
    kinds = [entry.gate.kind for entry in study.gates]
    parts = (_who(study, kinds), _what(study, kinds), _care(study, kinds), _rights(study), _end(study))
    return [" ".join(filter(None, each)) for each in parts]


def _who(study: Study, kinds: list[str]) -> list[str]:
    words, panel, pay = study.words, study.assignment.panel, study.pay
    parts = [words("ethics.consent") if "consent" in kinds else ""]
    parts.append(words("ethics.pseudonym") if panel is None else words("ethics.pseudonym_panel", panel=panel.kind))
    if pay is not None and pay.per_item is not None:
        parts.append(words("ethics.paid_item", amount=pay.say(pay.per_item)))
    elif pay is not None:
        parts.append(words("ethics.paid_hour", amount=pay.say(pay.per_hour or 0)))
    return parts


def _what(study: Study, kinds: list[str]) -> list[str]:
    texts = any(each.input.answer == "text" for each in study.rubric)
    about = "questionnaire" in kinds or study.at_end is not None
    return [
        study.words("ethics.stored_texts") if texts else study.words("ethics.stored"),
        study.words("ethics.about") if about else "",
    ]


def _care(study: Study, kinds: list[str]) -> list[str]:
    words, care = study.words, study.care
    parts = [words("ethics.warning") if "warning" in kinds else ""]
    parts.append(words("ethics.warned_items") if care.warn else words("ethics.leave_out"))
    if care.most_per_day is not None:
        parts.append(words("ethics.a_day", n=care.most_per_day))
    if study.support is not None or care.support:
        parts.append(words("ethics.support"))
    if care.check_in is not None:
        every = care.check_in.every
        seen = care.check_in.coordinator_sees
        parts.append(words("ethics.check_in_seen", n=every) if seen else words("ethics.check_in", n=every))
    return parts


def _rights(study: Study) -> list[str]:
    keeps = study.privacy.on_erasure == "keep"
    return [study.words("ethics.rights"), study.words("ethics.keep") if keeps else study.words("ethics.delete")]


def _end(study: Study) -> list[str]:
    words, privacy, days = study.words, study.privacy, study.privacy.delete_people_after_days
    return [
        words("ethics.kept_open") if days is None else words("ethics.kept", n=days),
        words("ethics.basis", basis=privacy.lawful_basis) if privacy.lawful_basis else "",
        words("ethics.questions", contact=privacy.contact) if privacy.contact else words("ethics.questions_open"),
    ]
