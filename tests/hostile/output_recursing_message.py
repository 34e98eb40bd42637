"""raised: an exception whose text never ends."""

class Hostile(Exception):
    def __str__(self):
        return str(self)


raise Hostile
