"""Marks of a question that counts: the name of what was found and, if the annotator said so, where."""

AT = " @"
"""Between the name of something that was counted and the number of the turn or step it was found in: `omission @3`."""


def name_of_mark(mark: str) -> str:
    """What was counted, without where.

    >>> name_of_mark("omission @3"), name_of_mark("omission")
    ('omission', 'omission')
    """
    return mark.rpartition(AT)[0] or mark
