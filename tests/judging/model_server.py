"""A real server on this machine that speaks the interfaces of judges, with the faults that such servers have."""

import hashlib
import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Json = dict[str, Any]
Fault = Callable[[int, Json], str]
"""What goes wrong with the request of this number: nothing, or one of the words that `_Handler` knows."""


def answer_to(schema: Json, text: str, *, again: bool) -> Json:
    """An answer in the form that was asked for: by lot of what was asked; when asked again, in the middle of things."""

    def one(name: str, asked: Json) -> Any:
        if "anyOf" in asked:
            return None
        if "enum" in asked:
            values = [each for each in asked["enum"] if each not in (None, "unable")]
            drawn = int.from_bytes(hashlib.sha256(f"{name}{text}".encode()).digest()[:4], "big")
            return values[len(values) // 2 if again else drawn % len(values)]
        if asked["type"] == "array":
            return []
        return "Because of what it says."

    return {name: one(name, asked) for name, asked in schema["properties"].items()}


@dataclass
class ModelServer:
    """What it was asked, and what it does about it."""

    fault: Fault = lambda number, body: ""
    answer: Callable[[Json, str, bool], Json] = lambda schema, text, again: answer_to(schema, text, again=again)
    model: Callable[[int], str] = lambda number: "model-1"
    raw: bytes = b""
    """What is sent in the place of every answer."""
    endless: bool = False
    """Whether an answer never ends."""
    pause: float = 0.0
    """Seconds before each answer."""
    usage: int = 0
    """How many tokens each answer says that it took; 0: as many as its texts are long."""
    bodies: list[bytes] = field(default_factory=list)
    """Every request, byte by byte, in the order in which they came."""
    times: list[float] = field(default_factory=list)
    """When each of them came, by the monotonic clock."""
    headers: list[dict[str, str]] = field(default_factory=list)
    most_at_once: int = 0
    under_way: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)
    port: int = 0

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def requests(self) -> list[Json]:
        return [json.loads(body) for body in self.bodies]


def asked_in(body: Json) -> tuple[Json, str, bool]:
    """The schema, the text and whether it is asked again, in any of the three interfaces."""
    if "tools" in body:
        content = body["messages"][0]["content"]
        text = "".join(part.get("text", "") for part in content)
        return body["tools"][0]["input_schema"], text, len(body["messages"]) > 1
    if "messages" in body:
        user = [each["content"] for each in body["messages"] if each["role"] == "user"]
        text = user[0] if isinstance(user[0], str) else "".join(part.get("text", "") for part in user[0])
        return body["response_format"]["json_schema"]["schema"], text, len(user) > 1
    return body["schema"], body["text"], bool(body["earlier"])


def whole_answer(body: Json, said: str, model: str) -> Json:
    """What a server sends back, with what was said in it."""
    sent, received = len(json.dumps(body)) // 4, len(said) // 4 + 1
    if "tools" in body:
        content = [{"type": "tool_use", "id": "x", "name": "answer", "input": json.loads(said)}]
        return {"model": model, "content": content, "usage": {"input_tokens": sent, "output_tokens": received}}
    if "messages" in body:
        choice = {"message": {"role": "assistant", "content": said}, "finish_reason": "stop"}
        usage = {"prompt_tokens": sent, "completion_tokens": received}
        return {"model": model, "choices": [choice], "usage": usage}
    return {"answers": json.loads(said), "model": model, "tokens": {"in": sent, "out": received}}


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    served: ModelServer

    def log_message(self, format: str, *args: Any) -> None:
        pass

    def do_POST(self) -> None:
        served = self.served
        content = self.rfile.read(int(self.headers["Content-Length"]))
        if len(content) < int(self.headers["Content-Length"]):
            return  # whoever asked died in the middle of it
        with served.lock:
            number = len(served.bodies)
            served.bodies.append(content)
            served.times.append(time.monotonic())
            served.headers.append({name.lower(): value for name, value in self.headers.items()})
            served.under_way += 1
            served.most_at_once = max(served.most_at_once, served.under_way)
        try:
            time.sleep(served.pause)
            self._answer(number, json.loads(content))
        except (BrokenPipeError, ConnectionResetError):
            pass
        finally:
            with served.lock:
                served.under_way -= 1

    def _answer(self, number: int, body: Json) -> None:
        if self.served.raw:
            self._send(200, self.served.raw)
            return
        if self.served.endless:
            self.send_response(200)
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            while True:
                self.wfile.write(b"100000\r\n" + b" " * 0x100000 + b"\r\n")
        fault = self.served.fault(number, body)
        said = json.dumps(self.served.answer(*asked_in(body)))
        whole = whole_answer(body, said, self.served.model(number))
        if self.served.usage:
            whole["usage"] = {"prompt_tokens": self.served.usage - 1, "completion_tokens": 1}
        sent = json.dumps(whole).encode()
        match fault:
            case "429":
                self._send(429, b'{"error": "slow down"}', {"Retry-After": "0.05"})
            case "429 without a word":
                self._send(429, b'{"error": "slow down"}')
            case "500" | "503":
                self._send(int(fault), b"the server is on fire")
            case "401":
                self._send(401, f'{{"error": "wrong key {self.headers.get("Authorization")}"}}'.encode())
            case "400":
                self._send(400, b'{"error": "too long"}')
            case "429 for long":
                self._send(429, b'{"error": "slow down"}', {"Retry-After": "500"})
            case "no usage":
                self._send(200, json.dumps({**whole, "usage": None}).encode())
            case "half":
                self._send(200, sent, half=True)
            case "no JSON":
                self._send(200, b"<html>the gateway says hello</html>")
            case "another interface":
                self._send(200, b'{"hello": "there"}')
            case "hang up":
                self.close_connection = True
            case "slow":
                time.sleep(2)
                self._send(200, sent)
            case "drip":
                self._begin(200, sent)
                for byte in sent[:40]:
                    self.wfile.write(bytes([byte]))
                    time.sleep(0.05)
                self.close_connection = True
            case "prose":
                self._send(200, json.dumps(whole_answer(body, json.dumps("I think it is fine."), "model-1")).encode())
            case "refusal":
                message = {"role": "assistant", "content": None, "refusal": "I cannot help with that."}
                choice = {"message": message, "finish_reason": "stop"}
                self._send(200, json.dumps({**whole, "choices": [choice]}).encode())
            case "cut off":
                choice = {"message": {"role": "assistant", "content": said[:9]}, "finish_reason": "length"}
                self._send(200, json.dumps({**whole, "choices": [choice]}).encode())
            case _:
                assert not fault, fault
                self._send(200, sent)

    def _send(self, status: int, content: bytes, headers: dict[str, str] | None = None, half: bool = False) -> None:
        self._begin(status, content, headers)
        self.wfile.write(content[: len(content) // 2] if half else content)
        self.close_connection = half

    def _begin(self, status: int, content: bytes, headers: dict[str, str] | None = None) -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(content)))
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.end_headers()


class _Listener(ThreadingHTTPServer):
    request_queue_size = 200
    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Whoever asked is gone: a run that was killed."""


@contextmanager
def model_server(**settings: Any) -> Iterator[ModelServer]:
    """A server for as long as the block lasts."""
    served = ModelServer(**settings)
    handler = type("_Bound", (_Handler,), {"served": served})
    with _Listener(("127.0.0.1", 0), handler) as listener:
        served.port = listener.server_address[1]
        thread = threading.Thread(target=listener.serve_forever, args=(0.05,), daemon=True)
        thread.start()
        try:
            yield served
        finally:
            listener.shutdown()
            thread.join()
