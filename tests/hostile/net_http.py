"""raised: fetches a page."""

import json
import sys

target = json.loads(sys.argv[-1])
import urllib.request

urllib.request.urlopen(f"http://127.0.0.1:{target['tcp']}/", timeout=2).read()
