"""Automated judges at work: prompts from the study, answers checked by its rules, runs that can be stopped at any time.

What a judge is asked is made from what the page shows. Nothing in this package can reach what is hidden.
"""
