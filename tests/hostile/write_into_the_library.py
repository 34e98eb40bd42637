"""raised: plants a module where Python looks for its own.

Says: Error
"""

import os

open(os.path.dirname(os.__file__) + '/planted.py', 'w').write('import os')
