"""raised: lets another program connect."""

import json
import sys

target = json.loads(sys.argv[-1])
import subprocess

subprocess.run(['/bin/bash', '-c', f"echo out > /dev/tcp/127.0.0.1/{target['tcp']}"], check=True)
