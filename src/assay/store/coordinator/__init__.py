"""What a coordinator's side may touch: items with what is hidden, everybody's judgments, people, the record of acts."""
