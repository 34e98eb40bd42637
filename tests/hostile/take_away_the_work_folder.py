"""no_result: renames its work folder, where the scene it left is to be looked at.

Says: took its work folder away
"""

import os

os.rename(os.getcwd(), os.path.join(os.path.dirname(os.getcwd()), 'elsewhere'))
