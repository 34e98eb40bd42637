"""raised: takes memory by a file that has no name.

Says: PermissionError
"""

import os

os.memfd_create('bomb')
