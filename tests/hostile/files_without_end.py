"""raised: more descriptors than a process may have, each of which may hold memory of the kernel.

Says: Too many open files
"""

import select

kept = []
for _ in range(400):
    kept.append(select.epoll())
