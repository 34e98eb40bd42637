"""no_result: says that the setup failed, where there was none.

Says: posed as the harness
"""

import os

for descriptor in range(3, 256):
    try:
        os.write(descriptor, b'{"event": "setup_failed", "type": "Error", "message": "forged"}\n')
    except OSError:
        pass
os._exit(0)
