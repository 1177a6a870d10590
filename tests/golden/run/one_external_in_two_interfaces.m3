(* golden: run, -w *)
(* A variable and a function of C, each declared differently in two interfaces (language.md 26). *)
UNSAFE INTERFACE One;
TYPE Int = [-16_80000000 .. 16_7FFFFFFF];
<*EXTERNAL*> VAR optind: Int;
<*EXTERNAL*> PROCEDURE labs(n: INTEGER): INTEGER;
<*EXTERNAL strlen*> PROCEDURE Length(s: ADDRESS): INTEGER;
END One.

(* unit: Two.i3 *)
UNSAFE INTERFACE Two;
<*EXTERNAL optind*> VAR Counter: BITS 32 FOR [-16_80000000 .. 16_7FFFFFFF];
<*EXTERNAL labs*> PROCEDURE Absolute(n: CARDINAL := 7): LONGINT;
<*EXTERNAL strlen*> PROCEDURE Length(READONLY s: ARRAY [0..3] OF CHAR): CARDINAL;
END Two.

(* unit: Main.m3 *)
UNSAFE MODULE Main;
IMPORT One, Two, IO, Fmt;
VAR a := ARRAY [0..3] OF CHAR {'x', 'y', '\000', 'z'}; f := One.labs; g := Two.Absolute;
BEGIN
  One.optind := 3;
  INC(Two.Counter);
  IO.Put(Fmt.Int(One.optind) & " " & Fmt.Bool(ADR(One.optind) = ADR(Two.Counter)) & "\n");
  IO.Put(Fmt.Int(One.labs(-5)) & Fmt.LongInt(Two.Absolute()) & Fmt.Int(f(-6)) & Fmt.LongInt(g(8)) & "\n");
  IO.Put(Fmt.Int(One.Length(ADR(a))) & Fmt.Int(Two.Length(a)) & "\n");
END Main.
(* expect: 4 TRUE *)
(* expect: 5768 *)
(* expect: 22 *)
