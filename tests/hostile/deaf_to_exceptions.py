"""raised: an exception that is no Exception."""

class Hostile(BaseException):
    pass


raise Hostile('boo')
