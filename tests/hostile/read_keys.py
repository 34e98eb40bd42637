"""needs_file|raised: looks for keys and tokens in homes."""

import json
import sys

target = json.loads(sys.argv[-1])
import pathlib

found = []
for home in ("/root", "/home", target["folder"]):
    for name in (".ssh/id_rsa", ".aws/credentials", ".netrc", ".bashrc", ".profile", ".gitconfig"):
        try:
            found.append((pathlib.Path(home) / name).read_text())
        except OSError:
            continue
if not found:
    raise FileNotFoundError(2, "no such file", "id_rsa")
