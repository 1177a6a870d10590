(* golden: run, -w *)
(* What belongs to a thread stays with it while it waits and others run: floating-point modes and
   flags, exceptions in flight, nested handlers, a stack that has overflowed once. (language.md 28) *)
MODULE Main;

IMPORT FloatMode, Fmt, IO, RTCollector, RuntimeError, Thread, Text;

EXCEPTION Passing(TEXT); Other(INTEGER);

CONST Many = 24;

TYPE
  Kind = {Float, Flags, Finally, Reraise, Overflow, Traps, Deep};
  Try = Thread.Closure OBJECT kind: Kind; n: INTEGER; bad := "" OVERRIDES apply := Apply END;
  List = REF RECORD next: List; n: INTEGER END;

VAR mutex := NEW(MUTEX); zero := 0; one := 1.0D0; three := 3.0D0; none: List := NIL;

PROCEDURE Rest(n: INTEGER) =
  BEGIN
    IF n MOD 3 = 0 THEN
      Thread.Pause(0.0001D0 * FLOAT(n MOD 7, LONGREAL));
    ELSE
      LOCK mutex DO Thread.Pause(0.00001D0) END;
    END;
  END Rest;

PROCEDURE Float(self: Try) RAISES {FloatMode.Failure} =
  VAR mode := VAL(self.n MOD 4, FloatMode.RoundingMode); q: LONGREAL;
  BEGIN
    FloatMode.SetRounding(mode);
    FOR i := 1 TO 20 DO
      Rest(self.n + i);
      q := one / three;
      IF FloatMode.GetRounding() # mode THEN self.bad := "rounding mode" END;
      IF mode = FloatMode.RoundingMode.TowardPlusInfinity THEN
        IF q * three < 1.0D0 OR q <= 0.333333333333333314D0 THEN self.bad := "quotient up" END;
      END;
      IF mode = FloatMode.RoundingMode.TowardMinusInfinity AND -one / three >= -0.333333333333333315D0 THEN
        self.bad := "quotient down";
      END;
    END;
  END Float;

PROCEDURE Flags(self: Try) RAISES {FloatMode.Failure} =
  VAR mine := self.n MOD 2 = 0; x: LONGREAL;
  BEGIN
    EVAL FloatMode.SetFlags(FloatMode.NoFlags);
    IF mine THEN x := one / (three - 3.0D0); IF x < 1.0D0 THEN self.bad := "1/0" END END;
    FOR i := 1 TO 20 DO
      Rest(self.n + i);
      IF FloatMode.Flag.DivByZero IN FloatMode.GetFlags() # mine THEN self.bad := "flag" END;
    END;
  END Flags;

PROCEDURE Finally(self: Try; depth: INTEGER) RAISES {Passing} =
  BEGIN
    TRY
      Rest(self.n + depth);
      IF depth = 0 THEN RAISE Passing(Fmt.Int(self.n)) END;
      Finally(self, depth - 1);
    FINALLY
      Rest(depth);
      TRY
        RAISE Other(depth);
      EXCEPT
      | Other(d) => Rest(d); IF d # depth THEN self.bad := "other" END;
      END;
    END;
  END Finally;

PROCEDURE Reraise(self: Try; depth: INTEGER) RAISES {Passing} =
  BEGIN
    TRY
      IF depth = 0 THEN RAISE Passing(Fmt.Int(self.n)) ELSE Reraise(self, depth - 1) END;
    EXCEPT
    | Passing(t) =>
        Rest(self.n + depth);
        EVAL NEW(REF ARRAY OF CHAR, 1000);
        RAISE Passing(t);
    END;
  END Reraise;

PROCEDURE Endless(n: INTEGER): INTEGER =
  VAR a: ARRAY [0..99] OF INTEGER;
  BEGIN
    a[n MOD 100] := Endless(n + 1);
    RETURN a[(n + 1) MOD 100] + n;
  END Endless;

PROCEDURE Trap(i: INTEGER) =
  VAR a: ARRAY [0..9] OF INTEGER;
  BEGIN
    CASE i MOD 4 OF
    | 0 => none.n := 1;
    | 1 => a[0] := 7 DIV zero;
    | 2 => a[10 + zero] := 1;
    | 3 => a[0] := none.next.n;
    ELSE
    END;
  END Trap;

PROCEDURE Depth(self: Try; n: INTEGER; list: List): INTEGER =
  VAR mine := NEW(List, next := list, n := n); below := 0;
  BEGIN
    IF n = 0 THEN
      Rest(self.n);
      IF self.n MOD 5 = 0 THEN RTCollector.Collect() END;
      RETURN 0;
    END;
    IF n MOD 500 = 0 THEN Rest(n) END;
    below := Depth(self, n - 1, mine);
    IF mine.n # n OR mine.next # list THEN self.bad := "deep" END;
    RETURN below + 1;
  END Depth;

PROCEDURE Apply(self: Try): REFANY =
  VAR seen := 0;
  BEGIN
    TRY
      CASE self.kind OF
      | Kind.Float => Float(self);
      | Kind.Flags => Flags(self);
      | Kind.Finally =>
          TRY Finally(self, 8); self.bad := "no exception";
          EXCEPT Passing(t) => IF NOT Text.Equal(t, Fmt.Int(self.n)) THEN self.bad := t END;
          END;
      | Kind.Reraise =>
          TRY Reraise(self, 8); self.bad := "no exception";
          EXCEPT Passing(t) => IF NOT Text.Equal(t, Fmt.Int(self.n)) THEN self.bad := t END;
          END;
      | Kind.Overflow =>
          FOR i := 1 TO 3 DO
            TRY
              EVAL Endless(0);
            EXCEPT
            | RuntimeError.E(e) => Rest(i); IF e = RuntimeError.T.StackOverflow THEN INC(seen) END;
            END;
            Rest(self.n + i);
          END;
          IF seen # 3 THEN self.bad := "overflows: " & Fmt.Int(seen) END;
      | Kind.Traps =>
          FOR i := 1 TO 12 DO
            TRY Trap(i) EXCEPT RuntimeError.E => INC(seen); Rest(i) END;
          END;
          IF seen # 12 THEN self.bad := "traps: " & Fmt.Int(seen) END;
      | Kind.Deep =>
          IF Depth(self, 3000, NIL) # 3000 THEN self.bad := "depth" END;
      END;
    EXCEPT
    ELSE self.bad := "another exception";
    END;
    RETURN NIL;
  END Apply;

PROCEDURE All(kind: Kind; name: TEXT) =
  VAR tries: ARRAY [1..Many] OF Try; threads: ARRAY [1..Many] OF Thread.T;
  BEGIN
    FOR i := 1 TO Many DO
      tries[i] := NEW(Try, kind := kind, n := i);
      threads[i] := Thread.Fork(tries[i]);
    END;
    FOR i := 1 TO Many DO EVAL Thread.Join(threads[i]) END;
    FOR i := 1 TO Many DO
      IF NOT Text.Empty(tries[i].bad) THEN
        IO.Put(name & " " & Fmt.Int(i) & ": " & tries[i].bad & "\n");
      END;
    END;
    IO.Put(name & "\n");
  END All;

BEGIN
  All(Kind.Float, "rounding");
  All(Kind.Flags, "flags");
  All(Kind.Finally, "finally");
  All(Kind.Reraise, "raised again");
  All(Kind.Overflow, "overflow");
  All(Kind.Traps, "traps");
  All(Kind.Deep, "deep");
END Main.

(* expect: rounding *)
(* expect: flags *)
(* expect: finally *)
(* expect: raised again *)
(* expect: overflow *)
(* expect: traps *)
(* expect: deep *)
