"""How an automated judge was run: what is known of that is kept with the import that its judgments came with."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class RunFacts:
    """How judgments of a judge were made; nothing is known where it was run elsewhere. The sum of two has both."""

    models: tuple[str, ...] = ()
    """The models that answered, as their servers named them."""
    templates: tuple[str, ...] = ()
    """The hashes of the templates of its prompts; an empty one is the program's own."""
    prompts: tuple[str, ...] = ()
    """The hashes of what its prompts said besides the item: rubric, guidelines, examples, template."""
    settings: tuple[Mapping[str, Any], ...] = ()
    """The settings that it was asked with, without where it is reached."""
    first_at: int | None = None
    """When the first of the answers was asked for, in milliseconds."""
    last_at: int | None = None
    requests: int = 0
    """How many answers are behind it."""
    tokens_in: int = 0
    tokens_out: int = 0

    def __add__(self, other: "RunFacts") -> "RunFacts":
        first = [each for each in (self.first_at, other.first_at) if each is not None]
        last = [each for each in (self.last_at, other.last_at) if each is not None]
        return RunFacts(
            models=_both(self.models, other.models),
            templates=_both(self.templates, other.templates),
            prompts=_both(self.prompts, other.prompts),
            settings=self.settings if self.settings == other.settings else _all(*self.settings, *other.settings),
            first_at=min(first, default=None),
            last_at=max(last, default=None),
            requests=self.requests + other.requests,
            tokens_in=self.tokens_in + other.tokens_in,
            tokens_out=self.tokens_out + other.tokens_out,
        )

    def covers(self, other: "RunFacts") -> bool:
        """Whether a judge that was run like the other one is this judge: with a prompt, model and settings of it."""
        return all(each in getattr(self, name) for name in SAME for each in getattr(other, name))


SAME = ("models", "templates", "prompts", "settings")
"""What makes a judge another one when it changes."""


def _both(one: tuple[str, ...], other: tuple[str, ...]) -> tuple[str, ...]:
    return one if one == other else tuple(sorted({*one, *other}))


def _all(*some: Mapping[str, Any]) -> tuple[Mapping[str, Any], ...]:
    by_text = {json.dumps(each, sort_keys=True): each for each in some}
    return tuple(by_text[text] for text in sorted(by_text))
