"""The system call filter, asked call by call."""

from __future__ import annotations

import errno
import os
import struct

import pytest

from harness.sandbox import seccomp, syscalls


def decide(machine: str, call: str | int, arguments: tuple[int, ...] = (), policy: seccomp.Policy | None = None) -> int:
    """What a filter answers to a call: the kernel's machine, in a few lines."""
    program = seccomp.program(machine, policy or seccomp.Policy())
    number = syscalls.numbers(machine)[call] if isinstance(call, str) else call
    padded = (*arguments, *(0 for _ in range(6 - len(arguments))))
    data = struct.pack("=iIQ6Q", number, seccomp.AUDIT_ARCH[machine], 0, *(value % (1 << 64) for value in padded))
    steps = list(struct.iter_unpack("=HBBI", program))
    position = accumulator = 0
    while True:
        code, if_true, if_false, value = steps[position]
        position += 1
        if code == seccomp.LOAD:
            (accumulator,) = struct.unpack_from("=I", data, value)
        elif code == seccomp.MASK:
            accumulator &= value
        elif code == seccomp.RETURN:
            return int(value)
        else:
            tests = {
                seccomp.EQUAL: accumulator == value,
                seccomp.AT_LEAST: accumulator >= value,
                seccomp.ANY_BIT: bool(accumulator & value),
            }
            position += if_true if tests[code] else if_false


def fails(number: int) -> int:
    return seccomp.FAIL | number


THREAD = 0x3D0F00
CLONE_NEWUSER = 0x10000000
SHARED, PRIVATE, ANONYMOUS = 0x1, 0x2, 0x20


@pytest.mark.parametrize("machine", syscalls.MACHINES)
@pytest.mark.parametrize(
    ("call", "arguments", "answer"),
    [
        ("read", (), seccomp.ALLOW),
        ("openat", (), seccomp.ALLOW),
        ("execve", (), seccomp.ALLOW),
        ("clone", (THREAD,), seccomp.ALLOW),
        ("clone", (17,), seccomp.ALLOW),
        ("clone", (17 | CLONE_NEWUSER,), fails(errno.EPERM)),
        ("clone3", (), fails(errno.ENOSYS)),
        ("socket", (1, 1, 0), fails(errno.EACCES)),
        ("connect", (), fails(errno.EACCES)),
        ("socketpair", (1, 1 | 0o2000000, 0), seccomp.ALLOW),
        ("socketpair", (1, 2, 0), fails(errno.EACCES)),
        ("socketpair", (1 << 32 | 2, 1, 0), fails(errno.EACCES)),
        ("io_uring_setup", (), fails(errno.EPERM)),
        ("ptrace", (), fails(errno.EPERM)),
        ("mount", (), fails(errno.EPERM)),
        ("memfd_create", (), fails(errno.EPERM)),
        ("ioctl", (0, 0x5401), seccomp.ALLOW),
        ("ioctl", (0, 0x5412), fails(errno.ENOTTY)),
        ("ioctl", (0, 1 << 32 | 0x5412), fails(errno.ENOTTY)),
        ("prlimit64", (0, 7), seccomp.ALLOW),
        ("prlimit64", (1234, 7), fails(errno.EPERM)),
        ("kill", (1, 9), fails(errno.EPERM)),
        ("kill", (77, 9), seccomp.ALLOW),
        ("fcntl", (3, 6), fails(0)),
        ("fcntl", (3, 3), seccomp.ALLOW),
        ("fcntl", (3, 4, os.O_NONBLOCK), seccomp.ALLOW),
        ("fcntl", (3, 8, 77), fails(errno.EPERM)),
        ("fcntl", (3, 10, 9), fails(errno.EPERM)),
        ("fcntl", (3, 15), fails(errno.EPERM)),
        ("sendto", (), seccomp.ALLOW),
        ("recvmsg", (), seccomp.ALLOW),
        ("sendmsg", (), fails(errno.EPERM)),
        ("setsockopt", (3, 1, 7), fails(errno.EPERM)),
        ("getsockopt", (3, 1, 3), seccomp.ALLOW),
        ("getsockopt", (3, 1, 4), seccomp.ALLOW),
        ("getsockopt", (3, 1, 17), fails(errno.EPERM)),
        ("getsockopt", (3, 1, 77), fails(errno.EPERM)),
        ("getsockopt", (3, 6, 3), fails(errno.EPERM)),
        ("close_range", (3, 9, 4), seccomp.ALLOW),
        ("close_range", (3, 9, 2), fails(errno.EPERM)),
        ("sendmmsg", (), fails(errno.EPERM)),
        ("mmap", (0, 4096, 3, PRIVATE | ANONYMOUS), seccomp.ALLOW),
        ("mmap", (0, 4096, 3, SHARED), seccomp.ALLOW),
        ("mmap", (0, 4096, 3, SHARED | ANONYMOUS), fails(errno.ENOMEM)),
        ("mmap", (0, 4096, 3, SHARED | ANONYMOUS | 0x4000), fails(errno.ENOMEM)),
        ("fallocate", (), fails(errno.EOPNOTSUPP)),
        ("fchmod", (3, 0o755), seccomp.ALLOW),
        ("fchmod", (3, 0o4755), fails(errno.EPERM)),
        ("fchmodat", (3, 0, 0o2755), fails(errno.EPERM)),
        ("openat", (3, 0, os.O_CREAT | os.O_WRONLY, 0o644), seccomp.ALLOW),
        ("openat", (3, 0, os.O_CREAT | os.O_WRONLY, 0o4755), fails(errno.EPERM)),
        ("openat", (3, 0, 0o20000000 | os.O_WRONLY, 0o4755), fails(errno.EPERM)),
        # Without a file to be made the mode is whatever was there.
        ("openat", (3, 0, os.O_WRONLY, 0o4755), seccomp.ALLOW),
        ("flock", (), fails(0)),
        ("openat2", (), fails(errno.ENOSYS)),
        (9999, (), fails(errno.ENOSYS)),
        (seccomp.FOREIGN_NUMBERS | 1, (), seccomp.KILL),
    ],
)
def test_the_filter_answers(machine: str, call: str | int, arguments: tuple[int, ...], answer: int) -> None:
    assert decide(machine, call, arguments) == answer


@pytest.mark.parametrize("machine", syscalls.MACHINES)
def test_a_policy_takes_more_away(machine: str) -> None:
    strict = seccomp.Policy(processes=False, metadata=False, signals=False, truncate=False)
    assert decide(machine, "clone", (17,), strict) == fails(errno.EPERM)
    assert decide(machine, "clone", (THREAD,), strict) == seccomp.ALLOW
    assert decide(machine, "clone", (THREAD & ~seccomp.CLONE_FILES,), strict) == fails(errno.EPERM)
    assert decide(machine, "seccomp", (), strict) == fails(errno.EPERM)
    assert decide(machine, "seccomp", ()) == seccomp.ALLOW
    assert decide(machine, "execve", (), strict) == fails(errno.EPERM)
    assert decide(machine, "fchmod", (3, 0o4755), strict) == fails(0)
    assert decide(machine, "fsetxattr", (), strict) == fails(errno.ENOTSUP)
    assert decide(machine, "kill", (77, 9), strict) == fails(errno.EPERM)
    assert decide(machine, "tgkill", (seccomp.OWN_PID, 7, 6), strict) == seccomp.ALLOW
    assert decide(machine, "truncate", (), strict) == fails(errno.EPERM)
    assert decide(machine, "openat", (0, 0, os.O_RDONLY | os.O_TRUNC), strict) == fails(errno.EPERM)
    assert decide(machine, "openat", (0, 0, os.O_WRONLY | os.O_TRUNC), strict) == seccomp.ALLOW
    made = os.O_WRONLY | os.O_TRUNC | os.O_CREAT
    assert decide(machine, "openat", (0, 0, made, 0o644), strict) == seccomp.ALLOW
    assert decide(machine, "openat", (0, 0, made, 0o4755), strict) == fails(errno.EPERM)


@pytest.mark.parametrize("machine", syscalls.MACHINES)
def test_locks_hold_only_if_the_policy_says_so(machine: str) -> None:
    for call, arguments in (("flock", (3, 2)), *(("fcntl", (3, command)) for command in seccomp.F_SETLK)):
        assert decide(machine, call, arguments) == fails(0)
        assert decide(machine, call, arguments, seccomp.Policy(locks=True)) == seccomp.ALLOW


def test_a_machine_that_is_not_known_has_no_filter() -> None:
    assert seccomp.program("riscv64", seccomp.Policy()) == b""


def test_every_call_that_is_named_has_a_number() -> None:
    known = {name for machine in syscalls.MACHINES for name in syscalls.numbers(machine)}
    assert set(seccomp.rules(seccomp.Policy())) <= known
