"""Guidelines read as data: their sections, tables and quotations, beside the study file that they explain."""
