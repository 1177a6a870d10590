(* Does each thing many times, and prints by how many KB the process has grown meanwhile, apart from
   the first fifth. *)
MODULE Memory EXPORTS Main;

IMPORT BigInt, FileRd, Fmt, Hash, Hmac, IO, Lex, Rd, Regex,
       RTCollector, Text, TextRd, TextWr, Thread, Unicode,
       Utf8, Wr, Zlib, Zstd;

<*FATAL ANY*>

TYPE
  Proc = PROCEDURE (i: CARDINAL) RAISES ANY;
  Thing = RECORD
      name: TEXT;
      proc: Proc;
      times: CARDINAL;
    END;

CONST
  PageKB = 4;
  Things = ARRAY OF Thing{
    Thing{"compile", Compile, 100000}, Thing{"wrong", Wrong, 100000}, Thing{"match", Match, 200000},
    Thing{"limit", Limit, 10000}, Thing{"utf8", ThereAndBack, 100000},
    Thing{"hash", HashText, 400000}, Thing{"hash left", HashLeft, 300000}, Thing{"hmac", Code, 20000},
    Thing{"bigint", Big, 100000}, Thing{"bigint error", BigError, 100000},
    Thing{"zlib", Compress, 10000}, Thing{"zlib left", CompressLeft, 3000},
    Thing{"zlib damaged", Damaged, 10000},
    Thing{"zstd", CompressZstd, 10000}, Thing{"zstd left", ZstdLeft, 1000}, Thing{"unicode", Normalize, 100000}};

PROCEDURE Compile(i: CARDINAL) RAISES ANY =
  BEGIN
    EVAL Regex.Matching(Regex.Compile("(a|b)*" & Fmt.Int(i)), "ab");
  END Compile;

PROCEDURE Wrong(i: CARDINAL) =
  BEGIN
    TRY
      EVAL Regex.Compile("(a|b" & Fmt.Int(i));
      <*ASSERT FALSE*>
    EXCEPT
    | Regex.Error =>
    END;
  END Wrong;

VAR
  re: Regex.T := NIL;

PROCEDURE Match(i: CARDINAL) RAISES ANY =
  BEGIN
    IF re = NIL THEN re := Regex.Compile("(?<n>\\d+)|^(x+x+)+y") END;
    EVAL Regex.Replace(re, "a1b22c" & Fmt.Int(i), "<${n}>");
  END Match;

PROCEDURE Limit(<*UNUSED*> i: CARDINAL) RAISES ANY =
  VAR slow := Regex.Compile("^(x+x+)+$", limit := 1000);
  BEGIN
    TRY
      EVAL Regex.Find(slow, "xxxxxxxxxxxxxxxxxxxxxxxxxxxxx!");
      <*ASSERT FALSE*>
    EXCEPT
    | Regex.Error =>
    END;
  END Limit;

PROCEDURE ThereAndBack(i: CARDINAL) RAISES ANY =
  BEGIN
    EVAL Utf8.FromWide(Utf8.ToWide(Utf8.FromCode(i) & "x"));
  END ThereAndBack;

PROCEDURE HashText(i: CARDINAL) RAISES ANY =
  BEGIN
    EVAL Hash.OfText(Hash.Kind.SHA3_256, Fmt.Int(i));
  END HashText;

(* Its result is never asked for. *)
PROCEDURE HashLeft(i: CARDINAL) RAISES ANY =
  VAR h := NEW(Hash.T).init(Hash.Kind.SHA256);
  BEGIN
    h.put(Fmt.Int(i));
  END HashLeft;

PROCEDURE Code(i: CARDINAL) RAISES ANY =
  BEGIN
    EVAL Hmac.OfText(Hash.Kind.SHA256, "key", Fmt.Int(i));
  END Code;

PROCEDURE Big(i: CARDINAL) RAISES ANY =
  VAR n := BigInt.Power(BigInt.FromInt(i + 3), 40);
  BEGIN
    <*ASSERT BigInt.Equal(n, BigInt.FromText(BigInt.ToText(n)))*>
    EVAL BigInt.Gcd(n, BigInt.Add(n, BigInt.FromInt(6)));
  END Big;

PROCEDURE BigError(i: CARDINAL) =
  BEGIN
    TRY
      EVAL BigInt.Inverse(BigInt.Shift(BigInt.FromInt(i), 16000), BigInt.FromInt(4));
      <*ASSERT FALSE*>
    EXCEPT
    | BigInt.Error =>
    END;
  END BigError;

PROCEDURE Compress(i: CARDINAL) RAISES ANY =
  VAR t := "some text " & Fmt.Int(i);
  BEGIN
    <*ASSERT Text.Equal(Zlib.Expand(Zlib.Compress(t)), t)*>
  END Compress;

(* A writer and a reader that nobody closes. *)
PROCEDURE CompressLeft(i: CARDINAL) RAISES ANY =
  VAR wr := Zlib.NewWr(TextWr.New());
  BEGIN
    Wr.PutText(wr, Fmt.Int(i));
    EVAL Rd.GetText(Zlib.NewRd(TextRd.New(Zlib.Compress("some text"))), 4);
  END CompressLeft;

PROCEDURE Damaged(i: CARDINAL) =
  BEGIN
    TRY
      EVAL Zlib.Expand(Fmt.Int(i));
      <*ASSERT FALSE*>
    EXCEPT
    | Zlib.Error =>
    END;
  END Damaged;

PROCEDURE CompressZstd(i: CARDINAL) RAISES ANY =
  VAR t := "some text " & Fmt.Int(i);
  BEGIN
    <*ASSERT Text.Equal(Zstd.Expand(Zstd.Compress(t)), t)*>
  END CompressZstd;

PROCEDURE ZstdLeft(i: CARDINAL) RAISES ANY =
  VAR wr := Zstd.NewWr(TextWr.New());
  BEGIN
    Wr.PutText(wr, Fmt.Int(i));
    EVAL Rd.GetText(Zstd.NewRd(TextRd.New(Zstd.Compress("some text"))), 4);
  END ZstdLeft;

PROCEDURE Normalize(i: CARDINAL) RAISES ANY =
  BEGIN
    EVAL Unicode.Normalize(Utf8.FromCode(i) & "a", Unicode.Form.NFKD);
    EVAL Unicode.Graphemes(Unicode.Fold("Some Text"));
  END Normalize;

(* What is resident when what is not used any more has been freed. *)
PROCEDURE KB(): CARDINAL =
  VAR rd := FileRd.Open("/proc/self/statm");
  BEGIN
    FOR i := 1 TO 3 DO
      RTCollector.Collect();
      Thread.Pause(0.1D0);
    END;
    TRY
      EVAL Lex.Int(rd);
      RETURN PageKB * Lex.Int(rd);
    FINALLY
      Rd.Close(rd);
    END;
  END KB;

VAR
  before: CARDINAL;
BEGIN
  FOR k := 0 TO LAST(Things) DO
    WITH thing = Things[k], times = thing.times DO
      FOR i := 1 TO times DIV 5 DO thing.proc(i) END;
      before := KB();
      FOR i := times DIV 5 + 1 TO times DO thing.proc(i) END;
      IO.Put(thing.name & ": " & Fmt.Int(KB() - before) & "\n");
    END;
  END;
END Memory.
