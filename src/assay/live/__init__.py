"""What a study shows as it stands: its agreement, its flags, its pilot and its figures, computed from the store."""
