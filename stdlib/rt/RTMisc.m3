UNSAFE MODULE RTMisc;

IMPORT Cstring, RTMemory;

PROCEDURE Copy(src, dest: ADDRESS; len: INTEGER) =
  BEGIN
    RTMemory.Move(dest, src, len);
  END Copy;

PROCEDURE Zero(dest: ADDRESS; len: INTEGER) =
  BEGIN
    IF len > 0 THEN EVAL Cstring.memset(dest, 0, len) END;
  END Zero;

PROCEDURE Align(a: ADDRESS; y: INTEGER): ADDRESS =
  BEGIN
    RETURN LOOPHOLE(Upper(LOOPHOLE(a, INTEGER), y), ADDRESS);
  END Align;

PROCEDURE Upper(x, y: INTEGER): INTEGER =
  BEGIN
    RETURN (x + y - 1) DIV y * y;
  END Upper;

BEGIN
END RTMisc.
