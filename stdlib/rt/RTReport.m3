UNSAFE MODULE RTReport;

IMPORT RTSystem, TextRep;

PROCEDURE Explain(words: TEXT) =
  BEGIN
    RTSystem.ExplainNext(TextRep.CharsOr(words, '?')^);
  END Explain;

PROCEDURE ExplainWord(t, isNot: TEXT) =
  BEGIN
    Explain("\"" & t & "\" " & isNot);
  END ExplainWord;

PROCEDURE RaiseSubscript(i, n: INTEGER) =
  BEGIN
    RTSystem.RaiseSubscript(i, n);
  END RaiseSubscript;

PROCEDURE EndIfUnread() =
  BEGIN
    RTSystem.EndIfUnread();
  END EndIfUnread;

BEGIN
END RTReport.
