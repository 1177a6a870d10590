UNSAFE MODULE OSErrorPosix;

IMPORT Atom, AtomList, Fmt, OSError, RTFile, Text;

CONST
  Prefix = "errno=";

PROCEDURE ErrnoAtom(n: INTEGER): Atom.T =
  BEGIN
    RETURN Atom.FromText(Prefix & Fmt.Int(n));
  END ErrnoAtom;

PROCEDURE AtomToErrno(a: Atom.T): INTEGER =
  VAR t := Atom.ToText(a);  n := 0;
  BEGIN
    IF NOT Text.Equal(Text.Sub(t, 0, Text.Length(Prefix)), Prefix) THEN RETURN -1 END;
    FOR i := Text.Length(Prefix) TO Text.Length(t) - 1 DO
      n := 10 * n + ORD(Text.GetChar(t, i)) - ORD('0');
    END;
    RETURN n;
  END AtomToErrno;

PROCEDURE Raise() RAISES {OSError.E} =
  BEGIN
    Raise0(RTFile.Errno());
  END Raise;

PROCEDURE RaiseT(debugMessage: TEXT) RAISES {OSError.E} =
  BEGIN
    Raise0T(RTFile.Errno(), debugMessage);
  END RaiseT;

PROCEDURE Raise0(errno: INTEGER) RAISES {OSError.E} =
  BEGIN
    RAISE OSError.E(AtomList.List2(ErrnoAtom(errno), Atom.FromText(RTFile.ErrorText(errno))));
  END Raise0;

PROCEDURE Raise0T(errno: INTEGER; debugMessage: TEXT) RAISES {OSError.E} =
  BEGIN
    RAISE OSError.E(AtomList.List3(ErrnoAtom(errno), Atom.FromText(RTFile.ErrorText(errno)),
                                   Atom.FromText(debugMessage)));
  END Raise0T;

BEGIN
END OSErrorPosix.
