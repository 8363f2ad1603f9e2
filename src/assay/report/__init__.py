"""Stage 7: everything -> one report, as text, figures and numbers.

`data` is what it is made from, `section` what a part of it must offer, `build` puts it together, `page` writes it.
"""
