"""Uses of the API: the value of each, and its faults."""
