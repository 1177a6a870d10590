MODULE Out;

IMPORT Fmt, IO;

PROCEDURE P(n: INTEGER) =
  BEGIN
    IO.PutInt(n);
    IO.Put("\n");
  END P;

PROCEDURE B(b: BOOLEAN) =
  BEGIN
    IO.Put(Fmt.Bool(b) & "\n");
  END B;

PROCEDURE T(t: TEXT) =
  BEGIN
    IO.Put(t & "\n");
  END T;

BEGIN
END Out.
