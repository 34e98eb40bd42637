"""A Blender that is warm before its first job: it waits, forks per job, and keeps itself to one thread."""
