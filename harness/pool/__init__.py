"""Warm Blenders: started before they are needed, lent to one execution at a time, replaced when they are spent."""
