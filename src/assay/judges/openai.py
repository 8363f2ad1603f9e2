"""Any server that speaks the chat completions interface, at its address."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, ClassVar, Literal

from pydantic import Field

from assay.judges import Ask, Encode, Judge, JudgeFailure, Prompt, PromptPicture, Reply, Surroundings, key_from
from assay.judges.over_http import Address, Variable, http_client, post, whole_number


class OpenaiJudge(Judge):
    """Any server that speaks the chat completions interface: OpenAI's, or vLLM, Ollama, llama.cpp and many others.

    A run with `seed` adds the number of the repeat to it, so that repeats differ. What `more` holds is sent as it is.
    """

    kind: ClassVar[str] = "openai"
    where: ClassVar[tuple[str, ...]] = ("address", "key")
    example: ClassVar[Any] = {
        "address": "https://api.openai.com/v1",
        "model": "gpt-4.1-mini",
        "key": "OPENAI_API_KEY",
        "temperature": 0.0,
        "seed": 7,
        "max_tokens": 1000,
        "structured": "schema",
        "sees": True,
        "more": {"user": "assay"},
        "version": "2",
    }

    address: Address = Field(description="Where the server is, up to what stands before `/chat/completions`.")
    model: str = Field(min_length=1, description="The model, as the server calls it.")
    key: Variable = Field(
        default="", description="The environment variable with the key. Left out: the server needs none."
    )
    temperature: float | None = Field(default=None, ge=0, le=2, description="Left out: the server's own.")
    seed: int | None = Field(default=None, description="Left out: none is sent.")
    max_tokens: int | None = Field(default=None, ge=1, description="The longest answer. Left out: the server's own.")
    structured: Literal["schema", "json", "none"] = Field(
        default="schema",
        description="How the form of the answer is asked for: by its JSON Schema, as JSON, or by the prompt alone, for "
        "servers that know neither. The answer is checked in any case.",
    )
    sees: bool = Field(default=True, description="Whether the model can see pictures.")
    more: dict[str, Any] = Field(default={}, description="More keys of the request, such as `reasoning_effort`.")
    version: str | None = Field(
        default=None,
        description="Change it when another model answers under the same name: it is asked again then. It is not sent.",
    )

    @property
    def can_see(self) -> bool:
        return self.sees

    def identity(self, folder: Path) -> dict[str, Any]:
        # Without a version requests are known as they were before there was one: nothing is paid for twice.
        return {"address": self.address, **({} if self.version is None else {"version": self.version})}

    def body(self, prompt: Prompt, encode: Encode) -> dict[str, Any]:
        messages: list[dict[str, Any]] = [{"role": "system", "content": prompt.system}] if prompt.system else []
        content = [_part(each, encode) for each in prompt.parts]
        messages.append({"role": "user", "content": content if prompt.pictures else prompt.text})
        for each in prompt.earlier:
            messages += [{"role": "assistant", "content": each.said}, {"role": "user", "content": each.asked}]
        named = {"name": "answers", "strict": True, "schema": prompt.schema}
        forms = {"schema": {"type": "json_schema", "json_schema": named}, "json": {"type": "json_object"}}
        sent = {
            "model": self.model,
            "messages": messages,
            "response_format": forms.get(self.structured),
            "temperature": self.temperature,
            "seed": None if self.seed is None else self.seed + prompt.repeat - 1,
            "max_tokens": self.max_tokens,
        }
        return {**{name: value for name, value in sent.items() if value is not None}, **self.more}

    @asynccontextmanager
    async def opened(self, around: Surroundings) -> AsyncIterator[Ask]:
        key = key_from(around.environment, self.key)
        async with http_client({"Authorization": f"Bearer {key}"} if key else {}) as client:

            async def ask(body: dict[str, Any]) -> Reply:
                return reply(await post(client, f"{self.address}/chat/completions", body, around.seconds))

            yield ask

    def secrets(self, environment: Mapping[str, str]) -> tuple[str, ...]:
        return tuple(filter(None, (key_from(environment, self.key),)))


def _part(part: str | PromptPicture, encode: Encode) -> dict[str, Any]:
    if isinstance(part, str):
        return {"type": "text", "text": part}
    return {"type": "image_url", "image_url": {"url": f"data:{part.media_type};base64,{encode(part)}"}}


def reply(whole: Any) -> Reply:
    """What a server's answer says. Raises JudgeFailure where it is none of the interface."""
    try:
        choice = whole["choices"][0]
        message = choice["message"]
        content, refusal = message.get("content"), message.get("refusal")
    except (AttributeError, IndexError, KeyError, TypeError):
        raise JudgeFailure(f"the answer is none of chat completions: {str(whole)[:200]}", again=True) from None
    if isinstance(content, list):
        content = "".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
    usage = whole.get("usage") if isinstance(whole.get("usage"), dict) else {}
    fault = str(refusal) if refusal else FAULTS.get(str(choice.get("finish_reason")), "")
    tokens_in, tokens_out = (whole_number(usage.get(name)) for name in ("prompt_tokens", "completion_tokens"))
    return Reply(str(content or refusal or ""), whole, str(whole.get("model") or ""), tokens_in, tokens_out, fault)


FAULTS = {"length": "the answer was cut off", "content_filter": "the answer was withheld by a filter"}
