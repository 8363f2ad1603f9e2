"""A server of one's own that takes and gives plain JSON."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, ClassVar

from pydantic import Field

from assay.judges import Ask, Encode, Judge, Prompt, Reply, Surroundings, key_from
from assay.judges.over_http import Address, Variable, http_client, post
from assay.judges.plain_lines import plain_body, plain_reply


class HttpJudge(Judge):
    """A server of one's own: each request is a POST with plain JSON, and so is its answer.

    It gets `system`, `text`, `pictures`, `schema`, `earlier` and `repeat`, and answers with `answers` (by key) or
    `text`, and if it likes `model` and `tokens: {in, out}`.
    """

    kind: ClassVar[str] = "http"
    where: ClassVar[tuple[str, ...]] = ("address", "key")
    example: ClassVar[Any] = {"address": "http://localhost:9000/judge", "key": "JUDGE_KEY", "version": "2"}

    address: Address = Field(description="Where requests are sent.")
    key: Variable = Field(
        default="", description="The environment variable with a key, which is sent as `Authorization: Bearer`."
    )
    version: str = Field(default="", description="Change it when the server has changed: it is asked again then.")

    def identity(self, folder: Path) -> dict[str, Any]:
        return {"address": self.address, "version": self.version}

    def body(self, prompt: Prompt, encode: Encode) -> dict[str, Any]:
        return plain_body(prompt, encode)

    @asynccontextmanager
    async def opened(self, around: Surroundings) -> AsyncIterator[Ask]:
        key = key_from(around.environment, self.key)
        async with http_client({"Authorization": f"Bearer {key}"} if key else {}) as client:

            async def ask(body: dict[str, Any]) -> Reply:
                return plain_reply(await post(client, self.address, body, around.seconds))

            yield ask

    def secrets(self, environment: Mapping[str, str]) -> tuple[str, ...]:
        return tuple(filter(None, (key_from(environment, self.key),)))
