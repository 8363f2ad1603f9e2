"""What a paper needs of a report: every figure and table as files, captions, a methods paragraph, a bibliography.

The page is the only place that draws: figures and tables are taken from it, so what is printed in a paper is what the
report shows. Two optional libraries turn the drawings into PDF and PNG (`pip install "assay-eval[paper]"`).
"""
