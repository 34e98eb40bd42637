"""One place of a snippet that is being written: what is named there, and what may be written there."""
