"""raised: its message is no valid text and holds control characters."""
raise ValueError("half a character \ud800, and \x1b[31m red")
