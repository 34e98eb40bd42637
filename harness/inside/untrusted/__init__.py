"""The processes that run untrusted code. All that they report is a claim."""
