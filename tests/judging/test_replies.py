"""Whatever a server, a program or a function answers: it is an answer, or it is said why it is none."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.judges import JudgeFailure, Reply, anthropic, openai
from assay.judges.plain_lines import plain_reply
from tests.examples import examples

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
KEYS = ("choices", "message", "content", "refusal", "finish_reason", "usage", "model", "prompt_tokens", "type", "text")
KEYS += ("input", "input_tokens", "stop_reason", "answers", "tokens", "in", "out", "error", "again")
ALIKE = st.recursive(
    JSON,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=5),
    max_leaves=12,
)
MESSAGE = st.fixed_dictionaries({"content": ALIKE, "refusal": JSON})
CHOICE = st.fixed_dictionaries({"message": MESSAGE, "finish_reason": JSON})
NEARLY = st.fixed_dictionaries(
    {"choices": st.lists(CHOICE, max_size=1), "content": ALIKE, "usage": ALIKE, "model": JSON}
)


@pytest.mark.parametrize("read", [openai.reply, anthropic.reply, plain_reply], ids=["openai", "anthropic", "plain"])
def test_anything_is_an_answer_or_none(read: Any) -> None:
    @settings(max_examples=examples(400), deadline=None)
    @given(ALIKE | NEARLY)
    def check(whole: Any) -> None:
        try:
            found = read(whole)
        except JudgeFailure:
            return
        assert isinstance(found, Reply)
        assert isinstance(found.text, str)
        assert isinstance(found.model, str)
        assert isinstance(found.fault, str)
        assert found.tokens_in >= 0
        assert found.tokens_out >= 0
        json.dumps(found.text)

    check()


def test_an_answer_of_each_interface_is_read() -> None:
    said = {"choices": [{"message": {"content": "{}"}}], "model": "m", "usage": {"prompt_tokens": 3}}
    assert (openai.reply(said).text, openai.reply(said).tokens_in) == ("{}", 3)
    assert openai.reply({"choices": [{"message": {"content": [{"text": "a"}, {"text": 3}]}}]}).text == "a3"
    used = {"content": [{"type": "tool_use", "input": {"a": 1}}], "usage": {"input_tokens": 2, "output_tokens": 1}}
    assert (anthropic.reply(used).text, anthropic.reply(used).tokens_in) == ('{"a": 1}', 2)
    assert plain_reply({"answers": {"a": 1}, "tokens": {"in": 2, "out": 3}}).tokens_out == 3
    assert anthropic.reply({"content": [], "stop_reason": "refusal"}).fault
