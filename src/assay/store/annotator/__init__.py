"""What an annotator's side may touch: assignments, answers, attempts at gates, pace. It cannot reach what is hidden."""
