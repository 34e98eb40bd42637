"""Isolation of the processes that run untrusted code. Standard library only; no part needs root.

ladder      which rungs this machine allows, found by trying; the chosen one      (in the service)
runtime     which paths of the machine a Blender must be able to read             (in the service)
selftest    escapes tried in a real child before untrusted code is accepted       (in the service)
jail        a process enters the namespaces once, and restricts itself            (in the keeper's child)
  namespaces  user, mount, pid, network, ipc and host name; a root of its own
  landlock    which files may be opened, by the kernel's access rules
  seccomp     which system calls may be made
  rlimits     how much of each resource may be taken
"""
