"""Takes requests, works on runs, starts and stops; knows nothing of HTTP."""
