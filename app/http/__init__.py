"""What the HTTP interface and the page both read of a request: its caller, its site, its filters."""
