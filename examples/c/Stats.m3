UNSAFE MODULE Stats;

IMPORT M3toC, StatsC, TextSeq;
FROM Ctypes IMPORT const_char_star, int;

TYPE
  (* C gets the address of this record. It is in untraced memory, which no collection moves. *)
  Context = UNTRACED REF RECORD
    most: CARDINAL;
    found: CARDINAL := 0;
  END;

PROCEDURE Summarize(READONLY values: ARRAY OF LONGREAL): Summary =
  VAR summary: StatsC.Summary;
  BEGIN
    StatsC.summarize(values, summary);
    RETURN Summary{count := summary.count, mean := summary.mean, deviation := summary.deviation};
  END Summarize;

VAR
  mutex := NEW(MUTEX);
  collected: TextSeq.T;  (* by the call of each_word that holds the mutex *)

PROCEDURE Visit(context: ADDRESS; word: const_char_star): int =
  VAR c: Context := context;
  BEGIN
    IF c.found = c.most THEN RETURN 0 END;
    INC(c.found);
    collected.addhi(M3toC.CopyStoT(word));
    RETURN 1;
  END Visit;

PROCEDURE Words(text: TEXT; most: CARDINAL): TextSeq.T =
  VAR context := NEW(Context, most := most);  c := M3toC.CopyTtoS(text);
  BEGIN
    LOCK mutex DO
      collected := NEW(TextSeq.T).init();
      TRY
        EVAL StatsC.each_word(c, Visit, context);
        RETURN collected;
      FINALLY
        M3toC.FreeCopiedS(c);
        DISPOSE(context);
      END;
    END;
  END Words;

BEGIN
END Stats.
