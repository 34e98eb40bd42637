"""Programs that use the service over HTTP. They import nothing of it."""
