"""Isolation of the processes that run untrusted code. Standard library only; no part needs root.

ladder      the rungs that this machine allows, found by trying; the chosen one   (in the service)
runtime     the paths of the machine that a Blender must be able to read          (in the service)
selftest    escapes tried in a real child before untrusted code is accepted       (in the service)
jail        a process enters the namespaces once, and restricts itself            (in the keeper's child)
  namespaces  user, mount, pid, network, ipc and host name; a root of its own
    landlock    the files that may be opened, by the kernel's access rules
    seccomp     the system calls that may be made
    rlimits     the limit of each resource
"""
