"""Pages as answers."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path
from typing import Any

from markupsafe import Markup
from starlette.responses import HTMLResponse

from assay.judgments import Question, Questionnaire, questionnaire_of
from assay.judgments.condition_words import when_asked
from assay.judgments.later_blocks import RawAnswers, is_revealed
from assay.kinds import Shortcut
from assay.render import Renderer
from assay.study import Study
from assay.study.items import ItemBlock
from assay.web.item_page import ItemPages
from assay.web.static_files import judging_preloads, judging_scripts
from assay.words import ENGLISH, Translatable, Words, words_of

FIRST_TAG = re.compile(r"<[a-z]+")
MOST_KEPT = 1000
"""How many forms without an answer are kept ready; with entries each item has its own."""


@dataclass(frozen=True)
class Questions:
    """The parts of the judging page that depend on the study and the answers."""

    form: Markup
    dialogs: Markup
    key: tuple[str, ...] | None = None
    """What they depend on, where nothing is answered yet; with entries each item has questions of its own."""


@dataclass(frozen=True)
class ItemFrame:
    """What stands around every item of a study."""

    menu: Markup
    drawer: Markup


class Pages(Renderer):
    """All pages of the web edge, in one language: `of` leads to those in the language of a study."""

    def __init__(self, words: Words = ENGLISH) -> None:
        super().__init__(Path(__file__).parent / "templates", words)
        # The same on every page of an item.
        files = {"scripts": judging_scripts(), "preloads": judging_preloads()}
        self.environment.globals["judging"] = {**files, "head": Markup(self.html("judging_head.html", **files))}
        self.items = ItemPages(self.html)
        self._others: dict[str, Pages] = {}
        self._untouched: dict[tuple[str, ...], Questions] = {}
        self._frames: dict[tuple[str, str, bool], ItemFrame] = {}

    def of(self, study: Study) -> "Pages":
        """The same pages, in the language of a study."""
        language = study.language
        if language == self.words.language:
            return self
        if language not in self._others:
            self._others[language] = Pages(words_of(language))
        return self._others[language]

    def response(self, name: str, status: int = 200, /, **values: Any) -> HTMLResponse:
        """A page as an answer."""
        return HTMLResponse(self.html(name, **values), status)

    def message(
        self, status: int, title: Translatable | str, words: Translatable | str, home: str = "", kept: str = ""
    ) -> HTMLResponse:
        """A page that says one thing, and where to go on from there; and how many answers a device still keeps."""
        say = self.words.say
        return self.response("message.html", status, title=say(title), words=say(words), home=home, kept=kept)

    def block(self, block: ItemBlock, shown: dict[str, Any], home: str) -> Markup:
        """One block of an item's content."""
        html = self.kind(block.display, picture_root=f"{home}/picture/", **block.display.view(shown))
        if not block.before:
            return html
        # The page shows it again beside the questions about it, where there is little room.
        return Markup(FIRST_TAG.sub(rf'\g<0> data-before="{" ".join(block.before)}"', str(html), count=1))

    def content(self, study: Study, shown: dict[str, Any], answers: RawAnswers, home: str) -> Markup:
        """The content of an item, with placeholders for blocks that come after some answers."""
        parts = []
        for number, block in enumerate(study.items.show):
            if block.after and not is_revealed(study, shown, block, answers):
                names = [study.dimension(name).heading for name in block.after]
                label = getattr(block.display, "label", "")
                place = self.html("waiting.html", number=number, block=block, names=names, label=label)
                parts.append(Markup(place))
            else:
                parts.append(self.block(block, shown, home))
        if study.items.columns is None:
            return Markup("\n".join(parts))
        columns = [[parts[number] for number in numbers] for numbers in study.items.columns]
        return Markup(self.html("beside.html", columns=columns))

    def frame(self, study: Study, home: str, goes_back: bool) -> ItemFrame:
        """What stands around every item of a study, made once for each version."""
        key = (study.hash, home, goes_back)
        if key not in self._frames:
            if len(self._frames) >= MOST_KEPT:
                self._frames.clear()
            menu = self.html("annotator_bar.html", study=study, home=home, goes_back=goes_back, assignment=None)
            self._frames[key] = ItemFrame(Markup(menu), Markup(self.html("drawer.html")))
        return self._frames[key]

    def questions(self, study: Study, shown: dict[str, Any], answers: RawAnswers, reasons: dict[str, str]) -> Questions:
        """The questions of an item. Untouched they are mostly the same for every item, and then made once."""
        later = study.items.later_fields
        here = questionnaire_of(
            study, {name: value for name, value in shown.items() if name not in later} if later else shown
        )
        if answers or reasons:
            return self._questions(study, here, answers, reasons)
        if here.key not in self._untouched:
            if len(self._untouched) >= MOST_KEPT:
                self._untouched.clear()
            key = (study.hash,) if study.entries else here.key
            self._untouched[here.key] = replace(self._questions(study, here, {}, {}), key=key)
        return self._untouched[here.key]

    def _questions(
        self,
        study: Study,
        here: Questionnaire,
        answers: RawAnswers,
        reasons: dict[str, str],
    ) -> Questions:
        questions = here.possible
        scored = [each for each in questions if not each.dimension.optional]
        digits = sorted(key for question in scored for key in question.hotkeys if key.isdigit())
        values: dict[str, Any] = {
            "study": study,
            "parts": [(part, list(each)) for part, each in groupby(questions, lambda question: question.part)],
            "answers": answers,
            "reasons": reasons,
            "headings": {each.key: f"{each.part}: {each.title}" if each.part else each.title for each in questions},
            "when_asked": when_asked,
            "rules": [rule.as_json() for rule in here.rules],
            "goes_back": study.navigation != "forward-only",
            "digits": f"{digits[0]}-{digits[-1]}" if digits else "",
            "letters": _letters(questions),
            "content_keys": list(
                dict.fromkeys(each for block in study.items.show for each in block.display.shortcuts())
            ),
        }
        return Questions(Markup(self.html("questions.html", **values)), Markup(self.html("dialogs.html", **values)))


def _letters(questions: Sequence[Question]) -> dict[str, Shortcut]:
    """The shortcut letter of each kind of input that has one, by the question it leads to."""
    found: dict[str, Question] = {}
    for question in questions:
        found.setdefault(question.dimension.input.kind, question)
    return {
        question.key: question.dimension.input.shortcut
        for _, question in sorted(found.items())
        if question.dimension.input.shortcut is not None
    }
