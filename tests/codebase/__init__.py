"""The compiler of repositories, on small repositories that the tests write."""
