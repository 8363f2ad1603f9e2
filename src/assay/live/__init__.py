"""What the coordinator's page shows of a study at this moment: agreement, flags, the pilot and figures."""
