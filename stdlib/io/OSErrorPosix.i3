(* Errors of POSIX calls as atoms: "errno=n", then the system's text for the error. *)
INTERFACE OSErrorPosix;

IMPORT Atom, OSError;

PROCEDURE ErrnoAtom(n: INTEGER): Atom.T;

(* The inverse; -1 for any other atom. *)
PROCEDURE AtomToErrno(a: Atom.T): INTEGER;

(* Raise OSError.E for the last call that failed, or for errno; debugMessage comes last. *)
PROCEDURE Raise() RAISES {OSError.E};
PROCEDURE RaiseT(debugMessage: TEXT) RAISES {OSError.E};
PROCEDURE Raise0(errno: INTEGER) RAISES {OSError.E};
PROCEDURE Raise0T(errno: INTEGER; debugMessage: TEXT) RAISES {OSError.E};

END OSErrorPosix.
