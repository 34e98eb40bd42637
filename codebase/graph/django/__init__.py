"""Edges that Django and its pages make by names: routes, templates, tags, models, signals, settings, requests.

templates and scripts -> sites, per text; outlines -> routes, models, libraries, over all files -> edges
"""
