def find_unseen(start, after, untouched, kept):
    return {}
