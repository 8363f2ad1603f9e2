"""Annotators of a long day, over HTTP: they judge, rest, decline, go away in the middle and come back.

How they spend their time is in minutes of the study's clock, which runs faster than ours.
"""

import asyncio
import json
import random
import re
import time
from dataclasses import dataclass
from urllib.parse import urlencode

from tools.bench import Client, enter, hidden, text_of
from tools.processes import Failed

HOME = "/judge/empathy"
SCALES = ("emotion", "validation", "helpfulness", "safety", "overall")
LONGEST_QUIET = 1.0
"""Seconds of ours that a connection stays open without a request: the server closes it after five."""
ITEM_SECONDS = (40, 110)
BREAK_MINUTES = (1, 8)
AWAY_MINUTES = (15, 100)
"""Some of these are longer than an item is kept for somebody."""
LOOKS_AGAIN_MINUTES = 12
"""After being told that it is enough for now."""
DECLINES, DRAFTS, PROBLEMS, RESTS, GOES_AWAY, SIGNS_OUT = 0.02, 0.3, 0.005, 0.005, 0.015, 0.3


@dataclass
class Done:
    """What people did, as the server acknowledged it."""

    submitted: int = 0
    declined: int = 0
    drafts: int = 0
    problems: int = 0
    breaks: int = 0
    limits: int = 0
    """How often somebody was told that it is enough for now."""
    away: int = 0
    too_late: int = 0
    """Answers to an item that was somebody else's by then."""
    entered: int = 0


class Person:
    """Somebody with a link."""

    def __init__(self, client: Client, token: str, speed: float, chance: random.Random, done: Done) -> None:
        self.client, self.token, self.speed, self.chance, self.done = client, token, speed, chance, done

    async def work(self, until: float) -> None:
        """Work until a time of ours."""
        await self._pass(60 * self.chance.uniform(0, 5))
        await self._enter()
        while time.monotonic() < until:
            page = await self._page()
            if action := re.search(rb'action="/judge/empathy/submit/([^"]+)"', page):
                await self._judge(page, action[1].decode())
            elif b'id="go-on"' in page:
                await self._rest(page)
            elif b"data-until=" in page:
                self.done.limits += 1
                await self._pass(60 * LOOKS_AGAIN_MINUTES)
            else:
                raise Failed(f"nothing to do on the page: {text_of(page)}")
        await self.client.close()

    async def _enter(self) -> None:
        await self.client.close()
        await enter(self.client, self.token)
        self.done.entered += 1

    async def _pass(self, seconds: float) -> None:
        """Let so many seconds of the study's clock go by, without a connection where they are many."""
        if seconds / self.speed > LONGEST_QUIET:
            await self._hang_up()
        await asyncio.sleep(seconds / self.speed)

    async def _hang_up(self) -> None:
        await self.client.close()
        self.client.writer = None

    async def _ask(self, method: str, path: str, form: dict[str, str] | None = None) -> tuple[int, bytes]:
        if self.client.writer is None:
            await self.client.open()
        accept = "text/html" if form is None else "application/json"
        status, _, body = await self.client.ask(method, path, urlencode(form or {}).encode(), accept)
        return status, body

    async def _send(self, path: str, form: dict[str, str]) -> bytes:
        status, body = await self._ask("POST", f"{HOME}/{path}", form)
        if status != 200:
            raise Failed(f"{path}: {status} {text_of(body)}")
        return body

    async def _page(self) -> bytes:
        status, page = await self._ask("GET", HOME)
        if status != 200:
            raise Failed(f"a page: {status} {text_of(page)}")
        return page

    async def _judge(self, page: bytes, item: str) -> None:
        chance, csrf = self.chance, {"csrf": hidden(page, "csrf")}
        form = {**csrf, "study": hidden(page, "study"), "draft": hidden(page, "draft")}
        seconds = chance.uniform(*ITEM_SECONDS)
        await self._pass(seconds / 2)
        if chance.random() < DECLINES:
            await self._send(f"submit/{item}", {**form, "decline": "yes"})
            self.done.declined += 1
            return
        form |= {scale: str(chance.randint(2, 4)) for scale in SCALES}
        if chance.random() < DRAFTS:
            form["draft"] = str(json.loads(await self._send(f"draft/{item}", form))["draft"])
            self.done.drafts += 1
        if chance.random() < PROBLEMS:
            report = f"{chance.randrange(36**8):08x}"
            await self._send(f"problem/{item}", {**csrf, "report": report, "words": "A sentence is cut off."})
            self.done.problems += 1
        await self._pass(seconds / 2)
        if was_away := chance.random() < GOES_AWAY:
            csrf = await self._go_away(csrf)
        await self._submit(item, {**form, **csrf, "active_ms": str(round(1000 * seconds))}, was_away)
        if chance.random() < RESTS:
            await self._send("break", csrf)

    async def _submit(self, item: str, form: dict[str, str], was_away: bool) -> None:
        status, body = await self._ask("POST", f"{HOME}/submit/{item}", form)
        if status == 200:
            self.done.submitted += 1
        elif status == 409 and was_away:
            self.done.too_late += 1
        else:
            raise Failed(f"a submission: {status} {text_of(body)}")

    async def _go_away(self, csrf: dict[str, str]) -> dict[str, str]:
        """Close the window in the middle of an item, and come back to it; some sign out, and use their link again."""
        self.done.away += 1
        signs_out = self.chance.random() < SIGNS_OUT
        if signs_out:
            await self._ask("POST", f"{HOME}/sign-out", csrf)
        await self._hang_up()
        await self._pass(60 * self.chance.uniform(*AWAY_MINUTES))
        if not signs_out:
            return csrf
        await self._enter()
        return {"csrf": hidden(await self._page(), "csrf")}

    async def _rest(self, page: bytes) -> None:
        self.done.breaks += 1
        await self._pass(60 * self.chance.uniform(*BREAK_MINUTES))
        await self._send("break", {"csrf": hidden(page, "csrf"), "ends": "yes"})
