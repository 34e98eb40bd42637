"""The Blenders of this service: their manifests, their type stubs, what changed between two of them."""
