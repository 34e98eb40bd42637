"""The parts of a request that the HTTP interface and the page both read: its caller, its site, its filters."""
