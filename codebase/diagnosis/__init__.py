"""From a log to places in a repository: the crash lines, the definitions used there, and suspects with reasons."""
