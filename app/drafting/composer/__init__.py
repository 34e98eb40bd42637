"""The drafting source that needs no model; see composer.py."""

from app.drafting.composer.composer import Composer

__all__ = ["Composer"]
