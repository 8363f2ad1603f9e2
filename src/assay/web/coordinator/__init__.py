"""The coordinator's pages: how a study goes, and what can be done about it.

A page declares its addresses as `ENDPOINTS`, and there its entry in the menu (`menu.py: MenuEntry`).
"""
