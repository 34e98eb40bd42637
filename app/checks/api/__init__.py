"""The API check: does the snippet use the API of the very Blender build that will run it?

    snippet ─ parse ─> tree ──> survey.py    what the snippet itself registers, asks for and guards
                        │
                        └────> reading.py    walks statements in order, keeps what each name can hold
                                  │
               expressions.py  what a value is, through   schema.py   the manifest, asked by value
               operations.py, items.py, builtin_calls.py  what it is made of
               calls.py        what a call takes and gives
               nodes.py        node types and their sockets
               fits.py         whether a property takes a value
               needed.py       what a setting has no effect without
                                  │
                        ┌─────────┴──────────┐
                     remarks                uses
            nearest.py, renamed.py           │
                 check_api              addresses_used

A value is known only if every way to it agrees; what is unknown stays unknown and is never remarked on.
"""

from app.checks.api.check import addresses_used, check_api
from app.checks.api.needed import needs

__all__ = ["addresses_used", "check_api", "needs"]
