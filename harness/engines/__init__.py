"""Where executions take place: on this machine."""
