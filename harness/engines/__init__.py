"""Where executions take place: on this machine, or on the nodes of a cluster."""
