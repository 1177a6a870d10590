(* golden: run, with lib/Check *)
(* Procedures that call themselves, which the optimiser inlines into
   themselves. *)
MODULE Main;

IMPORT Check, RuntimeError, Thread;

EXCEPTION
  Found(INTEGER);

TYPE
  Tree = REF RECORD left, right: Tree;  key: INTEGER END;
  Row = ARRAY [0..40] OF INTEGER;

VAR
  order: INTEGER;

PROCEDURE Fibonacci(n: INTEGER): INTEGER =
  BEGIN
    IF n < 2 THEN RETURN n END;
    RETURN Fibonacci(n - 1) + Fibonacci(n - 2);
  END Fibonacci;

PROCEDURE Ackermann(m, n: INTEGER): INTEGER =
  BEGIN
    IF m = 0 THEN RETURN n + 1 END;
    IF n = 0 THEN RETURN Ackermann(m - 1, 1) END;
    RETURN Ackermann(m - 1, Ackermann(m, n - 1));
  END Ackermann;

PROCEDURE Insert(VAR t: Tree; key: INTEGER) =
  BEGIN
    IF t = NIL THEN t := NEW(Tree, key := key); RETURN END;
    IF key < t.key THEN Insert(t.left, key) ELSE Insert(t.right, key) END;
  END Insert;

(* 1 if the keys come in ascending order, else 0. *)
PROCEDURE Ascending(t: Tree): INTEGER =
  BEGIN
    IF t = NIL THEN RETURN 1 END;
    IF Ascending(t.left) = 0 OR t.key <= order THEN RETURN 0 END;
    order := t.key;
    RETURN Ascending(t.right);
  END Ascending;

(* The local array of each level is its own. *)
PROCEDURE Rows(n: INTEGER): INTEGER =
  VAR row: Row;  sum := 0;
  BEGIN
    FOR i := 0 TO LAST(row) DO row[i] := n * i END;
    IF n > 0 THEN sum := Rows(n - 1) + Rows(n - 1) END;
    FOR i := 0 TO LAST(row) DO INC(sum, row[i]) END;
    RETURN sum;
  END Rows;

(* So is a variable that is passed on by address. *)
PROCEDURE Chain(n: INTEGER; VAR above: INTEGER): INTEGER =
  VAR here := n;  below: INTEGER;
  BEGIN
    INC(above);
    IF n = 0 THEN RETURN 0 END;
    below := Chain(n - 1, here);
    RETURN below + here;
  END Chain;

PROCEDURE Search(t: Tree; key: INTEGER) RAISES {Found} =
  BEGIN
    IF t = NIL THEN RETURN END;
    IF t.key = key THEN RAISE Found(key) END;
    Search(t.left, key);
    Search(t.right, key);
  END Search;

(* Each level handles the exception from the level below, and raises it
   again. *)
PROCEDURE Rethrow(n: INTEGER; VAR levels: INTEGER) RAISES {Found} =
  BEGIN
    IF n = 0 THEN RAISE Found(0) END;
    TRY
      Rethrow(n - 1, levels);
    EXCEPT
    | Found(i) => INC(levels); RAISE Found(i + 1);
    END;
  END Rethrow;

PROCEDURE Forever(n: INTEGER): INTEGER =
  BEGIN
    RETURN Forever(n + 1) * 3 + n;
  END Forever;

PROCEDURE Nested(n: INTEGER): INTEGER =
  VAR calls := 0;

  PROCEDURE Hanoi(discs: INTEGER) =
    BEGIN
      IF discs = 0 THEN RETURN END;
      Hanoi(discs - 1);
      INC(calls);
      Hanoi(discs - 1);
    END Hanoi;

  BEGIN
    Hanoi(n);
    RETURN calls;
  END Nested;

PROCEDURE Walk(cl: Thread.Closure): REFANY =
  VAR sum := 0;
  BEGIN
    FOR i := 1 TO 20 DO INC(sum, Fibonacci(15)) END;
    Check.Int(sum, 20 * 610, "in a thread");
    RETURN cl;
  END Walk;

VAR
  t: Tree := NIL;
  levels, above := 0;
  other: Thread.T;

BEGIN
  Check.Int(Fibonacci(20), 6765, "Fibonacci");
  Check.Int(Ackermann(2, 9), 21, "Ackermann");
  FOR i := 0 TO 999 DO Insert(t, i * 7919 MOD 10007) END;
  order := -1;
  Check.Int(Ascending(t), 1, "tree");
  Check.Int(order, 9997, "last key");
  t.right.key := -5;
  order := -1;
  Check.Int(Ascending(t), 0, "tree out of order");
  Check.Int(Rows(8), 820 * 502, "rows");
  Check.Int(Chain(100, above), 5050 + 100, "chain");
  Check.Int(above, 1, "what is above");
  TRY
    Search(t, -5);
    Check.That(FALSE, "found");
  EXCEPT
  | Found(key) => Check.Int(key, -5, "found");
  END;
  TRY
    Rethrow(50, levels);
  EXCEPT
  | Found(i) => Check.Int(i, 50, "raised again");
  END;
  Check.Int(levels, 50, "levels");
  Check.Int(Nested(10), 1023, "nested");
  other := Thread.Fork(NEW(Thread.Closure, apply := Walk));
  Check.Int(Fibonacci(15), 610, "beside a thread");
  EVAL Thread.Join(other);
  TRY
    EVAL Forever(0);
  EXCEPT
  | RuntimeError.E(e) =>
    Check.That(e = RuntimeError.T.StackOverflow, "endless recursion");
  END;
  Check.Done();
END Main.
(* expect: all checks hold *)
