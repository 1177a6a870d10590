(* Calls C, and is called by C: c WORD ... *)
MODULE Main;

IMPORT Fmt, IO, Params, Stats, Text;

PROCEDURE Show(text: TEXT) =
  VAR words := Stats.Words(text);  lengths := NEW(REF ARRAY OF LONGREAL, words.size());
  BEGIN
    FOR i := 0 TO words.size() - 1 DO lengths[i] := FLOAT(Text.Length(words.get(i)), LONGREAL) END;
    WITH summary = Stats.Summarize(lengths^) DO
      IO.Put(Fmt.F("%s words, mean length %s, deviation %s\n", Fmt.Int(summary.count),
                   Fmt.LongReal(summary.mean, Fmt.Style.Fix, 2),
                   Fmt.LongReal(summary.deviation, Fmt.Style.Fix, 2)));
    END;
  END Show;

BEGIN
  FOR i := 1 TO Params.Count - 1 DO Show(Params.Get(i)) END;
END Main.
