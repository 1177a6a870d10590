MODULE Err;
IMPORT ASTNode_L;
IMPORT AST, <*NOWARN*> ASTF, Wr, Stdio, Fmt, Thread;
<*FATAL Wr.Failure, Thread.Alerted*>
VAR counts := ARRAY Severity OF CARDINAL {0, ..}; wr_g: Wr.T := NIL; handlers: Handler := NIL; mu: MUTEX := NEW(MUTEX);
CONST Names = ARRAY Severity OF TEXT {"info", "warning", "error", "fatal"};
PROCEDURE Report(n: AST.NODE; s: Severity; READONLY t: ARRAY OF TEXT) =
  VAR msg := ""; h := handlers;
  BEGIN
    FOR i := FIRST(t) TO LAST(t) DO msg := msg & t[i] END;
    LOCK mu DO
      INC(counts[s]);
      WHILE h # NIL DO IF h.handle(n, s, msg) THEN RETURN END; h := h.next END;
      WITH wr = SetWriter(NIL) DO
        Wr.PutText(wr, Fmt.FN("%s:%s: %s\n", ARRAY OF TEXT{Fmt.Int(n.lx_srcpos DIV 1000), Names[s], msg}));
        IF s = Severity.Fatal THEN Wr.Flush(wr) END
      END
    END
  END Report;
PROCEDURE SetWriter(wr: Wr.T): Wr.T =
  BEGIN
    IF wr # NIL THEN wr_g := wr ELSIF wr_g = NIL THEN wr_g := Stdio.stdout END;
    RETURN wr_g
  END SetWriter;
PROCEDURE Count(s: Severity): CARDINAL = BEGIN RETURN counts[s] END Count;
PROCEDURE Push(h: Handler) = BEGIN LOCK mu DO h.next := handlers; handlers := h END END Push;
BEGIN
  WITH unused = NEW(AST.Leaf) DO <*ASSERT unused # NIL*> END;
END Err.
