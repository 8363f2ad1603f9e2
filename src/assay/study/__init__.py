"""Stage 1: study.yaml -> Study. Everything that is wrong in the file is said at once, with line and column."""

from assay.study.load import load, load_with_mistakes, study_from_document
from assay.study.rubric import Dimension
from assay.study.schema import Study

__all__ = ["Dimension", "Study", "load", "load_with_mistakes", "study_from_document"]
