"""The life of a job: its request, events, costs and end."""
