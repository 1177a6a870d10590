(* golden: run, -w *)
(* Procedures of Word and Long under other names in constants; floating operations on constants that have no finite result, where no
   constant is needed (language.md 19, 16, 25). *)
INTERFACE Bits;
IMPORT Word;
FROM Word IMPORT And, Shift;
CONST Left = Word.LeftShift; Both = And; K = Left(3, 4); Rot = Word.Rotate;
TYPE Mask = [0 .. Shift(1, 4) - 1];
END Bits.

(* unit: Main.m3 *)
MODULE Main;
IMPORT Word, Long, IO, Fmt, Bits, RuntimeError;
FROM Word IMPORT Not;
FROM Bits IMPORT K, Left;
CONST
  Right = Word.RightShift; Low = Right(Not(0), 56); Mine = Bits.Both; Less: PROCEDURE (x, y: Word.T): BOOLEAN = Word.LT;
  LRight = Long.RightShift; L = LRight(-1L, 60); One = 1.0d0; Small = 1.0d-310; Huge = 3.0E38; Rotated = Bits.Rot(1, 65);
TYPE R = RECORD a: [0 .. Mine(255, 15)] := Left(1, 3); b: BITS Right(64, 3) FOR [0 .. Low] := Low END;
VAR
  a: ARRAY [0..Low] OF CHAR; r: R; x := 2.0d0; y := 1.0; shift := Right; n := 16;
PROCEDURE Pick(n := Left(1, 5); f := Word.Plus): INTEGER = BEGIN RETURN f(n, 1) END Pick;
PROCEDURE Try(i: INTEGER) =
  BEGIN
    TRY CASE i OF
    | 0 => n := 1 DIV 0
    | 1 => n := Word.Divide(7, 0)
    | 2 => n := TRUNC(1.0d300)
    | 3 => n := Word.Extract(5, 60, 20)
    | 4 => n := FLOOR(1.0 / 0.0)
    ELSE n := 5 MOD 0
    END
    EXCEPT RuntimeError.E(e) => IO.Put(RuntimeError.Tag(e) & ";") END;
  END Try;
BEGIN
  IO.Put(Fmt.Int(Low) & " " & Fmt.Int(NUMBER(a)) & " " & Fmt.Int(K) & Fmt.Int(r.a) & " " & Fmt.Int(r.b) & " " & Fmt.LongInt(L) & Fmt.Int(Rotated) & Fmt.Int(LAST(Bits.Mask)) & "\n");
  IO.Put(Fmt.Bool(Less(1, -1)) & Fmt.Int(shift(n, 2)) & Fmt.Int(Right(n, 1)) & Fmt.Int(Left(n, 1)) & " " & Fmt.Int(Pick()) & Fmt.Int(Mine(n, 24)) & "\n");
  IO.Put(Fmt.LongReal(x + One / Small) & " " & Fmt.LongReal(One / 0.0d0) & " " & Fmt.LongReal(0.0d0 / 0.0d0) & " " & Fmt.LongReal(-One / 0.0d0) & "\n");
  IO.Put(Fmt.Real(Huge * Huge) & " " & Fmt.Real(-Huge - Huge) & " " & Fmt.Real(y + Huge * 10.0) & " " & Fmt.Real(5.0 MOD 0.0) & " " & Fmt.Real(FLOAT(1.0d300)) & "\n");
  IO.Put(Fmt.Bool(1.0 / 0.0 > Huge) & Fmt.Bool(0.0 / 0.0 = 0.0 / 0.0) & Fmt.Real(MAX(1.0, 1.0 / 0.0)) & Fmt.Real(ABS(-1.0 / 0.0)) & "\n");
  FOR i := 0 TO 5 DO Try(i) END; IO.Put("\n");
END Main.
(* expect: 255 256 488 255 15215 *)
(* expect: TRUE4832 3316 *)
(* expect: Infinity Infinity NaN -Infinity *)
(* expect: Infinity -Infinity Infinity NaN Infinity *)
(* expect: TRUEFALSEInfinityInfinity *)
(* expect: integer division by zero;integer division by zero;value out of range;value out of range;value out of range;integer division by zero; *)
