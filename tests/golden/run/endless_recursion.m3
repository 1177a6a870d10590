(* golden: run *)
(* An endless recursion overflows the stack even if its calls are tail calls; tail calls of a
   recursion that ends take no stack (language.md 23). *)
MODULE Main;

IMPORT IO, RuntimeError, Sideways;

TYPE
  Procs = ARRAY OF PROCEDURE () RAISES ANY;
  List = REF RECORD next: List END;
  O = OBJECT METHODS m(n: INTEGER): INTEGER := Method END;

VAR
  count := 0;
  procedure := ByVariable;

PROCEDURE Self() = BEGIN Self() END Self;

PROCEDURE Sum(n: INTEGER): INTEGER =
  BEGIN IF n MOD 3 = 0 THEN RETURN Sum(n + 1) + 1 ELSE RETURN Sum(n + 2) * 3 END END Sum;
PROCEDURE OfSum() = BEGIN count := Sum(1) END OfSum;

PROCEDURE Ping(n: INTEGER) = BEGIN Pong(n + 1) END Ping;
PROCEDURE Pong(n: INTEGER) = BEGIN Ping(n - 1) END Pong;
PROCEDURE Mutual() = BEGIN Ping(0) END Mutual;

PROCEDURE InLoop() = BEGIN LOOP InLoop() END END InLoop;

PROCEDURE Method(o: O; n: INTEGER): INTEGER = BEGIN RETURN o.m(n + 1) END Method;
PROCEDURE OfMethod() = BEGIN count := NEW(O).m(1) END OfMethod;

PROCEDURE ByVariable() = BEGIN procedure() END ByVariable;

PROCEDURE Across() = BEGIN Sideways.Do(Across) END Across;

PROCEDURE Length(l: List; sofar: INTEGER): INTEGER =
  BEGIN IF l = NIL THEN RETURN sofar ELSE RETURN Length(l.next, sofar + 1) END END Length;
PROCEDURE OfList() =
  VAR list: List;
  BEGIN
    FOR i := 1 TO 1000 DO list := NEW(List, next := list) END;
    IO.PutInt(Length(list, 0)); IO.Put("\n");
  END OfList;

CONST
  All = Procs{Self, OfSum, Mutual, InLoop, OfMethod, ByVariable, Across, OfList};

BEGIN
  FOR i := FIRST(All) TO LAST(All) DO
    TRY
      All[i]();
    EXCEPT
    | RuntimeError.E (t) => IO.Put(RuntimeError.Tag(t) & "\n");
    ELSE
      IO.Put("another exception\n");
    END;
  END;
END Main.
(* unit: Sideways.i3 *)
INTERFACE Sideways;
PROCEDURE Do(p: PROCEDURE ());
END Sideways.
(* unit: Sideways.m3 *)
MODULE Sideways;
PROCEDURE Do(p: PROCEDURE ()) = BEGIN p() END Do;
BEGIN
END Sideways.
(* expect: stack overflow *)
(* expect: stack overflow *)
(* expect: stack overflow *)
(* expect: stack overflow *)
(* expect: stack overflow *)
(* expect: stack overflow *)
(* expect: stack overflow *)
(* expect: 1000 *)
