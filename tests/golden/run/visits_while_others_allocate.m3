(* golden: run, tenure-gc, @M3paranoidgc *)
(* The objects of the heap are visited while other threads allocate: the free parts of the pages
   that these threads fill are not objects yet. *)
UNSAFE MODULE Main;

IMPORT Fmt, IO, RTHeapRep, RTType, Text, Thread;

TYPE
  Cell = REF RECORD n: INTEGER; next: Cell END;
  Kept = REF RECORD n: INTEGER END;
  Visitor = RTHeapRep.RefVisitor OBJECT
      kept, wrong := 0;
    OVERRIDES
      visit := Visit;
    END;

VAR
  stop := FALSE;
  threads: ARRAY [1..3] OF Thread.T;
  kept: ARRAY [1..100] OF Kept;
  wrong := 0;

PROCEDURE Visit(v: Visitor; tc: RTType.Typecode; r: REFANY; <*UNUSED*> size: CARDINAL): BOOLEAN =
  BEGIN
    IF TYPECODE(r) # tc THEN INC(v.wrong) END;
    TYPECASE r OF
    | Kept => INC(v.kept);
    | Cell (cell) => IF cell.next # NIL AND cell.next.n # cell.n - 1 THEN INC(v.wrong) END;
    ELSE
    END;
    RETURN TRUE;
  END Visit;

PROCEDURE Make(<*UNUSED*> self: Thread.Closure): REFANY =
  VAR cell: Cell;  text: TEXT;
  BEGIN
    WHILE NOT stop DO
      cell := NIL;
      FOR i := 1 TO 1000 DO cell := NEW(Cell, n := i, next := cell) END;
      text := "";
      FOR i := 1 TO 20 DO text := text & Fmt.Int(i) END;
      <*ASSERT cell.n = 1000 AND Text.Length(text) = 31*>
    END;
    RETURN NIL;
  END Make;

BEGIN
  FOR i := 1 TO 100 DO kept[i] := NEW(Kept, n := i) END;
  FOR i := 1 TO 3 DO threads[i] := Thread.Fork(NEW(Thread.Closure, apply := Make)) END;
  FOR i := 1 TO 200 DO
    WITH v = NEW(Visitor) DO
      RTHeapRep.VisitAllRefs(v);
      IF v.kept # 100 THEN INC(wrong) END;
      INC(wrong, v.wrong);
    END;
  END;
  stop := TRUE;
  FOR i := 1 TO 3 DO EVAL Thread.Join(threads[i]) END;
  IO.Put("wrong " & Fmt.Int(wrong) & "\n");
END Main.
(* expect: wrong 0 *)
