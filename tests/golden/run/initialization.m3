(* golden: run, -w *)
(* Units are initialised before those that use them; interface variables before any body. *)
(* unit: A.i3 *)
INTERFACE A;
VAR early: INTEGER := 7;  texts := ARRAY [0..1] OF TEXT{"x", "y"};  flags := SET OF [0..99]{1, 70};  range: [3..9];
PROCEDURE Log(what: TEXT);
PROCEDURE Late(n: INTEGER := 5; t: TEXT := "default"): INTEGER;
END A.
(* unit: A.m3 *)
MODULE A;
IMPORT IO;
VAR log := 0;
PROCEDURE Log(what: TEXT) = BEGIN INC(log); IO.PutInt(log); IO.Put(" " & what & "\n") END Log;
PROCEDURE Late(n: INTEGER; t: TEXT): INTEGER = BEGIN Log(t); RETURN n * early END Late;
BEGIN
  Log("A " & texts[1]);
  <*ASSERT 70 IN flags AND range = 3*>
  early := 8;
END A.
(* unit: B.i3 *)
INTERFACE B;
PROCEDURE Value(): INTEGER;
END B.
(* unit: B.m3 *)
MODULE B;
IMPORT A;
VAR v := A.Late();
PROCEDURE Value(): INTEGER = BEGIN RETURN v END Value;
BEGIN
  A.Log("B");
END B.
(* unit: Main.m3 *)
MODULE Main;
IMPORT B, A, IO;
TYPE P = PROCEDURE (n: INTEGER; t: TEXT): INTEGER;
VAR first := B.Value();  second := first + 1;  p: P := A.Late;
    list := NEW(REF ARRAY OF TEXT, 2);
BEGIN
  A.Log("Main");
  VAR local := 3;  t := "block";
    PROCEDURE Inner(): INTEGER = BEGIN INC(local); A.Log(t); RETURN local END Inner;
  BEGIN
    FOR i := 1 TO 2 DO
      WITH e = list[i - 1] DO
        e := "set";
        EVAL Inner();
        TRY
          local := local * 10 + i;
          e := t & e;
        FINALLY
          IO.Put(e & "\n");
        END;
      END;
    END;
    IO.PutInt(local); IO.Put("\n");
  END;
  IO.PutInt(second); IO.Put("\n");
  IO.PutInt(p(2, "value")); IO.Put("\n");
END Main.
(* expect: 1 A y *)
(* expect: 2 default *)
(* expect: 3 B *)
(* expect: 4 Main *)
(* expect: 5 block *)
(* expect: blockset *)
(* expect: 6 block *)
(* expect: blockset *)
(* expect: 422 *)
(* expect: 41 *)
(* expect: 7 value *)
(* expect: 16 *)
