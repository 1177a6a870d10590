"""Docker's default filter of system calls (its seccomp profile), reduced to the calls that
the filter refuses and the kernel would allow an ordinary user: above all userfaultfd, so that
pages are protected by mprotect."""

import ctypes
import errno
import functools
import os
import platform
import struct
from typing import Callable, List, Optional, Tuple

# System calls by number on x86-64 that Docker refuses with EPERM.
REFUSED = {
    "add_key": 248, "bpf": 321, "clock_settime": 227, "delete_module": 176, "fanotify_init": 300,
    "finit_module": 313, "fsconfig": 431, "fsmount": 432, "fsopen": 430, "get_mempolicy": 239,
    "init_module": 175, "io_uring_enter": 426, "io_uring_register": 427, "io_uring_setup": 425,
    "ioperm": 173, "iopl": 172, "kcmp": 312, "kexec_file_load": 320, "kexec_load": 246,
    "keyctl": 250, "lookup_dcookie": 212, "mbind": 237, "mount": 165, "move_mount": 429,
    "move_pages": 279, "open_by_handle_at": 304, "open_tree": 428, "perf_event_open": 298,
    "personality": 135, "pivot_root": 155, "quotactl": 179, "reboot": 169, "request_key": 249,
    "set_mempolicy": 238, "setns": 308, "settimeofday": 164, "swapoff": 168, "swapon": 167,
    "sysfs": 139, "umount2": 166, "unshare": 272, "uselib": 134, "userfaultfd": 323, "ustat": 136,
    "vhangup": 153,
}
# Refused with ENOSYS, so that the C library falls back to clone.
UNKNOWN = {"clone3": 435}

_ALLOW, _ERROR = 0x7fff0000, 0x00050000
_LOAD, _JUMP_IF_EQUAL, _RETURN = 0x20, 0x15, 0x06
_PR_SET_NO_NEW_PRIVS, _PR_SET_SECCOMP, _MODE_FILTER = 38, 22, 2


class _Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("instructions", ctypes.c_void_p)]


def _instructions() -> bytes:
    def one(code: int, then: int, otherwise: int, value: int) -> bytes:
        return struct.pack("=HBBI", code, then, otherwise, value)

    groups: List[Tuple[List[int], int]] = [(sorted(REFUSED.values()), errno.EPERM),
                                           (sorted(UNKNOWN.values()), errno.ENOSYS)]
    program = one(_LOAD, 0, 0, 0)  # the number of the call
    for numbers, error in groups:
        for number in numbers:
            program += one(_JUMP_IF_EQUAL, 0, 1, number) + one(_RETURN, 0, 0, _ERROR | error)
    return program + one(_RETURN, 0, 0, _ALLOW)


def _install(libc: ctypes.CDLL, program: _Program) -> bool:
    return (libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 and
            libc.prctl(_PR_SET_SECCOMP, _MODE_FILTER, ctypes.byref(program), 0, 0) == 0)


def installer() -> Callable[[], None]:
    """For subprocess.Popen(preexec_fn=...): the filter applies to the child and its children.
    The filter is built before the fork, so that the child only makes system calls."""
    code = _instructions()
    buffer = ctypes.create_string_buffer(code, len(code))
    program = _Program(len(code) // 8, ctypes.cast(buffer, ctypes.c_void_p))
    libc = ctypes.CDLL(None, use_errno=True)

    def install() -> None:
        assert buffer is not None  # The buffer lives as long as this object.
        if not _install(libc, program):
            os._exit(126)

    return install


@functools.lru_cache(maxsize=None)
def missing() -> Optional[str]:
    """The reason why the filter cannot be set up here, or None."""
    if platform.machine() != "x86_64":
        return f"the filter is not known for {platform.machine()}"
    process = os.fork()
    if process == 0:
        installer()()
        refused = ctypes.CDLL(None, use_errno=True).syscall(REFUSED["userfaultfd"], 1) < 0
        os._exit(0 if refused and ctypes.get_errno() == errno.EPERM else 126)
    return None if os.waitpid(process, 0)[1] == 0 else "the kernel takes no filters of system calls"
