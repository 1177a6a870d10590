(* golden: run, -w *)
(* Variables that TRY and LOCK bodies share with the code around them have the values of the last
   assignment, however a body is left. *)
MODULE Main;

IMPORT IO, RuntimeError, Text;

EXCEPTION E; F(INTEGER);

TYPE
  List = REF RECORD value: INTEGER; next: List END;
  Colour = {Red, Green, Blue};

VAR mu := NEW(MUTEX);

PROCEDURE Int(n: INTEGER) =
  BEGIN
    IO.PutInt(n);
    IO.Put(" ");
  END Int;

PROCEDURE Nodes(n: INTEGER): List =
  VAR list: List := NIL;
  BEGIN
    FOR i := 1 TO n DO list := NEW(List, value := i, next := list) END;
    RETURN list;
  END Nodes;

(* The list ends before the loop does. *)
PROCEDURE SumInLock(list: List): INTEGER =
  VAR sum := 0;  steps: [0 .. 100] := 0;
  BEGIN
    LOCK mu DO
      WHILE list # NIL DO
        INC(sum, list.value);
        INC(steps);
        list := list.next;
      END;
    END;
    IF list = NIL THEN RETURN sum * 100 + steps ELSE RETURN -1 END;
  END SumInLock;

(* EXIT leaves the body with what it has assigned. *)
PROCEDURE ExitFromLock(list: List; limit: INTEGER): INTEGER =
  VAR sum := 0;  last: List := NIL;
  BEGIN
    LOOP
      LOCK mu DO
        IF list = NIL OR sum >= limit THEN EXIT END;
        INC(sum, list.value);
        last := list;
        list := list.next;
      END;
      INC(sum, 1000);
    END;
    RETURN sum * 10 + last.value;
  END ExitFromLock;

PROCEDURE ReturnFromLock(a: ARRAY OF INTEGER; x: INTEGER): INTEGER =
  VAR i := 0;
  BEGIN
    TRY
      LOCK mu DO
        WHILE i < NUMBER(a) DO
          IF a[i] = x THEN RETURN i END;
          INC(i);
        END;
      END;
    FINALLY
      Int(i);
    END;
    RETURN -i;
  END ReturnFromLock;

(* The exception leads to a handler of the same procedure, or to one of the caller. *)
PROCEDURE RaiseInLock(n: INTEGER; here: BOOLEAN): INTEGER RAISES {F} =
  VAR text := "";  real := 0.5D0;
  BEGIN
    TRY
      LOCK mu DO
        FOR i := 1 TO n DO
          text := text & "x";
          real := real * 2.0D0;
          IF i = 3 THEN IF here THEN RAISE E ELSE RAISE F(Text.Length(text)) END END;
        END;
      END;
    EXCEPT
      E => RETURN 100 + Text.Length(text) * 10 + TRUNC(real);
    END;
    RETURN Text.Length(text) * 10 + TRUNC(real);
  END RaiseInLock;

(* A trap, in a body whose clean-up uses one variable and not the other. *)
PROCEDURE TrapBeforeCleanup(list: List): INTEGER =
  VAR seen := 0;  other := 0;
  BEGIN
    TRY
      LOOP
        INC(other);
        seen := seen * 10 + list.value;
        INC(other);
        list := list.next;
      END;
    FINALLY
      Int(seen);
    END;
    RETURN other;
  END TrapBeforeCleanup;

PROCEDURE TryInLock(list: List): INTEGER =
  VAR n := 0;  colour := Colour.Red;
  BEGIN
    LOCK mu DO
      INC(n);
      TRY
        INC(n, 10);
        colour := Colour.Blue;
        IF list.value > 0 THEN INC(n, 100) END;
        colour := Colour.Green;
      EXCEPT
        RuntimeError.E => INC(n, 1000);
      END;
      INC(n, 10000);
    END;
    RETURN n * 10 + ORD(colour);
  END TryInLock;

(* The second round begins with what the first one has left. *)
PROCEDURE Again(list: List): INTEGER =
  VAR n := 0;  rest := list;
  BEGIN
    FOR round := 1 TO 3 DO
      TRY
        LOCK mu DO
          n := n * 10 + round;
          rest := rest.next;
          n := n * 10;
        END;
      EXCEPT
        RuntimeError.E => INC(n, 5);  rest := list;
      END;
    END;
    IF rest = list.next THEN INC(n, 1000000) END;
    RETURN n;
  END Again;

(* ELSE catches a RETURN, and sees what the body has assigned before. *)
PROCEDURE ElseAfterReturn(list: List): INTEGER =
  VAR n := 0;
  BEGIN
    TRY
      INC(n);
      IF list = NIL THEN RETURN 100 END;
      INC(n, 10);
      IF list.next.value > 0 THEN INC(n, 1000) END;
    EXCEPT ELSE
      RETURN -n;
    END;
    RETURN n;
  END ElseAfterReturn;

(* Each round has its own variables; that of all rounds keeps its value when a round fails. *)
PROCEDURE Rounds(list: List): INTEGER =
  VAR all := 0;  rest := list;
  BEGIN
    FOR i := 1 TO 4 DO
      VAR own := i * 10;  mine := 0;  BEGIN
        TRY
          WHILE mine < i DO INC(mine); INC(own) END;
          all := all * 10 + mine;
          rest := rest.next;
          INC(all, own * 10000000);
        EXCEPT
          RuntimeError.E => rest := list;
        END;
      END;
    END;
    RETURN all;
  END Rounds;

PROCEDURE Set(VAR n: INTEGER; to: INTEGER) =
  BEGIN
    n := to;
  END Set;

(* Other names for a variable of the body. *)
PROCEDURE OtherNames(): INTEGER =
  VAR a := 1;  b := 2;  c := 3;

  PROCEDURE Nested() =
    BEGIN
      INC(c, 100);
    END Nested;

  BEGIN
    WITH name = a DO
      LOCK mu DO
        name := name + 10;
        INC(a, 100);
        Set(b, a + name);
        Nested();
        INC(c, 1000);
      END;
      INC(name, 1000);
    END;
    Set(b, b + 1);
    RETURN a * 1000000 + b * 10000 + c;
  END OtherNames;

(* A body in a body: each has its own clean-up. *)
PROCEDURE Levels(list: List): INTEGER RAISES {E} =
  VAR outer := 0;  inner := 0;  both := 0;
  BEGIN
    LOCK mu DO
      INC(both);
      TRY
        INC(outer, 2);
        INC(both);
        TRY
          INC(inner, 3);
          INC(both);
          IF list = NIL THEN RAISE E END;
          INC(both, list.value);
        FINALLY
          INC(inner, both);
        END;
        INC(outer, inner);
      FINALLY
        Int(outer);
        Int(both);
      END;
    END;
    RETURN outer * 10000 + inner * 100 + both;
  END Levels;

BEGIN
  Int(SumInLock(Nodes(5)));
  Int(SumInLock(NIL));
  IO.Put(".\n");
  Int(ExitFromLock(Nodes(5), 2000));
  Int(ExitFromLock(Nodes(2), 100000));
  IO.Put(".\n");
  Int(ReturnFromLock(ARRAY OF INTEGER {7, 8, 9}, 9));
  Int(ReturnFromLock(ARRAY OF INTEGER {7, 8, 9}, 6));
  IO.Put(".\n");
  TRY Int(RaiseInLock(2, TRUE)); Int(RaiseInLock(5, TRUE)); Int(RaiseInLock(5, FALSE));
  EXCEPT F(n) => Int(n) END;
  IO.Put(".\n");
  TRY Int(TrapBeforeCleanup(Nodes(3))) EXCEPT RuntimeError.E => Int(-1) END;
  IO.Put(".\n");
  Int(TryInLock(Nodes(1)));
  Int(TryInLock(NIL));
  IO.Put(".\n");
  Int(Again(Nodes(3)));
  Int(Again(Nodes(1)));
  IO.Put(".\n");
  Int(ElseAfterReturn(NIL));
  Int(ElseAfterReturn(Nodes(1)));
  Int(ElseAfterReturn(Nodes(2)));
  Int(Rounds(Nodes(2)));
  Int(Rounds(NIL));
  IO.Put(".\n");
  Int(OtherNames());
  IO.Put(".\n");
  TRY Int(Levels(Nodes(4))); Int(Levels(NIL)) EXCEPT E => Int(-2) END;
  IO.Put(".\n");
END Main.
(* expect: 1505 0 . *)
(* expect: 20094 20031 . *)
(* expect: 2 2 3 -3 . *)
(* expect: 22 134 3 . *)
(* expect: 321 -1 . *)
(* expect: 101111 110112 . *)
(* expect: 102030 1010730 . *)
(* expect: -1 -11 1011 132440001234 1234 . *)
(* expect: 1113231103 . *)
(* expect: 12 7 121007 2 3 -2 . *)
