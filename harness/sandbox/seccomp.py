"""Limits the system calls of a process and its children with a filter that the kernel runs before each one.

The list allows; any call that it does not name fails. It comes from the calls that Blender, Cycles, Mesa, numpy, the
importers and exporters and Python's standard library really make. A call fails in one of these ways:

    refused      EPERM, for sockets EACCES: a PermissionError that users understand
    no effect    it returns success but does nothing: priorities, locks, on some rungs modes and times of files
    not there    ENOSYS, for calls that are too new or too rare; libraries then use another one
    killed       a call with the numbers of another machine
"""

from __future__ import annotations

import base64
import ctypes
import errno
import struct
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from harness.sandbox.libc import system_call
from harness.sandbox.syscalls import MACHINES, numbers

AUDIT_ARCH: Final = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
SECCOMP: Final = {"x86_64": 317, "aarch64": 277}
SET_MODE_FILTER: Final = 1
EVERY_THREAD: Final = 1
FOREIGN_NUMBERS: Final = 0x40000000
"""From this number on, calls are those of the x32 machine, which shares the architecture of x86_64."""

OWN_PID: Final = 0x7FFFFF01
"""Placeholder in a program for the id of the process that loads it; no process has this id."""

ALLOW: Final = 0x7FFF0000
KILL: Final = 0x80000000
FAIL: Final = 0x00050000

LOAD: Final = 0x20
EQUAL: Final = 0x15
AT_LEAST: Final = 0x35
ANY_BIT: Final = 0x45
MASK: Final = 0x54
RETURN: Final = 0x06


def names(text: str) -> tuple[str, ...]:
    """The words of a text."""
    return tuple(text.split())


ALLOWED: Final = names("""
read write open close stat fstat lstat poll lseek mmap mprotect munmap brk mremap msync mincore madvise readahead
pread64 pwrite64 readv writev preadv pwritev preadv2 pwritev2 access faccessat faccessat2 pipe pipe2 select pselect6
ppoll dup dup2 dup3 sendfile splice tee copy_file_range fsync fdatasync ftruncate truncate fadvise64
sync_file_range getdents getdents64 getcwd chdir fchdir rename renameat renameat2 mkdir mkdirat rmdir creat unlink
unlinkat openat newfstatat readlink readlinkat statx umask statfs fstatfs
getxattr lgetxattr fgetxattr listxattr llistxattr flistxattr
rt_sigaction rt_sigprocmask rt_sigreturn rt_sigpending rt_sigtimedwait rt_sigsuspend sigaltstack signalfd signalfd4
restart_syscall pause nanosleep clock_nanosleep clock_gettime clock_getres gettimeofday time times getitimer setitimer
alarm timer_create timer_settime timer_gettime timer_getoverrun timer_delete timerfd_create timerfd_settime
timerfd_gettime eventfd eventfd2 epoll_create epoll_create1 epoll_ctl epoll_wait epoll_pwait epoll_pwait2
getpid getppid gettid getuid getgid geteuid getegid getresuid getresgid getgroups getpgrp getpgid getsid setpgid
setsid getrlimit getrusage setrlimit sysinfo uname getrandom getcpu capget
sched_yield sched_getaffinity sched_getparam sched_getscheduler sched_get_priority_max sched_get_priority_min
sched_getattr sched_rr_get_interval getpriority ioprio_get get_mempolicy mlock mlock2 munlock munlockall
futex futex_waitv set_robust_list get_robust_list set_tid_address rseq membarrier arch_prctl pkey_alloc pkey_free
pkey_mprotect wait4 waitid exit exit_group
sendto recvfrom recvmsg recvmmsg shutdown getsockname getpeername
""")

STARTS_PROCESSES: Final = names("fork vfork execve execveat")

NO_EFFECT: Final = names("""
setpriority sched_setparam sched_setscheduler sched_setaffinity sched_setattr ioprio_set set_mempolicy mbind
""")

METADATA: Final = names("""
chmod fchmod fchmodat fchmodat2 chown fchown lchown fchownat utime utimes futimesat utimensat
""")
ATTRIBUTES: Final = names("setxattr lsetxattr fsetxattr removexattr lremovexattr fremovexattr")

NETWORK: Final = names("socket connect bind listen accept accept4")

REFUSED: Final = names("""
link linkat symlink symlinkat mknod mknodat
ptrace process_vm_readv process_vm_writev process_madvise kcmp pidfd_getfd pidfd_send_signal
mount umount2 pivot_root chroot unshare setns open_tree move_mount fsopen fsconfig fsmount fspick mount_setattr
swapon swapoff quotactl quotactl_fd open_by_handle_at name_to_handle_at
io_uring_setup io_uring_enter io_uring_register bpf perf_event_open userfaultfd keyctl add_key request_key
init_module finit_module delete_module kexec_load kexec_file_load reboot acct syslog settimeofday clock_settime
clock_adjtime adjtimex sethostname setdomainname setuid setgid setreuid setregid setresuid setresgid setgroups
setfsuid setfsgid capset personality iopl ioperm vhangup modify_ldt
shmget shmat shmctl shmdt semget semop semctl semtimedop msgget msgsnd msgrcv msgctl
mq_open mq_unlink mq_timedsend mq_timedreceive mq_notify mq_getsetattr
setsockopt memfd_create memfd_secret fanotify_init move_pages migrate_pages mlockall
landlock_create_ruleset landlock_add_rule landlock_restrict_self rt_sigqueueinfo rt_tgsigqueueinfo
sendmsg sendmmsg
""")

OF_A_DISPLAY: Final = names("connect bind listen accept accept4 sendmsg setsockopt link linkat setuid setgid")
"""A display locks its number by a link, and its helper sets the user that it has already."""

CLONE_THREAD: Final = 0x00010000
CLONE_FILES: Final = 0x00000400
"""A thread without it has descriptors of its own, and with them as many again as a process may have."""
CLOSE_RANGE_UNSHARE: Final = 2
SOL_SOCKET: Final = 1
SOCKET_FACTS: Final = (3, 4, 38, 39)
"""Type, error, protocol and family of a socket, which Python reads; others reveal the process at its other end."""
CLONE_NEW: Final = 0x7E020080
"""All flags that make a namespace."""
AF_UNIX: Final = 1
SOCK_STREAM: Final = 1
SOCKET_TYPE: Final = 0xF
F_SETLK: Final = (6, 7, 37, 38)
F_REFUSED: Final = (8, 10, 15, 1024, 1026, 1031)
"""Signals from a descriptor, which are sent to any process without a check; leases; watches on folders; and larger
pipes, whose memory no limit counts."""
IOCTLS: Final = (0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451, 0x802C542A)
"""Terminals: the query and the size; bytes to read; close on exec; blocking mode. None writes to a terminal."""
PRCTLS: Final = (3, 15, 16, 21, 23, 25, 30, 39, 41, 42, 47, 0x53564D41)
"""Names of threads and of memory, and queries; neither the signal on the parent's death nor tracing."""
OPEN_WRITE_OR_TRUNCATE: Final = 0o1003
O_TRUNC: Final = 0o1000
MAKES_A_FILE: Final = 0o20000100
"""O_CREAT, and the bit that tells O_TMPFILE: the kernel reads a mode only with these."""
SET_ID: Final = 0o6000
"""Set-user-id and set-group-id: the mount of a job ignores them, but the machine outside does not."""
MMAP_SHARING_AND_ANONYMOUS: Final = 0x2F
MMAP_SHARED_ANONYMOUS: Final = 0x21


@dataclass(frozen=True)
class Policy:
    """The differences between rungs. The defaults suit namespaces of the job's own.

    `processes`: programs may be started, as the program of the job itself must be.
    `metadata`: modes and times of files may be changed; Landlock does not forbid this for files elsewhere.
    `signals`: any process may be signalled; if false, only the process itself.
    `truncate`: files may be cut by path, or when opened for reading, which Landlock 1 and 2 do not see.
    `locks`: locks on files hold; otherwise taking one does nothing.
    `display`: sockets with a name in the file system, by which a program talks to its display, and a display serves.
    """

    processes: bool = True
    metadata: bool = True
    signals: bool = True
    truncate: bool = True
    locks: bool = False
    display: bool = False


@dataclass(frozen=True)
class Instruction:
    """One instruction of the kernel's packet filter machine."""

    code: int
    value: int
    if_true: int = 0
    if_false: int = 0

    def packed(self) -> bytes:
        """The bytes that the kernel reads."""
        return struct.pack("=HBBI", self.code, self.if_true, self.if_false, self.value)


Rule = list[Instruction]


def program(machine: str, policy: Policy) -> bytes:
    """The filter for a machine, as bytes; empty for a machine whose calls are not known."""
    if machine not in MACHINES:
        return b""
    return b"".join(instruction.packed() for instruction in instructions(machine, policy))


def instructions(machine: str, policy: Policy) -> Iterator[Instruction]:
    """The instructions: compare the machine, then one rule after another, the plain ones first."""
    yield Instruction(LOAD, 4)
    yield from (Instruction(EQUAL, AUDIT_ARCH[machine], 1, 0), Instruction(RETURN, KILL))
    yield Instruction(LOAD, 0)
    yield from (Instruction(AT_LEAST, FOREIGN_NUMBERS, 0, 1), Instruction(RETURN, KILL))
    known = numbers(machine)
    for name, rule in rules(policy).items():
        if name in known:
            yield Instruction(EQUAL, known[name], 0, len(rule))
            yield from rule
    yield from answer(FAIL | errno.ENOSYS)


def rules(policy: Policy) -> dict[str, Rule]:
    """The rule of each call, by name; each rule ends in an answer."""
    plain: dict[str, Rule] = {}

    def give(names: Iterable[str], action: int) -> None:
        plain.update((name, answer(action)) for name in names)

    give(ALLOWED, ALLOW)
    give(STARTS_PROCESSES, ALLOW if policy.processes else FAIL | errno.EPERM)
    give(NO_EFFECT, FAIL)
    give(["flock"], ALLOW if policy.locks else FAIL)
    give(METADATA, ALLOW if policy.metadata else FAIL)
    give(ATTRIBUTES, ALLOW if policy.metadata else FAIL | errno.ENOTSUP)
    give(NETWORK, FAIL | errno.EACCES)
    give(REFUSED, FAIL | errno.EPERM)
    return {**plain, **looked_at(policy)}


def looked_at(policy: Policy) -> Mapping[str, Rule]:
    """The rules that read a call's arguments. Only the low 32 bits are compared, as the kernel reads them."""
    refuse = answer(FAIL | errno.EPERM)
    found = {
        "clone": [*first(CLONE_NEW, ANY_BIT, refuse), *threads_only(policy), *answer(ALLOW)],
        # Its flags are behind a pointer, where no filter can look; the libraries fall back to `clone`.
        "clone3": answer(FAIL | errno.ENOSYS),
        "socketpair": socketpair(),
        "getsockopt": getsockopt(),
        # Moves the descriptors of one thread apart, and doubles what the limit on them allows.
        "close_range": [argument(2), Instruction(ANY_BIT, CLOSE_RANGE_UNSHARE, 0, 1), *refuse, *answer(ALLOW)],
        # A filter is memory of the kernel. The last one of a job is loaded before it begins.
        "seccomp": answer(ALLOW) if policy.processes else refuse,
        "ioctl": [*one_of(1, IOCTLS, answer(ALLOW)), *answer(FAIL | errno.ENOTTY)],
        "fcntl": [
            *one_of(1, F_SETLK, answer(ALLOW if policy.locks else FAIL)),
            *one_of(1, F_REFUSED, refuse),
            *answer(ALLOW),
        ],
        "mmap": mmap(),
        # In a deleted file it takes room that no folder shows; the libraries write instead.
        "fallocate": answer(FAIL | errno.EOPNOTSUPP),
        "prctl": [*one_of(0, PRCTLS, answer(ALLOW)), *refuse],
        # Only the limits of the process itself, not those of another process of the same user.
        "prlimit64": [*one_of(0, (0,), answer(ALLOW)), *refuse],
        "kill": signal_rule(policy, (0,)),
        "tkill": signal_rule(policy, ()),
        "tgkill": signal_rule(policy, ()),
        "open": open_rule(policy, 1),
        "openat": open_rule(policy, 2),
        "creat": [*no_set_id(1), *answer(ALLOW)],
    }
    if policy.metadata:
        modes = {"chmod": 1, "fchmod": 1, "fchmodat": 2, "fchmodat2": 2}
        found |= {name: [*no_set_id(position), *answer(ALLOW)] for name, position in modes.items()}
    if not policy.truncate:
        found["truncate"] = refuse
    if policy.display:
        found |= dict.fromkeys(OF_A_DISPLAY, answer(ALLOW))
        found["socket"] = socketpair()
    return found


def answer(action: int) -> Rule:
    return [Instruction(RETURN, action)]


def argument(position: int) -> Instruction:
    """Load the low half of an argument, which both machines keep first."""
    return Instruction(LOAD, 16 + 8 * position)


def first(value: int, test: int, then: Rule) -> Rule:
    """Do `then` if the first argument passes the test."""
    return [argument(0), Instruction(test, value, 0, len(then)), *then]


def one_of(position: int, values: Iterable[int], then: Rule) -> Rule:
    """Do `then`, which ends in an answer, if the argument has one of the values."""
    found = [argument(position)]
    for value in values:
        found += [Instruction(EQUAL, value, 0, len(then)), *then]
    return found


def threads_only(policy: Policy) -> Rule:
    if policy.processes:
        return []
    refuse = answer(FAIL | errno.EPERM)
    return [
        argument(0), Instruction(ANY_BIT, CLONE_THREAD, 1, 0), *refuse,
        Instruction(ANY_BIT, CLONE_FILES, 1, 0), *refuse,
    ]  # fmt: skip


def socketpair() -> Rule:
    """A connected stream within the job, which event loops and multiprocessing cannot do without.

    A pair of datagram sockets could be pointed elsewhere. The buffers of a stream stay at the kernel's default, because
    `setsockopt` is refused, and the keeper counts them.
    """
    refuse = answer(FAIL | errno.EACCES)
    return [
        argument(0), Instruction(EQUAL, AF_UNIX, 1, 0), *refuse,
        argument(1), Instruction(MASK, SOCKET_TYPE), Instruction(EQUAL, SOCK_STREAM, 1, 0), *refuse,
        *answer(ALLOW),
    ]  # fmt: skip


def getsockopt() -> Rule:
    """Python's queries of any socket; not of the process at its other end, of which it could get a descriptor."""
    refuse = answer(FAIL | errno.EPERM)
    return [
        argument(1),
        Instruction(EQUAL, SOL_SOCKET, 1, 0),
        *refuse,
        *one_of(2, SOCKET_FACTS, answer(ALLOW)),
        *refuse,
    ]


def signal_rule(policy: Policy, also: tuple[int, ...]) -> Rule:
    """Signals: never to the process that watches over a namespace and, by the policy, only to the process itself."""
    refuse = answer(FAIL | errno.EPERM)
    if policy.signals:
        return [*one_of(0, (1,), refuse), *answer(ALLOW)]
    return [*one_of(0, (OWN_PID, *also), answer(ALLOW)), *refuse]


def open_rule(policy: Policy, position: int) -> Rule:
    """Refuse to make a file with set-id rights and, by the policy, to cut a file that is opened for reading."""
    refuse = answer(FAIL | errno.EPERM)
    uncut = [argument(position), Instruction(MASK, OPEN_WRITE_OR_TRUNCATE), Instruction(EQUAL, O_TRUNC, 0, 1), *refuse]
    made = no_set_id(position + 1)
    return [
        *([] if policy.truncate else uncut),
        argument(position), Instruction(ANY_BIT, MAKES_A_FILE, 0, len(made)), *made,
        *answer(ALLOW),
    ]  # fmt: skip


def no_set_id(position: int) -> Rule:
    """Refuse a mode that lets users run the file with its owner's or group's rights."""
    return [argument(position), Instruction(ANY_BIT, SET_ID, 0, 1), *answer(FAIL | errno.EPERM)]


def mmap() -> Rule:
    """Refuse shared memory without a file: pages that a process unmaps stay in use, and no limit counts them."""
    return [
        argument(3), Instruction(MASK, MMAP_SHARING_AND_ANONYMOUS), Instruction(EQUAL, MMAP_SHARED_ANONYMOUS, 0, 1),
        *answer(FAIL | errno.ENOMEM), *answer(ALLOW),
    ]  # fmt: skip


class Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p))


def load(encoded: str, machine: str, own_pid: int, every_thread: bool = False) -> None:
    """Restrict this thread, or every thread of this process, and all that they start, by a program (as base64).

    This cannot be undone. Needs `no_new_privs`. Programs add up: a call must be allowed by all loaded ones.
    """
    code = base64.b64decode(encoded).replace(struct.pack("=I", OWN_PID), struct.pack("=I", own_pid))
    flags = EVERY_THREAD if every_thread else 0
    # With that flag the result can also be the id of a thread that cannot be restricted.
    if system_call("seccomp", SECCOMP[machine], SET_MODE_FILTER, flags, Program(len(code) // 8, code)):
        raise OSError(errno.EBUSY, "a thread cannot be restricted by the system call filter")
