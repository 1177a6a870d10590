(* golden: run *)
MODULE Main;

IMPORT FloatMode, Fmt, IO, Lex, Rd, Scan, TextRd, Thread;

<*FATAL Rd.Failure, Rd.EndOfFile, Thread.Alerted*>

PROCEDURE Int(t: TEXT; base: [2..16] := 10) =
  BEGIN
    IO.Put(t & " = ");
    TRY
      IO.Put(Fmt.Int(Scan.Int(t, base)));
    EXCEPT
    | Lex.Error => IO.Put("error");
    | FloatMode.Trap => IO.Put("overflow");
    END;
    IO.Put("\n");
  END Int;

PROCEDURE Real(t: TEXT) =
  BEGIN
    IO.Put(t & " = ");
    TRY
      IO.Put(Fmt.LongReal(Scan.LongReal(t)));
    EXCEPT
    | Lex.Error => IO.Put("error");
    | FloatMode.Trap => IO.Put("overflow");
    END;
    IO.Put("\n");
  END Real;

PROCEDURE Bool(t: TEXT) =
  BEGIN
    IO.Put(t & " = ");
    TRY
      IO.Put(Fmt.Bool(Scan.Bool(t)));
    EXCEPT
    | Lex.Error => IO.Put("error");
    END;
    IO.Put("\n");
  END Bool;

PROCEDURE Words() =
  VAR rd := TextRd.New("  alpha, beta\t42 rest");
  <*FATAL Lex.Error, FloatMode.Trap*>
  BEGIN
    Lex.Skip(rd);
    IO.Put(Lex.Scan(rd, SET OF CHAR{'a'..'z'}) & "|");
    Lex.Match(rd, ", be");
    IO.Put(Lex.Scan(rd) & "|");
    IO.PutInt(Lex.Int(rd));
    IO.Put("|" & Rd.GetLine(rd) & "\n");
  END Words;

BEGIN
  Int("0");
  Int(" -17 ");
  Int("+5");
  Int("16_fF");
  Int("2_1012");
  Int("ff", 16);
  Int("9223372036854775807");
  Int("-9223372036854775808");
  Int("9223372036854775808");
  Int("");
  Int("-");
  Int("12x");
  Int("1 2");
  Real("1");
  Real("-2.50");
  Real("1.5e3");
  Real("1.5d-3");
  Real("1e");
  Real("1.0d999");
  Real("x");
  Bool("TRUE");
  Bool("false");
  Bool("truth");
  Words();
END Main.
(* expect: 0 = 0 *)
(* expect:  -17  = -17 *)
(* expect: +5 = 5 *)
(* expect: 16_fF = 255 *)
(* expect: 2_1012 = error *)
(* expect: ff = 255 *)
(* expect: 9223372036854775807 = 9223372036854775807 *)
(* expect: -9223372036854775808 = -9223372036854775808 *)
(* expect: 9223372036854775808 = overflow *)
(* expect:  = error *)
(* expect: - = error *)
(* expect: 12x = error *)
(* expect: 1 2 = error *)
(* expect: 1 = 1 *)
(* expect: -2.50 = -2.5 *)
(* expect: 1.5e3 = 1500 *)
(* expect: 1.5d-3 = 0.0015 *)
(* expect: 1e = error *)
(* expect: 1.0d999 = overflow *)
(* expect: x = error *)
(* expect: TRUE = TRUE *)
(* expect: false = FALSE *)
(* expect: truth = error *)
(* expect: alpha|ta|42| rest *)
