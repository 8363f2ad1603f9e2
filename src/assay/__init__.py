"""Assay: a rigorous human evaluation of AI output from one file."""

__version__ = "0.1.0"
