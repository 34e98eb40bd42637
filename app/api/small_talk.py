"""Greetings and questions about the service itself, which are answered in words: no snippet could answer them."""

from __future__ import annotations

import re
from typing import Final

GREETING: Final = r"(?:hi|hello|hey|hiya|good (?:morning|afternoon|evening|day))(?: there| blendproof)?"
ABOUT: Final = (
    r"(?:what can (?:you|blendproof) do|what do you do|who are you|what are you|what is (?:this|blendproof)"
    r"|what's this|how do (?:you|i|we) (?:work|use (?:you|this|it|blendproof))|how does (?:this|it|blendproof) work"
    r"|(?:can|could|will) you help(?: me)?(?: please)?|help(?: me)?(?: please)?)"
)
THANKS: Final = re.compile(r"(?:many )?(?:thanks|thank you|thx|ta)(?: (?:a lot|very much|so much|blendproof))?")
ASKED: Final = re.compile(rf"(?:{GREETING})?\s*(?:{ABOUT})?")
ANSWER: Final = (
    "I write Blender Python and prove it: what you get was checked, executed in Blender and rendered, and I say so if "
    "it is not. {reads} For example:\n\n"
    "- Add a torus called Ring with major radius 2, make it gold and shade it smooth\n"
    "- Use the recipe chair\n\n"
    "A further message changes the snippet before it. A block of Python in a message is gone on from."
)
BY_COMMANDS: Final = (
    "I read a small command language ([its guide]({address}/page/docs/commands.md)); plain words need a model, which "
    "the operator of this service has not set up."
)
BY_MODEL: Final = "Say in plain words what the snippet is to do."


def small_talk(words: str, address: str, has_model: bool) -> str | None:
    """The answer to a greeting or to a question about the service; None for a request."""
    said = " ".join(re.sub(r"[^\w' ]+", " ", words.lower()).split())
    if THANKS.fullmatch(said):
        return "You are welcome. What shall Blender make next?"
    if not said or not ASKED.fullmatch(said):
        return None
    return ANSWER.format(reads=BY_MODEL if has_model else BY_COMMANDS.format(address=address))
