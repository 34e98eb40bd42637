"""What Django and its pages lead to by names: routes, templates, tags, models, signals, settings, requests.

templates and scripts -> sites, per text; outlines -> routes, models, libraries, over all files -> edges
"""
