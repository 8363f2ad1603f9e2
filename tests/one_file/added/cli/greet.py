"""Greet somebody."""


def run(name: str) -> None:
    """Greet somebody by name."""
    print(f"Good day, {name}.")
