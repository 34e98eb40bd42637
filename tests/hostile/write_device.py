"""raised: makes a device of the disk.

Says: PermissionError
"""

import os
import stat

os.mknod('disk', 0o600 | stat.S_IFBLK, os.makedev(8, 0))
