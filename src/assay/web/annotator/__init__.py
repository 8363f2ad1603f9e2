"""The annotator's pages and what they send. They show what `store.annotator` gives them, and nothing that is hidden."""
