"""The web edge: pages for annotators and coordinators. It loads, asks, does and answers; it decides nothing."""

from assay.web.app import create_app

__all__ = ["create_app"]
