"""How programs, functions and servers of one's own are asked and answer: the same plain JSON for all three."""

import json
from typing import Any

from assay.judges import Encode, JudgeFailure, Prompt, Reply
from assay.judges.over_http import MOST_QUOTED, whole_number


def plain_body(prompt: Prompt, encode: Encode) -> dict[str, Any]:
    """A prompt as plain JSON."""
    return {
        "system": prompt.system,
        "text": prompt.text,
        "pictures": [{"media_type": each.media_type, "base64": encode(each)} for each in prompt.pictures],
        "schema": prompt.schema,
        "earlier": [{"said": each.said, "asked": each.asked} for each in prompt.earlier],
        "repeat": prompt.repeat,
    }


def plain_reply(whole: Any) -> Reply:
    """The answer in plain JSON: `answers` by key or a `text`; and, if it likes, `model` and `tokens`.

    Raises JudgeFailure where it says `error`, or nothing that can be understood.
    """
    if not isinstance(whole, dict):
        quoted = json.dumps(whole, ensure_ascii=False, default=str)[:MOST_QUOTED]
        raise JudgeFailure(f"an object with `answers` or `text` is expected, not {quoted}")
    if error := whole.get("error"):
        raise JudgeFailure(str(error)[:MOST_QUOTED], again=bool(whole.get("again")))
    if not ("answers" in whole or isinstance(whole.get("text"), str)):
        raise JudgeFailure(
            f"the answer has neither `answers` nor `text`, but {', '.join(map(str, whole)) or 'nothing'}"
        )
    counted = whole.get("tokens")
    tokens = counted if isinstance(counted, dict) else {}
    text = json.dumps(whole["answers"], ensure_ascii=False) if "answers" in whole else whole["text"]
    tokens_in, tokens_out = (whole_number(tokens.get(name)) for name in ("in", "out"))
    return Reply(text, whole, str(whole.get("model") or ""), tokens_in, tokens_out)
