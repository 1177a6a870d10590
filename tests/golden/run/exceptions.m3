(* golden: run, -w *)
(* RAISE, handlers, FINALLY, and the effects of EXIT and RETURN on them. *)
MODULE Main;

IMPORT IO;

EXCEPTION Plain; Number(INTEGER); Other; Big(Record);

TYPE Record = RECORD a: INTEGER; t: TEXT; x: ARRAY [0..9] OF INTEGER END;

PROCEDURE Int(n: INTEGER) =
  BEGIN
    IO.PutInt(n);
    IO.Put(" ");
  END Int;

PROCEDURE Line() =
  BEGIN
    IO.Put(".\n");
  END Line;

PROCEDURE Raise(n: INTEGER) RAISES {Plain, Number, Other, Big} =
  VAR r: Record;
  BEGIN
    CASE n OF
    | 0 => RAISE Plain;
    | 1 => RAISE Number(42);
    | 2 => RAISE Other;
    | 3 => r.a := 5; r.t := "big"; r.x[9] := 99; RAISE Big(r);
    ELSE (* nothing *)
    END;
  END Raise;

PROCEDURE Try(n: INTEGER) RAISES {Other} =
  VAR state := 0;
  BEGIN
    TRY
      state := 1;
      Raise(n);
      state := 2;
    EXCEPT
    | Plain => IO.Put("plain "); Int(state);
    | Number(i) => INC(i); IO.Put("number "); Int(i); Int(state);
    | Big(r) => IO.Put(r.t & " "); Int(r.a + r.x[9]);
    END;
    Int(state);
  END Try;

(* The returned value is computed before the FINALLY part. *)
PROCEDURE ReturnValue(): INTEGER =
  VAR i := 1;
  BEGIN
    TRY RETURN i FINALLY i := 2; Int(i) END;
  END ReturnValue;

PROCEDURE ReturnRecord(): Record =
  VAR r: Record;
  BEGIN
    r.a := 3;
    TRY
      TRY RETURN r FINALLY r.a := 4 END;
    FINALLY
      Int(r.a);
    END;
  END ReturnRecord;

PROCEDURE ElseCatchesReturn(): INTEGER =
  BEGIN
    TRY RETURN 1 EXCEPT ELSE IO.Put("else ") END;
    RETURN 2;
  END ElseCatchesReturn;

PROCEDURE FinallyReturns(): INTEGER =
  BEGIN
    TRY Raise(0) FINALLY RETURN 7 END;
  END FinallyReturns;

PROCEDURE Loops(): INTEGER =
  VAR n := 0;
  BEGIN
    LOOP TRY Raise(0) FINALLY EXIT END END;
    FOR i := 1 TO 10 DO
      TRY
        IF i = 3 THEN EXIT END;
        INC(n, i);
      FINALLY
        INC(n, 100);
      END;
    END;
    WHILE TRUE DO
      TRY
        TRY
          LOOP
            TRY EXIT FINALLY INC(n, 1000) END;
          END;
          EXIT;
        FINALLY
          INC(n, 10000);
        END;
      EXCEPT Plain => INC(n, 5);
      END;
    END;
    RETURN n;
  END Loops;

PROCEDURE Nested(n: INTEGER) RAISES {Other} =
  BEGIN
    TRY
      TRY
        TRY Raise(n) EXCEPT Plain => IO.Put("inner "); RAISE Other END;
      EXCEPT Number(i) => IO.Put("middle "); Int(i);
      END;
    FINALLY
      IO.Put("finally ");
    END;
  END Nested;

PROCEDURE Replaced() RAISES {Other} =
  BEGIN
    TRY Raise(0) FINALLY RAISE Other END;
  END Replaced;

PROCEDURE UpLevel(): INTEGER =
  VAR total := 0;
  PROCEDURE Add(n: INTEGER) RAISES {Number} =
    BEGIN
      TRY
        INC(total, n);
        IF n = 3 THEN RAISE Number(total) END;
      FINALLY
        INC(total, 100);
      END;
    END Add;
  BEGIN
    TRY
      FOR i := 1 TO 5 DO Add(i) END;
    EXCEPT
      Number(x) => RETURN total * 1000 + x;
    END;
    RETURN 0;
  END UpLevel;

PROCEDURE Formals(a: INTEGER; VAR b: INTEGER; READONLY c: ARRAY OF INTEGER; VAR d: ARRAY OF INTEGER) =
  BEGIN
    TRY
      INC(a, c[1]);
      INC(b, a);
      d[0] := b;
      Raise(1);
    EXCEPT
    | Number(n) => b := b + n + a + NUMBER(d);
    | Plain, Other =>
    ELSE
    END;
  END Formals;

VAR b := 5;  v := ARRAY [0..2] OF INTEGER{1, 2, 3};

BEGIN
  FOR i := 0 TO 4 DO
    TRY Try(i) EXCEPT Other => IO.Put("other ") END;
  END;
  Line();
  Int(ReturnValue()); Int(ReturnRecord().a); Int(ElseCatchesReturn()); Int(FinallyReturns()); Line();
  Int(Loops()); Line();
  FOR i := 0 TO 2 DO
    TRY Nested(i) EXCEPT Other => IO.Put("outer ") END;
  END;
  Line();
  TRY Replaced() EXCEPT Other => IO.Put("replaced\n") END;
  Int(UpLevel()); Line();
  Formals(1, b, v, v); Int(b); Int(v[0]); Line();
  TRY
    FOR i := 1 TO 3 DO
      TRY IF i = 2 THEN EXIT END; Int(i) EXCEPT ELSE IO.Put("caught ") END;
    END;
  EXCEPT ELSE IO.Put("no ");
  END;
  Line();
  TRY IO.Put("body "); FINALLY IO.Put("cleaned\n") END;
  TRY Raise(3) FINALLY IO.Put("not reached\n") END;
END Main.
(* expect: plain 1 1 number 43 1 1 other big 104 1 2 . *)
(* expect: 2 1 4 3 else 2 7 . *)
(* expect: 11303 . *)
(* expect: inner finally outer middle 42 finally finally outer . *)
(* expect: replaced *)
(* expect: 306206 . *)
(* expect: 56 8 . *)
(* expect: 1 caught 3 . *)
(* expect: body cleaned *)
(* expect-stderr: *** unhandled exception: Main.Big *)
(* expect-status: 4 *)
