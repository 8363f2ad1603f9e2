"""How often intervals hold the truth, and how often tests find what is not there: studies drawn from known ones.

`python -m tools.coverage [--studies 1000] [--only NAME] [--write]` draws so many studies for each scenario, each from
its own seed, and prints the share in which the interval held the truth (wanted: 0.95), or in which something was found
that is not there (wanted: 0.05 at most), or how wide an interval is beside another, on average. `--write` puts the
table into `docs/design/coverage.md`. A share of n studies is itself uncertain, by 1.4 points for 0.95 of 1,000: a
scenario is marked, and the exit code is 1, where its share is beyond what that explains.
"""

import argparse
import sys
from pathlib import Path

from tools import (
    coverage_agreement,
    coverage_annotators,
    coverage_comparisons,
    coverage_judges,
    coverage_looks,
    coverage_power,
)
from tools.coverage_scenario import Share, share_of

PAGE = Path(__file__).parent.parent / "docs" / "design" / "coverage.md"
SCENARIOS = (
    *coverage_agreement.SCENARIOS,
    *coverage_annotators.SCENARIOS,
    *coverage_comparisons.SCENARIOS,
    *coverage_looks.SCENARIOS,
    *coverage_power.SCENARIOS,
    *coverage_judges.SCENARIOS,
)


def page_of(found: list[Share], before: str = "") -> str:
    """The page with the table; what was not drawn this time is kept as it was."""
    known = {line.split("**")[1]: line for line in before.splitlines() if line.startswith("| **")}
    rows = {**known, **{each.scenario.name: _row(each) for each in found}}
    lines = [
        "# How often intervals hold, and how often tests find what is not there",
        "<!-- Made by `python -m tools.coverage --write`. -->",
        "",
        "Each row: so many studies drawn from a known one, each from its own seed; the share of them in which a 95 %",
        "interval held the truth, in which something was found that is not there, or in which what was promised with",
        "a power of 0.80 was shown. Of 1,000 studies a share of 0.05 is uncertain by 0.014, one of 0.80 by 0.025.",
        "A width is that of an interval from people and a judge, over that by people alone: the mean over studies.",
        "Studies in which the program declines to answer are counted. A share beyond what is wanted is taken for",
        "chance up to 2.6 standard errors: of 1,000 studies 0.013 above 0.025, of 4,000 studies 0.006.",
        "",
        "| studies of | share | wanted | studies | declined |",
        "|---|---|---|---|---|",
    ]
    lines += [rows[each.name] for each in SCENARIOS if each.name in rows]
    return "\n".join(lines) + "\n"


def _row(share: Share) -> str:
    words = f"**{share.scenario.name}**: {share.scenario.words}"
    return f"| {words} | {share.value:.3f} | {share.scenario.wanted} | {share.studies:,} | {share.declined} |"


def main(argv: list[str] | None = None) -> int:
    """Draw the studies and print the table; 1 where a share is not what is wanted."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--studies", type=int, default=1000)
    parser.add_argument("--only", default="", help="scenarios whose name holds this")
    parser.add_argument("--write", action="store_true", help="write what was drawn into docs/design/coverage.md")
    asked = parser.parse_args(argv)
    found = []
    for scenario in SCENARIOS:
        if asked.only in scenario.name:
            found.append(share_of(scenario, asked.studies))
            mark = "" if found[-1].good else "   <- not as wanted"
            print(
                f"{scenario.name:<34} {found[-1].value:.3f}  {scenario.wanted}, {found[-1].declined} declined{mark}",
                flush=True,
            )
    if asked.write:
        PAGE.write_text(page_of(found, PAGE.read_text("utf-8") if PAGE.exists() else ""), "utf-8")
    return 0 if all(each.good for each in found) else 1


if __name__ == "__main__":
    sys.exit(main())
