# Our code inside Blender runs on many versions, so its calls into Blender are checked by running them, not by types.
from typing import Any

def __getattr__(name: str) -> Any: ...
