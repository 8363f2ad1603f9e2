"""Anthropic's messages interface."""

import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, ClassVar

from pydantic import Field

from assay.judges import Ask, Encode, Judge, JudgeFailure, Prompt, PromptPicture, Reply, Surroundings, key_from
from assay.judges.over_http import Address, Variable, http_client, post, whole_number

VERSION = "2023-06-01"
TOOL = "answer"


class AnthropicJudge(Judge):
    """Anthropic's messages interface. The answers come as what a tool is called with, whose form is the schema.

    It knows no seed: repeats differ by themselves where the temperature is above 0.
    """

    kind: ClassVar[str] = "anthropic"
    where: ClassVar[tuple[str, ...]] = ("address", "key")
    example: ClassVar[Any] = {
        "model": "claude-sonnet-4-5",
        "key": "ANTHROPIC_API_KEY",
        "address": "https://api.anthropic.com",
        "temperature": 0.0,
        "max_tokens": 2000,
        "more": {"metadata": {"user_id": "assay"}},
        "version": "2",
    }

    model: str = Field(min_length=1, description="The model, as the service calls it.")
    key: Variable = Field(default="ANTHROPIC_API_KEY", description="The environment variable with the key.")
    address: Address = Field(
        default="https://api.anthropic.com", description="Where the server is, up to what stands before `/v1/messages`."
    )
    temperature: float | None = Field(default=None, ge=0, le=1, description="Left out: the service's own.")
    max_tokens: int = Field(default=2000, ge=1, description="The longest answer.")
    more: dict[str, Any] = Field(default={}, description="More keys of the request.")
    version: str | None = Field(
        default=None,
        description="Change it when another model answers under the same name: it is asked again then. It is not sent.",
    )

    def identity(self, folder: Path) -> dict[str, Any]:
        # Without a version requests are known as they were before there was one: nothing is paid for twice.
        own = {} if self.version is None else {"judge": self.version}
        return {"address": self.address, "version": VERSION, **own}

    def body(self, prompt: Prompt, encode: Encode) -> dict[str, Any]:
        messages: list[dict[str, Any]] = [
            {"role": "user", "content": [_part(each, encode) for each in prompt.parts]},
        ]
        for each in prompt.earlier:
            said = each.said.strip() or "(nothing)"  # an empty message is refused
            messages += [{"role": "assistant", "content": said}, {"role": "user", "content": each.asked}]
        sent = {
            "model": self.model,
            "max_tokens": self.max_tokens,
            "system": prompt.system or None,
            "messages": messages,
            "temperature": self.temperature,
            "tools": [{"name": TOOL, "description": "Give the answers.", "input_schema": prompt.schema}],
            "tool_choice": {"type": "tool", "name": TOOL},
        }
        return {**{name: value for name, value in sent.items() if value is not None}, **self.more}

    @asynccontextmanager
    async def opened(self, around: Surroundings) -> AsyncIterator[Ask]:
        key = key_from(around.environment, self.key)
        async with http_client({"x-api-key": key, "anthropic-version": VERSION}) as client:

            async def ask(body: dict[str, Any]) -> Reply:
                return reply(await post(client, f"{self.address}/v1/messages", body, around.seconds))

            yield ask

    def secrets(self, environment: Mapping[str, str]) -> tuple[str, ...]:
        return tuple(filter(None, (key_from(environment, self.key),)))


def _part(part: str | PromptPicture, encode: Encode) -> dict[str, Any]:
    if isinstance(part, str):
        return {"type": "text", "text": part}
    source = {"type": "base64", "media_type": part.media_type, "data": encode(part)}
    return {"type": "image", "source": source}


def reply(whole: Any) -> Reply:
    """What the service's answer says. Raises JudgeFailure where it is none of the interface."""
    try:
        blocks = [each for each in whole["content"] if isinstance(each, dict)]
        usage = whole.get("usage") or {}
        read = sum(whole_number(usage.get(name)) for name in READ)
    except (AttributeError, KeyError, TypeError):
        raise JudgeFailure(f"the answer is none of the messages interface: {str(whole)[:200]}", again=True) from None
    called = [each.get("input") for each in blocks if each.get("type") == "tool_use"]
    texts = "".join(str(each.get("text", "")) for each in blocks if each.get("type") == "text")
    said = json.dumps(called[0], ensure_ascii=False) if called else texts
    fault = FAULTS.get(str(whole.get("stop_reason")), "")
    return Reply(said, whole, str(whole.get("model") or ""), read, whole_number(usage.get("output_tokens")), fault)


READ = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
FAULTS = {"max_tokens": "the answer was cut off", "refusal": "the model refused to answer"}
