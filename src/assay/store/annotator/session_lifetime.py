"""How long a session lasts: after so long somebody has to open their link again."""

DAY = 24 * 60 * 60 * 1000
SESSION_DAYS = 7
"""How long a session lasts at most."""
IDLE_MS = {"annotator": 3 * DAY, "coordinator": DAY // 2}
"""How long an unused session lasts; a coordinator's ends sooner, since it can change a study."""


def renew_until(expires_at: int, began_at: int, idle: int, now: int) -> int:
    """The new end of a session that is used now; 0 to leave it, so that not every request writes."""
    until = min(now + idle, began_at + SESSION_DAYS * DAY)
    return until if until - expires_at > idle // 4 else 0
