"""Guides in parts of about two minutes, with headings to go to; and Markdown that can do no harm."""

from assay.markdown_text import markdown, minutes_to_read, parts_of, titles_of, with_headings

WORDS = "word " * 200


def test_a_short_guide_stays_whole_and_a_long_one_is_divided_at_its_headings() -> None:
    assert parts_of("# One\n\nFew words.\n\n## Two\n\nMore.\n") == ["# One\n\nFew words.\n\n## Two\n\nMore.\n"]
    titles = ("# All", "## First", "## Second", "## Third")
    long = "".join(f"{title}\n\n{WORDS}\n\n" for title in titles) + "## End\n\nShort.\n"
    parts = parts_of(long)
    assert "".join(parts) == long, "nothing is lost"
    assert titles_of(parts) == ["All: First", "Second … End"]
    assert [minutes_to_read(part) for part in parts] == [2, 2]


def test_a_guide_of_many_short_sections_is_divided_too() -> None:
    long = "# All\n\n" + "".join(f"## Number {number}\n\n{WORDS[:600]}\n\n" for number in range(1, 11))
    parts = parts_of(long)
    assert "".join(parts) == long
    assert titles_of(parts) == ["All: Number 1 … Number 5", "Number 6 … Number 10"]
    assert titles_of(["# All\n\n## One\n\n## Two\n"]) == ["All"], "what is whole needs no more"
    assert max(minutes_to_read(part) for part in parts) <= 3


def test_what_looks_like_a_heading_in_code_divides_nothing() -> None:
    text = f"# All\n\n{WORDS * 2}\n\n```\n## no heading\n{WORDS * 2}\n```\n"
    assert parts_of(text) == [text]


def test_headings_can_be_gone_to_and_stand_below_that_of_the_page() -> None:
    markup, headings = with_headings("# The *rubric*\n\ntext\n\n## `Safety` first\n", "guide-0", 1)
    assert [(each.title, each.level, each.place) for each in headings] == [
        ("The rubric", 1, "guide-0-0"),
        ("Safety first", 2, "guide-0-1"),
    ]
    assert '<h2 id="guide-0-0">The <em>rubric</em></h2>' in markup
    assert '<h3 id="guide-0-1">' in markup
    assert markdown("# A\n\n###### B", 3) == "<h4>A</h4>\n<h6>B</h6>\n"


def test_nobody_else_sets_an_id() -> None:
    assert markdown('# A {#x}\n\n<h2 id="evil">b</h2>') == '<h1>A {#x}</h1>\n<p>&lt;h2 id="evil"&gt;b&lt;/h2&gt;</p>\n'
