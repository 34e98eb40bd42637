"""raised: changes the part of the service that runs in Blender.

Says: Error
"""

import sys

path = sys.modules['harness'].__path__[0]
open(path + '/inside/run.py', 'a').write('\n')
