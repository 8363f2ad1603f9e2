"""What is sent compressed, to whom, and that it is the same."""

import gzip

import pytest
from starlette.testclient import TestClient

from assay.web.static_files import JUDGING_WHOLE
from tests.conftest import Bench
from tests.web.annotator import Annotator

PLAIN = {"Accept-Encoding": "identity"}
GZIP = {"Accept-Encoding": "gzip"}


def raw(client: TestClient, address: str, headers: dict[str, str]) -> tuple[bytes, dict[str, str]]:
    """The bytes as they travel."""
    with client.stream("GET", address, headers=headers) as answer:
        return b"".join(answer.iter_raw()), dict(answer.headers)


@pytest.mark.parametrize("address", ["", f"/static/{JUDGING_WHOLE}", "/static/kinds.css", "/static/judging.css"])
def test_what_is_compressed_is_the_same_and_shorter(sqlite_bench: Bench, address: str) -> None:
    ana = Annotator(sqlite_bench).begin()
    plain, as_it_is = raw(ana.client, address or ana.home, PLAIN)
    compressed, marked = raw(ana.client, address or ana.home, GZIP)
    assert "content-encoding" not in as_it_is
    assert marked["content-encoding"] == "gzip"
    assert int(marked["content-length"]) == len(compressed)
    assert len(compressed) < len(plain) / 2
    assert "Accept-Encoding" in marked["vary"]
    same = gzip.decompress(compressed) == plain
    assert same or not address, "a page says when it was shown"


@pytest.mark.parametrize("accepts", ["", "br", "gzip;q=0", "identity, gzip; q=0"])
def test_who_does_not_take_it_gets_it_as_it_is(sqlite_bench: Bench, accepts: str) -> None:
    _, headers = raw(sqlite_bench.client(), "/static/judging.css", {"Accept-Encoding": accepts})
    assert "content-encoding" not in headers


@pytest.mark.parametrize("name", [JUDGING_WHOLE, "kinds.css", "judging.css"])
def test_a_browser_that_has_it_compressed_is_told_that_it_is_the_newest(sqlite_bench: Bench, name: str) -> None:
    client = sqlite_bench.client()
    _, headers = raw(client, f"/static/{name}", GZIP)
    assert headers["etag"].startswith('W/"')
    again = client.get(f"/static/{name}", headers={**GZIP, "If-None-Match": headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_what_is_short_goes_as_it_is(sqlite_bench: Bench) -> None:
    _, headers = raw(sqlite_bench.client(), "/static/feedback.js", GZIP)
    assert "content-encoding" not in headers
