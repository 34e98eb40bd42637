"""The service."""

import warnings

# From Python 3.12 on, parsing a text with "\d" in a plain string warns on standard error. What is parsed here are
# stubs, recipes and snippets, and what is wrong with a snippet is said in the verdict.
warnings.filterwarnings("ignore", category=SyntaxWarning, module="<")
