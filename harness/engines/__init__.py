"""The places of executions: this machine, or the nodes of a cluster."""
