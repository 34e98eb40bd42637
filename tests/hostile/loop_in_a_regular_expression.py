"""timed_out: a regular expression that backtracks for ever, holding the interpreter."""

import re

re.match(r'(a+)+$', 'a' * 64 + 'b')
