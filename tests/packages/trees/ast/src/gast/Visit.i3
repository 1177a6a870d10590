INTERFACE Visit;
IMPORT AST;
EXCEPTION Aborted;
TYPE Mode = {Entry, Exit}; Modes = SET OF Mode;
  Proc = PROCEDURE(n: AST.NODE; mode: Mode) RAISES ANY;
CONST Both = Modes{Mode.Entry, Mode.Exit}; EntryOnly = Modes{Mode.Entry};
END Visit.
