"""The API check: does the snippet use the API of the exact Blender build that will run it?

    snippet ─ parse ─> tree ──> survey.py       names that the snippet registers, asks for and guards
                        │
                        └────> reader.py        rounds over the module and its functions
                                 │
                 statements.py, functions.py    read in the order of a run; ask for the values of
                                 │
                           expressions.py       expressions, by the names in environment.py, and by
                                 │
                 ┌───────────────┼──────────────────┐
               own/            usage/              api/
         functions, classes    faults of each     the manifest,
         of the snippet        use of the API     asked by value
                                 │
                        ┌────────┴─────────┐
                     remarks              uses
            nearest.py, removals.py        │
                 check_api            addresses_used
                        └──── read_api ────┘

A value is known only if every path to it agrees. Unknown values stay unknown and get no remarks.
"""

from app.reading.snippet import ApiReading, addresses_used, check_api, read_api
from app.reading.usage.needed import needs

__all__ = ["ApiReading", "addresses_used", "check_api", "needs", "read_api"]
