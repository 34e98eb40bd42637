"""disk_limit|raised: folders within folders."""

import os

while True:
    os.mkdir('d')
    os.chdir('d')
