"""A judge that tosses a coin and always gives the same answer."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, ClassVar

from pydantic import Field

from assay.judges import Ask, Encode, Judge, Prompt, Reply, Surroundings
from assay.judges.plain_lines import plain_body, plain_reply


class CoinJudge(Judge):
    """A coin with a number on it."""

    kind: ClassVar[str] = "coin"
    example: ClassVar[Any] = {"heads": 7}

    heads: int = Field(description="The number.")

    def identity(self, folder: Path) -> dict[str, Any]:
        return {"heads": self.heads}

    def body(self, prompt: Prompt, encode: Encode) -> dict[str, Any]:
        return plain_body(prompt, encode)

    @asynccontextmanager
    async def opened(self, around: Surroundings) -> AsyncIterator[Ask]:
        async def ask(body: dict[str, Any]) -> Reply:
            return plain_reply({"answers": {"warmth": self.heads, "clarity": 2}})

        yield ask
