"""From a log to places in a repository: where it broke, what is used there, what may be at fault and why."""
