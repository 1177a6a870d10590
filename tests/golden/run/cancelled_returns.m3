(* golden: run, -w *)
(* A RETURN in a FINALLY part that is caught there does not change the value of the RETURN that
   led to the part; one that is not caught replaces it (language.md 14.8, 14.9, 13.6). *)
MODULE Main;
IMPORT IO, Fmt;
EXCEPTION E; V(INTEGER);
TYPE Rec = RECORD a, b: INTEGER; t: TEXT; z: ARRAY [0..9] OF INTEGER END; Arr = ARRAY [0..20] OF CHAR; Big = SET OF [0..199]; Small = SET OF [0..9];
VAR mu := NEW(MUTEX); global: INTEGER;
PROCEDURE Int(): INTEGER = BEGIN TRY RETURN 5 FINALLY TRY RETURN 6 EXCEPT ELSE END END END Int;
PROCEDURE Taken(): INTEGER = BEGIN TRY RETURN 5 FINALLY TRY RETURN 6 FINALLY global := 1 END END END Taken;
PROCEDURE Exited(): INTEGER = BEGIN TRY RETURN 5 FINALLY LOOP TRY RETURN 6 FINALLY EXIT END END END END Exited;
PROCEDURE Raised(): INTEGER = BEGIN TRY RETURN 5 FINALLY TRY TRY RETURN 6 FINALLY RAISE E END EXCEPT E => END END END Raised;
PROCEDURE Locked(): INTEGER = BEGIN TRY RETURN 5 FINALLY TRY LOCK mu DO RETURN 6 END EXCEPT ELSE END END END Locked;
PROCEDURE InLock(): INTEGER = BEGIN LOCK mu DO TRY RETURN 5 FINALLY TRY RETURN 6 EXCEPT ELSE END END END END InLock;
PROCEDURE Twice(): INTEGER =
  BEGIN TRY TRY RETURN 1 FINALLY TRY RETURN 2 EXCEPT ELSE END END FINALLY TRY TRY RETURN 3 FINALLY TRY RETURN 4 EXCEPT ELSE END END EXCEPT ELSE END END END Twice;
PROCEDURE AfterException(): INTEGER = BEGIN TRY TRY RAISE E FINALLY TRY RETURN 6 EXCEPT ELSE END END EXCEPT E => RETURN 7 END END AfterException;
PROCEDURE ByException(): INTEGER = BEGIN TRY RAISE E FINALLY RETURN 8 END END ByException;
PROCEDURE InHandler(): INTEGER = BEGIN TRY RETURN 5 FINALLY TRY RAISE V(9) EXCEPT V(v) => RETURN v END END END InHandler;
PROCEDURE Loops(VAR n: INTEGER): INTEGER =
  BEGIN FOR i := 1 TO 5 DO TRY IF i = 3 THEN RETURN 10 * i END FINALLY INC(n); TRY IF i = 3 THEN RETURN -1 END EXCEPT ELSE INC(n, 100) END END END; RETURN 0 END Loops;
PROCEDURE NoValue(VAR n: INTEGER) = BEGIN TRY n := 1; RETURN FINALLY TRY n := n + 10; RETURN EXCEPT ELSE n := n + 100 END; n := n + 1000 END; n := -1 END NoValue;
PROCEDURE Records(): Rec =
  BEGIN TRY RETURN Rec {1, 2, "one", ARRAY [0..9] OF INTEGER {3, ..}} FINALLY TRY RETURN Rec {4, 5, "two", ARRAY [0..9] OF INTEGER {6, ..}} EXCEPT ELSE END END END Records;
PROCEDURE Half(): Rec =
  PROCEDURE F(): INTEGER RAISES {E} = BEGIN RAISE E END F;
  BEGIN TRY RETURN Rec {1, 2, "half", ARRAY [0..9] OF INTEGER {3, ..}} FINALLY TRY RETURN Rec {7, F(), "no", ARRAY [0..9] OF INTEGER {F(), ..}} EXCEPT E => END END END Half;
PROCEDURE Arrays(): Arr = BEGIN TRY RETURN Arr {'a', ..} FINALLY TRY RETURN Arr {'b', ..} EXCEPT ELSE END END END Arrays;
PROCEDURE Open(READONLY a, b: ARRAY OF CHAR): Arr = BEGIN TRY RETURN a FINALLY TRY RETURN b EXCEPT ELSE END END END Open;
PROCEDURE Refs(): REF INTEGER =
  VAR a := NEW(REF INTEGER); BEGIN a^ := 11; TRY RETURN a FINALLY TRY RETURN NEW(REF INTEGER) EXCEPT ELSE FOR i := 1 TO 1000 DO EVAL NEW(REF ARRAY OF CHAR, 1000) END END END END Refs;
PROCEDURE Reals(): REAL = BEGIN TRY RETURN 1.5 FINALLY TRY RETURN 2.5 EXCEPT ELSE END END END Reals;
PROCEDURE Longs(): LONGREAL = BEGIN TRY RETURN 1.25d0 FINALLY TRY RETURN 2.5d0 EXCEPT ELSE END END END Longs;
PROCEDURE Sets(): Big = BEGIN TRY RETURN Big {3, 199} FINALLY TRY RETURN Big {4} EXCEPT ELSE END END END Sets;
PROCEDURE Smalls(): Small = BEGIN TRY RETURN Small {3} FINALLY TRY RETURN Small {4} EXCEPT ELSE END END END Smalls;
PROCEDURE Procs(): PROCEDURE (): INTEGER = BEGIN TRY RETURN Int FINALLY TRY RETURN Taken EXCEPT ELSE END END END Procs;
PROCEDURE Nested(): INTEGER =
  PROCEDURE Inner(): INTEGER = BEGIN TRY RETURN 1 FINALLY TRY RETURN 2 EXCEPT ELSE END END END Inner;
  BEGIN TRY RETURN 20 + Inner() FINALLY TRY RETURN Inner() EXCEPT ELSE END END END Nested;
VAR n := 0;
BEGIN
  IO.Put(Fmt.Int(Int()) & Fmt.Int(Taken()) & Fmt.Int(Exited()) & Fmt.Int(Raised()) & Fmt.Int(Locked()) & Fmt.Int(InLock()) & Fmt.Int(Twice()) & "\n");
  IO.Put(Fmt.Int(AfterException()) & Fmt.Int(ByException()) & Fmt.Int(InHandler()) & "\n");
  IO.Put(Fmt.Int(Loops(n)) & " " & Fmt.Int(n) & "\n");
  NoValue(n); IO.Put(Fmt.Int(n) & "\n");
  WITH r = Records() DO IO.Put(Fmt.Int(r.a) & Fmt.Int(r.b) & r.t & Fmt.Int(r.z[9]) & "\n") END;
  WITH r = Half() DO IO.Put(Fmt.Int(r.a) & Fmt.Int(r.b) & r.t & Fmt.Int(r.z[9]) & "\n") END;
  IO.PutChar(Arrays()[20]); IO.PutChar(Open(Arr {'x', ..}, Arr {'y', ..})[20]); IO.Put("\n");
  IO.Put(Fmt.Int(Refs()^) & " " & Fmt.Real(Reals()) & " " & Fmt.LongReal(Longs()) & "\n");
  IO.Put(Fmt.Bool(Sets() = Big {3, 199}) & Fmt.Bool(Smalls() = Small {3}) & Fmt.Bool(Procs() = Int) & Fmt.Int(Nested()) & "\n");
END Main.
(* expect: 5655551 *)
(* expect: 789 *)
(* expect: 30 103 *)
(* expect: 1111 *)
(* expect: 12one3 *)
(* expect: 12half3 *)
(* expect: ax *)
(* expect: 11 1.5 1.25 *)
(* expect: TRUETRUETRUE21 *)
