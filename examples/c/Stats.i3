(* The procedures of stats.c, for safe programs. *)
INTERFACE Stats;

IMPORT TextSeq;

TYPE
  Summary = RECORD
    count: CARDINAL;
    mean, deviation: LONGREAL;
  END;

PROCEDURE Summarize(READONLY values: ARRAY OF LONGREAL): Summary;

(* The words of a text, at most `most` of them. *)
PROCEDURE Words(text: TEXT; most: CARDINAL := LAST(CARDINAL)): TextSeq.T;

END Stats.
