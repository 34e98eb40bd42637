"""raised: starts a shell that goes on in the background."""

import subprocess

subprocess.Popen(['/bin/sh', '-c', 'sleep 600 & sleep 600'], start_new_session=True)
