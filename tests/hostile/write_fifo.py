"""raised: a pipe with a name, at which a reader would wait for ever.

Says: PermissionError
"""

import os

os.mkfifo('../out/after.blend')
