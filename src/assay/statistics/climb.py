"""The maximum of a differentiable function, by L-BFGS."""

from collections.abc import Callable
from dataclasses import dataclass

from assay.statistics.arrays import Floats, np

STEPS = 500
CLOSE = 1e-4
"""At the maximum no parameter's slope, in its scale, is larger than this."""
REMEMBERED = 20
"""From how many steps the curvature is learnt."""


@dataclass(frozen=True)
class Top:
    """The maximum that was found, and whether the search converged."""

    vector: Floats
    value: float
    iterations: int
    converged: bool


def climb(function: Callable[[Floats], tuple[float, Floats]], start: Floats, scales: Floats) -> Top:
    """The maximum of a function that returns its value and its gradient, by L-BFGS: curvature from the last steps.

    Reference: Liu, D. C. & Nocedal, J. (1989). On the limited memory BFGS method for large scale optimization.
    Mathematical Programming 45, 503-528.

    `scales` says about how far each parameter moves for the same change of the value.

    Example:
        >>> hill = climb(lambda x: (-float(((x - 3) ** 2).sum()), -2 * (x - 3)), np.zeros(2), np.ones(2))
        >>> hill.vector.round(6).tolist(), hill.converged
        ([3.0, 3.0], True)
    """
    at, (value, slope) = start, function(start)
    slope = slope * scales
    past: list[tuple[Floats, Floats, float]] = []
    for iteration in range(1, STEPS + 1):
        if np.abs(slope).max() < CLOSE:
            return Top(at, value, iteration, True)
        direction, factors = slope.copy(), []
        for moved, bent, over in reversed(past):
            factors.append(over * float(moved @ direction))
            direction -= factors[-1] * bent
        if past:
            direction *= float(past[-1][0] @ past[-1][1]) / float(past[-1][1] @ past[-1][1])
        for (moved, bent, over), factor in zip(past, reversed(factors), strict=True):
            direction += moved * (factor - over * float(bent @ direction))
        rise = float(slope @ direction)
        if rise <= 0:
            direction, past, rise = slope.copy(), [], float(slope @ slope)
        # No parameter goes farther than two logits at once.
        length = min(1.0, 2.0 / max(1e-12, float(np.abs(direction * scales).max())))
        for _ in range(40):
            there = at + length * direction * scales
            new_value, new_slope = function(there)
            if new_value >= value + 1e-4 * length * rise:
                break
            length /= 2
        else:
            return Top(at, value, iteration, bool(np.abs(slope).max() < 100 * CLOSE))
        new_slope = new_slope * scales
        moved, bent = length * direction, slope - new_slope
        if float(moved @ bent) > 1e-12:
            past = [*past[1 - REMEMBERED :], (moved, bent, 1 / float(moved @ bent))]
        at, value, slope = there, new_value, new_slope
    return Top(at, value, STEPS, False)
