"""The Blenders of this service: their manifests, their type stubs, and the changes between two of them."""
