"""Templates are compiled once for all processes, and never shown as they were before a change."""

import os
import sys
from pathlib import Path

import pytest

from assay.compiled_templates import TemplateCache
from assay.render import Renderer


@pytest.fixture(autouse=True)
def as_on_a_persons_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)


def new_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(TemplateCache, "kept", {})


def no_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a template was compiled")

    monkeypatch.setattr("jinja2.Environment.compile", refuse)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder whose only template was filled in by another process."""
    (tmp_path / "page.html").write_text("<p>{{ text }}</p>", "utf-8")
    assert Renderer(tmp_path).html("page.html", text="&") == "<p>&amp;</p>"
    new_process(monkeypatch)
    return tmp_path


def kept(folder: Path) -> Path:
    [found] = (folder / "__pycache__").iterdir()
    return found


def test_another_process_does_not_compile_a_template_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    no_compiler(monkeypatch)
    assert Renderer(folder).html("page.html", text="&") == "<p>&amp;</p>"


def test_a_template_is_the_same_by_its_name_and_by_its_path(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    no_compiler(monkeypatch)
    assert Renderer(Path()).html(str(folder / "page.html"), text="&") == "<p>&amp;</p>"


def test_a_template_that_was_changed_is_compiled_again(folder: Path) -> None:
    before = kept(folder).read_bytes()
    (folder / "page.html").write_text("<b>{{ text }}</b>", "utf-8")
    assert Renderer(folder).html("page.html", text="&") == "<b>&amp;</b>"
    assert kept(folder).read_bytes() != before


def test_what_another_version_has_compiled_is_not_used(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jinja2.__version__", "4.0")
    no_compiler(monkeypatch)
    with pytest.raises(AssertionError, match="was compiled"):
        Renderer(folder).html("page.html", text="&")


@pytest.mark.parametrize("length", [0, 10, 40])
def test_a_file_that_ends_too_early_does_no_harm(folder: Path, length: int) -> None:
    kept(folder).write_bytes(kept(folder).read_bytes()[:length])
    assert Renderer(folder).html("page.html", text="&") == "<p>&amp;</p>"


def test_python_may_be_told_to_write_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    (tmp_path / "page.html").write_text("<p>{{ text }}</p>", "utf-8")
    assert Renderer(tmp_path).html("page.html", text="&") == "<p>&amp;</p>"
    assert os.listdir(tmp_path) == ["page.html"]


def test_a_folder_in_which_nothing_can_be_written_does_no_harm(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text("<p>{{ text }}</p>", "utf-8")
    (tmp_path / "__pycache__").write_text("in the way", "utf-8")
    assert Renderer(tmp_path).html("page.html", text="&") == "<p>&amp;</p>"
