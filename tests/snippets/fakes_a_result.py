"""no_result: says on every descriptor that all went well, and leaves before a scene is saved."""
import json
import os

claims = [
    {"event": "snippet_ended", "exception": None, "exit_code": None, "registered": []},
    {"event": "saved", "name": "after.blend"},
    {"event": "finished"},
]
for descriptor in range(3, 256):
    for claim in claims:
        try:
            os.write(descriptor, json.dumps(claim).encode() + b"\n")
        except OSError:
            pass
os._exit(0)
