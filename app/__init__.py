"""The service."""

import warnings

# From Python 3.12 on, whoever parses a text with "\d" in a plain string is warned on standard error; what is parsed here
# are snippets, stubs and recipes, and what is wrong with them is said in the verdict.
warnings.filterwarnings("ignore", category=SyntaxWarning, module="<")
