"""How long a session lasts: after so long somebody has to open their link again."""

DAY = 24 * 60 * 60 * 1000
SESSION_DAYS = 7
"""So long a session lasts at most."""
IDLE_MS = {"annotator": 3 * DAY, "coordinator": DAY // 2}
"""So long a session lasts while nobody uses it: whoever can change a study is asked sooner."""


def renew_until(expires_at: int, began_at: int, idle: int, now: int) -> int:
    """Until when a session is to last that is used now; 0: as it does. Not each time: that would be a write."""
    until = min(now + idle, began_at + SESSION_DAYS * DAY)
    return until if until - expires_at > idle // 4 else 0
