"""Judgments that were collected elsewhere: a file -> ratings -> agreement. No study is needed for it.

`read` reads a file of any common format into a `table` of texts, `columns` finds what each of its columns holds,
`from_table` and `from_counts` make ratings of it, `agreement` computes, `output` prints.
"""
