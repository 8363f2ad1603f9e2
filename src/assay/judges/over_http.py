"""What judges behind an address share: a request over HTTP, and what its failures mean."""

import asyncio
import json
import re
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import AfterValidator

from assay.judges import JudgeFailure
from assay.mistakes import mistake, quote

if TYPE_CHECKING:
    import httpx2

AGAIN = frozenset({408, 409, 425, 429})
"""The statuses, besides all from 500, after which a request is retried."""
STOP = frozenset({401, 402, 403, 404, 405})
"""The statuses after which no other request would fare better."""
MOST_QUOTED = 300
LONGEST_ANSWER = 20_000_000
MOST_TOKENS = 10**9
"""No request takes more of them; a number beyond says nothing."""


def _is_address(text: str) -> str:
    if not re.match(r"https?://[^\s/]", text) or any(each.isspace() for each in text):
        raise mistake(f"{quote(text)} is no address", "write it whole, with https://")
    if "@" in text.split("/")[2]:
        raise mistake(
            "the address holds a name or a password", "put the key into an environment variable: `key` names it"
        )
    return text.rstrip("/")


def _is_variable(text: str) -> str:
    if text and not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", text):
        raise mistake(
            "this is not the name of an environment variable", "write its name, such as OPENAI_API_KEY, never the key"
        )
    return text


Address = Annotated[str, AfterValidator(_is_address)]
"""Where a server is."""
Variable = Annotated[str, AfterValidator(_is_variable)]
"""The name of the environment variable that holds a key."""


@asynccontextmanager
async def http_client(headers: Mapping[str, str]) -> AsyncIterator["httpx2.AsyncClient"]:
    """A client for one judge. It follows no redirection: a key goes to the address that was named, and nowhere else."""
    import httpx2

    async with httpx2.AsyncClient(
        headers=dict(headers), timeout=None, limits=httpx2.Limits(max_connections=None)
    ) as client:
        yield client


async def post(client: "httpx2.AsyncClient", address: str, body: Mapping[str, Any], seconds: float) -> Any:
    """Send a request, and read the JSON that it is answered with. Raises JudgeFailure."""
    import httpx2

    try:
        async with asyncio.timeout(seconds):
            sent = client.stream("POST", address, content=as_line(body), headers=JSON)
            async with sent as answer:
                content = await _content(answer)
    except TimeoutError:
        raise JudgeFailure(f"no answer within {seconds:g} seconds", again=True) from None
    except (httpx2.TransportError, httpx2.DecodingError) as error:
        raise JudgeFailure(f"the connection failed ({type(error).__name__}: {error})", again=True) from None
    except httpx2.InvalidURL as error:
        raise JudgeFailure(f"{address} is no address: {error}", stop=True) from None
    said = " ".join(content[: 4 * MOST_QUOTED].decode("utf-8", "replace")[:MOST_QUOTED].split())
    if not answer.is_success:
        again = answer.status_code in AGAIN or answer.status_code >= 500
        what = f"{answer.status_code} {answer.reason_phrase}: {said}"
        stop = answer.status_code in STOP or answer.is_redirect
        raise JudgeFailure(what, again=again, after=seconds_to_wait(answer.headers), stop=stop)
    try:
        return json.loads(content)
    except (ValueError, RecursionError):
        raise JudgeFailure(f"the answer is no JSON: {said}", again=True) from None


async def _content(answer: "httpx2.Response") -> bytes:
    """The body of an answer, up to a limit: one that does not end would fill the memory."""
    found = bytearray()
    async for some in answer.aiter_bytes():
        found += some
        if len(found) > LONGEST_ANSWER:
            raise JudgeFailure(f"the answer is longer than {LONGEST_ANSWER:,} bytes")
    return bytes(found)


def as_line(body: Mapping[str, Any]) -> bytes:
    """A request as UTF-8 JSON. A lone surrogate, which an earlier answer may have had in it, is replaced."""
    return json.dumps(body, ensure_ascii=False).encode("utf-8", "replace")


JSON = {"Content-Type": "application/json", "Accept": "application/json"}


def seconds_to_wait(headers: Mapping[str, str]) -> float | None:
    """What `Retry-After` says, in seconds; None where it says nothing that can be read.

    >>> seconds_to_wait({"retry-after": "2.5"}), seconds_to_wait({"retry-after": "soon"}), seconds_to_wait({})
    (2.5, None, None)
    """
    said = headers.get("retry-after", "").strip()
    try:
        return max(0.0, float(said))
    except ValueError:
        pass
    try:
        return max(0.0, parsedate_to_datetime(said).timestamp() - time.time())
    except (ValueError, TypeError, OverflowError):
        return None


def whole_number(value: Any) -> int:
    """A number of tokens as an answer says it; 0 where it says none."""
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 < value <= MOST_TOKENS else 0
