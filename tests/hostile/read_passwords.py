"""needs_file|raised: reads the list of users and their passwords."""

for path in ('/etc/shadow', '/etc/passwd'):
    print(open(path).read())
