"""How often strangers may ask: new enrolments, wrong links, wrong tokens, and the API's long computations.

Whoever works under a session, or has a good link or token, is not held up by what others try at the same address.
Counts are kept in this process alone, by the address that somebody comes from; behind a proxy that is the forwarded one
if the proxy is trusted, and otherwise the proxy's own. No address is written anywhere.
"""

from collections import OrderedDict
from dataclasses import dataclass, field
from ipaddress import IPv6Address, ip_address

from starlette.requests import Request

from assay.errors import TooMany

MINUTE = 60_000
MOST_KEPT = 20_000
"""The most addresses that are remembered; the least recently seen is forgotten first."""


@dataclass
class Limit:
    """A rate limit for each address, as a token bucket: `per_minute` requests at once, refilled at that rate."""

    per_minute: int
    _used: OrderedDict[str, tuple[float, int]] = field(default_factory=OrderedDict)
    """For each address how much of its limit was used, and when that was computed."""

    def amount_used(self, address: str, now: int) -> float:
        """How much of its limit an address has used up at this moment."""
        before, at = self._used.get(address, (0.0, now))
        return max(0.0, before - max(0, now - at) * self.per_minute / MINUTE)

    def take(self, address: str, now: int) -> None:
        """Count one request; raises TooMany where an address has used up its limit."""
        over = self.amount_used(address, now) + 1 - self.per_minute
        if over > 0:
            raise TooMany(max(1, -(-int(over * MINUTE / self.per_minute) // 1000)))
        self._used[address] = self.amount_used(address, now) + 1, now
        self._used.move_to_end(address)
        while len(self._used) > MOST_KEPT:
            self._used.popitem(last=False)


@dataclass
class RateLimits:
    """The limits of one server. A hundred people behind one address can begin within a minute."""

    enrolments: Limit = field(default_factory=lambda: Limit(120))
    wrong_links: Limit = field(default_factory=lambda: Limit(60))
    wrong_tokens: Limit = field(default_factory=lambda: Limit(60))
    heavy_calls: Limit = field(default_factory=lambda: Limit(60))
    """By token, since that says who asks."""


def address_of(request: Request) -> str:
    """Where a request comes from; of IPv6 the network, since one machine has very many addresses there."""
    host = request.client.host if request.client is not None else ""
    try:
        found = ip_address(host)
    except ValueError:
        return host
    return ":".join(found.exploded.split(":")[:4]) if isinstance(found, IPv6Address) else host
