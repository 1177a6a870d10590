(* golden: run *)
(* A copy of references, and a loop that stores references, through NIL: these are errors, and
   mark no cards. *)
MODULE Main;

IMPORT IO, RuntimeError;

TYPE
  T = REF INTEGER;
  R = REF RECORD a: ARRAY [0..99] OF T END;
VAR r: R; q := NEW(R); n := 0;

PROCEDURE Copy(p: R) = BEGIN p.a := q.a END Copy;
PROCEDURE Fill(p: R; t: T) = BEGIN FOR i := 0 TO 99 DO p.a[i] := t END END Fill;

BEGIN
  FOR i := 1 TO 3 DO
    TRY Copy(r) EXCEPT RuntimeError.E => INC(n) END;
    TRY Fill(r, NEW(T)) EXCEPT RuntimeError.E => INC(n) END;
  END;
  Copy(q); Fill(q, NEW(T));
  IO.PutInt(n); IO.Put("\n");
END Main.
(* expect: 6 *)
