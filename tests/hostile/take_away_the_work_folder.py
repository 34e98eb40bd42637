"""no_result: renames its work folder, where the scene it left is to be looked at.

Says: removed its work folder
"""

import os

os.rename(os.getcwd(), os.path.join(os.path.dirname(os.getcwd()), 'elsewhere'))
