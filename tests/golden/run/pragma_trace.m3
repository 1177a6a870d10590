(* golden: run *)
(* 26: TRACE of variables of every kind, and of the statements of a block. *)
MODULE Main;
IMPORT IO, Fmt;

TYPE
  Pair = RECORD a, b: INTEGER END;
  Vector = ARRAY [0..2] OF INTEGER;
  R = REF INTEGER;
EXCEPTION Lost(INTEGER);

PROCEDURE Show(name: TEXT; value: INTEGER) =
  BEGIN
    IO.Put(name & "=" & Fmt.Int(value) & "\n");
  END Show;

PROCEDURE ShowPair(name: TEXT; READONLY value: Pair) =
  BEGIN
    IO.Put(name & "=" & Fmt.Int(value.a) & "," & Fmt.Int(value.b) & "\n");
  END ShowPair;

PROCEDURE ShowVector(name: TEXT; READONLY value: ARRAY OF INTEGER) =
  BEGIN
    IO.Put(name & "[0]=" & Fmt.Int(value[0]) & "\n");
  END ShowVector;

PROCEDURE ShowRef(name: TEXT; value: REFANY) =
  BEGIN
    TYPECASE value OF
    | NULL => IO.Put(name & "=NIL\n");
    | R (r) => IO.Put(name & "^=" & Fmt.Int(r^) & "\n");
    ELSE IO.Put(name & "=?\n");
    END;
  END ShowRef;

VAR
  (* expect: global=1 *)
  global: INTEGER := 1 <*TRACE Show*>;
  early <*TRACE Show*>: INTEGER;
  pair: Pair <*TRACE ShowPair*>;
  vector: Vector <*TRACE ShowVector*>;
  ref: REFANY <*TRACE ShowRef*>;

PROCEDURE Set(VAR to: INTEGER; value: INTEGER) =
  BEGIN
    to := value;
  END Set;

PROCEDURE SetAnd(VAR to: INTEGER; value: INTEGER): BOOLEAN =
  BEGIN
    to := value;
    RETURN TRUE;
  END SetAnd;

(* The formal is traced at the beginning, then when it changes; a nested procedure's assignments
   count, a shadowing name does not. *)
PROCEDURE Formal(n: INTEGER <*TRACE Show*>): INTEGER =
  PROCEDURE Inner() =
    VAR Show := 3;
    BEGIN
      n := n + Show;
    END Inner;
  BEGIN
    Inner();
    VAR n := 100; BEGIN INC(n); END;
    INC(n, 10);
    RETURN n;
  END Formal;

PROCEDURE Handle() =
  BEGIN
    TRY
      RAISE Lost(7);
    EXCEPT
    | Lost (code <*TRACE Show*>) => code := code + 1;
    END;
  END Handle;

PROCEDURE Block() =
  VAR i := 0;
  BEGIN <*TRACE Show("i", i); IO.Put("-\n") *>
    i := 1;
    IF i = 1 THEN i := 5; i := 6 END;
    INC(i);
    IF i = 7 THEN RETURN END;
    i := 99;
  END Block;

BEGIN
  (* expect: global=2 *)
  global := 2;
  (* expect: global=3 *)
  INC(global);
  (* expect: early=4 *)
  Set(early, global + 1);
  (* expect: pair=5,0 *)
  pair.a := 5;
  (* expect: pair=1,2 *)
  pair := Pair {1, 2};
  (* expect: vector[0]=9 *)
  vector[0] := 9;
  (* expect: ref^=8 *)
  (* expect: ref=NIL *)
  WITH r = NEW(R) DO r^ := 8; ref := r; r^ := 9; END;
  ref := NIL;
  (* once for the statement, behind it *)
  (* expect: in *)
  (* expect: global=6 *)
  IF SetAnd(global, 6) THEN IO.Put("in\n"); END;
  (* expect: n=1 *)
  (* expect: n=4 *)
  (* expect: n=14 *)
  (* expect: 14 *)
  IO.Put(Fmt.Int(Formal(1)) & "\n");
  (* expect: code=7 *)
  (* expect: code=8 *)
  Handle();
  (* expect: k=1 *)
  (* expect: body *)
  (* expect: k=2 *)
  (* expect: body *)
  FOR k <*TRACE Show*> := 1 TO 2 DO IO.Put("body\n"); END;
  (* expect: w=4 *)
  (* expect: early=6 *)
  (* expect: w=60 *)
  WITH w <*TRACE Show*> = early DO
    early := 6;  (* not through w; early's own trace *)
    w := 60;
  END;
  (* expect: ref=NIL *)
  (* expect: t^=9 *)
  ref := NIL;
  VAR any: REFANY := NEW(R); BEGIN
    NARROW(any, R)^ := 9;
    TYPECASE any OF R (t <*TRACE ShowRef*>) => t^ := 3; ELSE END;
  END;
  (* expect: i=1 *)
  (* expect: - *)
  (* expect: i=6 *)
  (* expect: - *)
  (* expect: i=7 *)
  (* expect: - *)
  Block();
END Main.
