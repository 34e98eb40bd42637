"""disk_limit: files without end that have no name any more."""

import os

kept = []
while True:
    kept.append(open('deleted', 'wb'))
    os.unlink('deleted')
    kept[-1].write(os.urandom(1 << 20))
    kept[-1].flush()
