"""A browser without scripts that calls the application in its own thread: a request of a test costs half as much."""

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any
from urllib.parse import unquote

import httpx2 as httpx
from starlette.testclient import TestClient


class StraightClient(TestClient):
    """Starlette's takes a dozen turns between two threads for a request, and often begins a thread for it.

    What the application goes on with after its answer is done when the request is.
    """

    def __init__(
        self,
        app: Any,
        base_url: str = "http://testserver",
        raise_server_exceptions: bool = True,
        client: tuple[str, int] = ("testclient", 50000),
        headers: dict[str, str] | None = None,
        cookies: httpx.Cookies | None = None,
    ) -> None:
        super().__init__(app, base_url=base_url, headers=headers, cookies=cookies)
        self._transport = _InThisThread(self.app, client, raise_server_exceptions)


class _InThisThread(httpx.BaseTransport):
    def __init__(self, app: Any, client: tuple[str, int], raises: bool) -> None:
        self.app = app
        self.client = client
        self.raises = raises

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        answer = _Answer(request.read())
        try:
            _run(self._ask(_scope(request, self.client), answer))
        except Exception:
            if self.raises:
                raise
        body = b"" if request.method == "HEAD" else b"".join(answer.parts)
        stream = httpx.ByteStream(body)
        return httpx.Response(answer.status, headers=answer.headers, stream=stream, request=request)

    async def _ask(self, scope: dict[str, Any], answer: "_Answer") -> None:
        await self.app(scope, answer.receive, answer.send)
        if others := asyncio.all_tasks() - {asyncio.current_task()}:
            await asyncio.wait(others)


class _Answer:
    """What the application is given of a request's body, and what it sends."""

    def __init__(self, body: bytes) -> None:
        self.body: bytes | None = body
        self.status = 500
        self.headers: list[tuple[bytes, bytes]] = []
        self.parts: list[bytes] = []
        self.whole = asyncio.Event()

    async def receive(self) -> dict[str, Any]:
        body, self.body = self.body, None
        if body is not None:
            return {"type": "http.request", "body": body}
        await self.whole.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: Any) -> None:
        if message["type"] == "http.response.start":
            self.status, self.headers = message["status"], list(message.get("headers", []))
        elif message["type"] == "http.response.body":
            self.parts.append(bytes(message.get("body", b"")))
            if not message.get("more_body"):
                self.whole.set()


def _scope(request: httpx.Request, client: tuple[str, int]) -> dict[str, Any]:
    url = request.url
    return {
        "type": "http",
        "http_version": "1.1",
        "method": request.method,
        "path": unquote(url.path),
        "raw_path": url.raw_path.split(b"?", 1)[0],
        "root_path": "",
        "scheme": url.scheme,
        "query_string": url.query,
        "headers": [(name.lower(), value) for name, value in request.headers.raw],
        "client": client,
        "server": [url.host, url.port or {"http": 80, "https": 443}[url.scheme]],
        "state": {},
    }


@cache
def _loop() -> asyncio.AbstractEventLoop:
    return asyncio.new_event_loop()


@cache
def _beside() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(1)


def _run(asking: Any) -> None:
    if threading.current_thread() is not threading.main_thread():
        asyncio.run(asking)
    elif _has_loop():
        # Once a test has had a browser, its loop is in this thread to the end.
        _beside().submit(_loop().run_until_complete, asking).result()
    else:
        _loop().run_until_complete(asking)


def _has_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True
