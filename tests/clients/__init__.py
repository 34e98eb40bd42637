"""Tests of the clients of the service."""
