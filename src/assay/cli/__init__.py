"""The command line: one file for each command, found and not listed. Heavy imports happen inside commands."""

import importlib
import os
import pkgutil
import sys
from functools import cache
from typing import Annotated, Any

import typer

from assay import __version__
from assay.errors import AssayError, FileMistakes, ItemMistakes
from assay.plain_terminal import keep_terminals_plain


def build() -> typer.Typer:
    """The command line with every command that there is."""
    app = typer.Typer(
        name="assay",
        help="Run a rigorous human evaluation of AI output from one file.",
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
    )
    app.callback()(_options)
    for module in pkgutil.iter_modules(__path__):
        if module.name != "common":
            command = importlib.import_module(f"assay.cli.{module.name}").run
            app.command(module.name.rstrip("_").replace("_", "-"))(command)
    return app


@cache
def commands() -> Any:
    """The same as one callable command, built once and kept, also for processes that are forked later."""
    return typer.main.get_command(build())


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"assay {__version__}")
        raise typer.Exit


def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and stop.")
    ] = False,
) -> None:
    pass


def main() -> None:
    """Run one command; what a person can put right is said in words, with an exit code and no traceback."""
    keep_terminals_plain()
    # The bootstrap multiplies small matrices: more threads only wait for each other, and slow annotators' pages down.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        commands()()
    except FileMistakes as error:
        for mistake in error.mistakes:
            print(mistake, file=sys.stderr)
        count = len(error.mistakes)
        nothing = " Nothing was changed." if isinstance(error, ItemMistakes) else ""
        print(f"\n{count} problem{'s' if count > 1 else ''}.{nothing}", file=sys.stderr)
        sys.exit(error.exit_code)
    except AssayError as error:
        print(f"assay: {error.what}", file=sys.stderr)
        if error.hint:
            print(f"  hint: {error.hint}", file=sys.stderr)
        sys.exit(error.exit_code)
    except KeyboardInterrupt:
        print("\nStopped.", file=sys.stderr)
        sys.exit(130)
    except BrokenPipeError:
        sys.exit(141)
    except OSError as error:
        # A file or folder that cannot be read or written; whatever was begun has been taken back.
        print(f"assay: {error.filename or 'a file'}: {error.strerror or error}", file=sys.stderr)
        sys.exit(1)
    except Exception as error:
        cause = getattr(error, "orig", None)
        if type(cause).__name__ != "DatabaseError":  # SQLite's word for a file that is damaged
            from assay.store.engine.failures import traceback_of

            print(traceback_of(error), end="", file=sys.stderr)
            sys.exit(1)
        print(f"assay: the store cannot be read: {cause}", file=sys.stderr)
        print("  hint: `assay verify` says what is damaged, `assay restore` brings a backup back", file=sys.stderr)
        sys.exit(1)
