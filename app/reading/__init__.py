"""The API check: does the snippet use the API of the exact Blender build that will run it?

    snippet ─ parse ─> tree ──> survey.py    what the snippet itself registers, asks for and guards
                        │
                        └────> reading.py    walks statements in order, keeps what each name can hold
                                  │
               expressions.py  what a value is, through   schema.py   the manifest, queried by value
               operations.py, items.py, builtin_calls.py  what it is made of
               calls.py        what a call accepts and returns
               nodes.py        node types and their sockets
               fits.py         whether a property accepts a value
               needed.py       other settings that a setting needs
                                  │
                        ┌─────────┴──────────┐
                     remarks                uses
            nearest.py, renamed.py           │
                 check_api              addresses_used
                         └──── read_api ────┘

A value is known only if every path to it agrees. Unknown values stay unknown and get no remarks.
"""

from app.reading.snippet import ApiReading, addresses_used, check_api, read_api
from app.reading.usage.needed import needs

__all__ = ["ApiReading", "addresses_used", "check_api", "needs", "read_api"]
