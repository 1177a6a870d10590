MODULE Spec;
<*NOWARN*> IMPORT Wr, Text;
<*FATAL ANY*>
REVEAL T = BRANDED OBJECT <*UNUSED*> x: INTEGER := 0; END;
<*INLINE*> PROCEDURE Abs(n: INTEGER): CARDINAL =
  VAR i := 0; <*UNUSED*> j := 3; <*UNUSED*> CONST K = 4;
  BEGIN
    <*LOOPINV i >= 0 AND i <= n*>
    WHILE i < 3 DO INC(i); <*ASSERT i <= 3*> END;
    <*ASSERT i = 3, "message here" *>
    IF n < 0 THEN RETURN -n ELSE RETURN n END;
  END Abs;
PROCEDURE Old(<*UNUSED*> wr: Wr.T) = BEGIN INC(v); <*DEBUG "here"*> END Old;
<*UNUSED*> PROCEDURE Never() = BEGIN END Never;
PROCEDURE Raise() = BEGIN RAISE Imp(3) END Raise;
BEGIN
  v := 10;
END Spec.
