"""The loop of one run: retrieve, draft, screen, check, execute, judge, heal, publish."""
