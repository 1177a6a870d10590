(* golden: run, with lib/Check *)
(* A handler, and a FINALLY part on the way, find the variables of their procedure as they were at the call that raised
   (language.md 13), also where every procedure between keeps many values, arrays of unknown size among them; the second
   and later raises from a place do what the first did. *)
MODULE Main;

IMPORT Check, Thread;

EXCEPTION
  Deep(INTEGER);
  Other;

VAR log := 0;

(* Keeps more values alive over its call than there are registers. *)
PROCEDURE Down(n, a, b, c: INTEGER): INTEGER RAISES {Deep, Other} =
  VAR d := a * 3 + n;  e := b * 5 + d;  f := c * 7 + e;  g := d + f;  h := e * g MOD 1009;  below: INTEGER;
  BEGIN
    IF n = 0 THEN
      IF a MOD 2 = 0 THEN RAISE Deep(a) ELSE RAISE Other END;
    END;
    IF n MOD 3 = 0 THEN below := WithArray(n - 1, b, c, d) ELSE below := Down(n - 1, b, c, h) END;
    RETURN below + d * e + f * g + h + a * b * c;
  END Down;

(* The size of its frame is known only when it runs. *)
PROCEDURE WithArray(n, a, b, c: INTEGER): INTEGER RAISES {Deep, Other} =
  PROCEDURE Use(x: ARRAY OF INTEGER): INTEGER RAISES {Deep, Other} =  <*NOWARN*>
    BEGIN
      x[0] := a;
      RETURN Down(n, x[0], b, c) + x[LAST(x)];
    END Use;
  BEGIN
    WITH array = NEW(REF ARRAY OF INTEGER, 5 + n) DO RETURN Use(array^) + a END;
  END WithArray;

PROCEDURE Finally(n, a: INTEGER): INTEGER RAISES {Deep, Other} =
  VAR b := a + 1;  c := a * 2;  d := b * c;  sum := 0;
  BEGIN
    TRY
      sum := Down(n, a, b, c);
    FINALLY
      INC(log, a + b + c + d);
    END;
    RETURN sum + d;
  END Finally;

PROCEDURE Handle(n, a: INTEGER): INTEGER =
  VAR b := a * 11;  c := b + n;  d := c * c;  e := d - a;  kind := 0;  value := 0;
  BEGIN
    TRY
      EVAL Finally(n, a);
    EXCEPT
    | Deep (v) => kind := 1; value := v;
    | Other => kind := 2;
    END;
    IF b # a * 11 OR c # a * 11 + n OR d # c * c OR e # c * c - a THEN RETURN -1 END;
    RETURN kind * 100000 + value MOD 1000;
  END Handle;

(* The result of Handle and what its FINALLY part saw, each time the same. *)
PROCEDURE Repeat(n, a: INTEGER) =
  VAR before := log;  first := Handle(n, a);  seen := log - before;
  BEGIN
    Check.That(first > 0, "the variables of a handler");
    Check.Int(seen, a + (a + 1) + 2 * a + (a + 1) * 2 * a, "what FINALLY saw");
    FOR i := 1 TO 20 DO
      before := log;
      Check.Int(Handle(n, a), first, "the same again");
      Check.Int(log - before, seen, "the same in FINALLY");
    END;
  END Repeat;

PROCEDURE Nested(a: INTEGER): INTEGER =
  VAR b := a + 7;  c := b * 3;
  BEGIN
    TRY
      TRY
        EVAL Down(3, a, b, c);
      EXCEPT
      | Deep (v) => RAISE Deep(v + b);
      | Other => EVAL Down(2, c - c MOD 2, b, a);
      END;
    EXCEPT
    | Deep (v) => RETURN v + b + c;
    | Other => RETURN b + c;
    END;
    RETURN 0;
  END Nested;

VAR mutex := NEW(MUTEX);

PROCEDURE Locked(a: INTEGER): INTEGER RAISES {Deep, Other} =
  BEGIN
    LOCK mutex DO RETURN Down(4, a, a, a) END;
  END Locked;

PROCEDURE Run(<*UNUSED*> closure: Thread.Closure): REFANY =
  BEGIN
    FOR i := 1 TO 200 DO
      IF Handle(i MOD 9, i) < 0 THEN RETURN mutex END;
    END;
    RETURN NIL;
  END Run;

VAR threads: ARRAY [0..3] OF Thread.T;
BEGIN
  FOR n := 0 TO 9 DO
    FOR a := 2 TO 5 DO Repeat(n, a) END;
  END;
  FOR i := 1 TO 3 DO
    Check.That(Nested(2) # 0, "nested");
    Check.Int(Nested(2), Nested(2), "nested again");
    TRY EVAL Locked(i) EXCEPT Deep, Other => END;
    LOCK mutex DO END;
  END;
  FOR i := 0 TO 3 DO threads[i] := Thread.Fork(NEW(Thread.Closure, apply := Run)) END;
  FOR i := 0 TO 3 DO Check.That(Thread.Join(threads[i]) = NIL, "the variables of a handler in a thread") END;
  Check.That(log > 0, "log");
  Check.Done();
END Main.
(* expect: all checks hold *)
