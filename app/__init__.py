"""The service."""

import warnings

# From Python 3.12 on, parsing a text with "\d" in a plain string warns on standard error. What is parsed here are snippets,
# stubs and recipes, and what is wrong with them is said in the verdict.
warnings.filterwarnings("ignore", category=SyntaxWarning, module="<")
