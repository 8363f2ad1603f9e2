"""Sheets: one for each annotator, written as CSV or as a workbook, filled away from the page, and read back.

`content` says an item in plain text, `columns` lays a sheet out, `write` writes it; `read` reads a file, `cells` one
cell, and `validate` checks every row by the store and the study's rules: `validate_own_layout` in the program's own
sheets, `validate_ratings` in workbooks of the in-car study. What goes into the store is decided by the same rules as on
the page.
"""
