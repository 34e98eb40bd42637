"""Clients of the service: thin, and over HTTP alone."""
