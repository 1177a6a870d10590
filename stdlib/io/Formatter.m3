MODULE Formatter;

IMPORT Text, Thread, Wr;

(* Put texts and hints are kept as a list of operations until they are printed; each
   object's operation has the place of its End. Printing walks the list: an object that
   fits is printed flat, another one operation by operation. Widths are sums over the list,
   so the test whether a part fits is cheap. *)

TYPE
  Kind = {Text, Break, PartialBreak, UnitedBreak, NewLine, Group, Begin, Align, NoAlign, Col, End};

  Op = RECORD
    kind: Kind;
    text: TEXT := NIL;
    n: INTEGER := 0;               (* offset; column *)
    width: CARDINAL := 0;          (* of a Begin; columns of an Align; blanks of a Col *)
    type := BreakType.OptimalBreak;
    flag := FALSE;                 (* freshLine, tryOneLine, relative *)
    pred: AlignPred := NIL;
    end: CARDINAL := 0;            (* of an object: the place of its End *)
    (* Filled before printing; the first two are sums over all operations before this one. *)
    widthBefore: CARDINAL := 0;
    linesBefore: CARDINAL := 0;
    nextBreak: CARDINAL := 0;      (* the next place at or after this one where the line may end *)
  END;

REVEAL
  T = BRANDED "Formatter.T" REF RECORD
    wr: Wr.T;
    width: CARDINAL;
    closed := FALSE;
    ops: REF ARRAY OF Op;
    count: CARDINAL := 0;
    open: REF ARRAY OF CARDINAL;   (* the places of the objects that are open *)
    depth: CARDINAL := 0;
    (* Of the output: *)
    column: CARDINAL := 0;         (* column of the next character *)
    blanks: CARDINAL := 0;         (* blanks before the next character, not printed yet *)
    line: CARDINAL := 0;
    fresh := TRUE;                 (* nothing is on the line *)
  END;

  (* An object while it is printed. *)
TYPE
  Frame = RECORD
    margin: INTEGER;
    limit: CARDINAL;  (* the column that text must not reach beyond *)
    line: CARDINAL;   (* where it began *)
  END;

CONST
  Breaks = SET OF Kind{Kind.Break, Kind.PartialBreak, Kind.UnitedBreak, Kind.NewLine};
  Objects = SET OF Kind{Kind.Group, Kind.Begin, Kind.Align, Kind.NoAlign};

PROCEDURE New(wr: Wr.T; width: CARDINAL := 75): T =
  BEGIN
    RETURN NEW(T, wr := wr, width := width, ops := NEW(REF ARRAY OF Op, 64),
               open := NEW(REF ARRAY OF CARDINAL, 16));
  END New;

PROCEDURE UnderlyingWr(t: T): Wr.T =
  BEGIN
    RETURN t.wr;
  END UnderlyingWr;

PROCEDURE Add(t: T; READONLY op: Op) =
  BEGIN
    <*ASSERT NOT t.closed WITH "Formatter: the formatter is closed"*>
    IF t.count = NUMBER(t.ops^) THEN
      WITH more = NEW(REF ARRAY OF Op, 2 * t.count) DO
        SUBARRAY(more^, 0, t.count) := t.ops^;
        t.ops := more;
      END;
    END;
    t.ops[t.count] := op;
    INC(t.count);
  END Add;

PROCEDURE Open(t: T; READONLY op: Op) =
  BEGIN
    IF t.depth = NUMBER(t.open^) THEN
      WITH more = NEW(REF ARRAY OF CARDINAL, 2 * t.depth) DO
        SUBARRAY(more^, 0, t.depth) := t.open^;
        t.open := more;
      END;
    END;
    t.open[t.depth] := t.count;
    INC(t.depth);
    Add(t, op);
  END Open;

PROCEDURE PutText(t: T; text: Text.T; raw := FALSE) =
  VAR start := 0;  newline: INTEGER;
  BEGIN
    IF NOT raw THEN
      LOOP
        newline := Text.FindChar(text, '\n', start);
        IF newline < 0 THEN EXIT END;
        IF newline > start THEN
          Add(t, Op{Kind.Text, text := Text.Sub(text, start, newline - start)});
        END;
        NewLine(t, freshLine := FALSE);
        start := newline + 1;
      END;
    END;
    IF start < Text.Length(text) THEN Add(t, Op{Kind.Text, text := Text.Sub(text, start)}) END;
  END PutText;

PROCEDURE PutChar(t: T; c: CHAR) =
  BEGIN
    PutText(t, Text.FromChar(c));
  END PutChar;

PROCEDURE Break(t: T; offset := 0; type := BreakType.OptimalBreak; freshLine := TRUE) =
  BEGIN
    Add(t, Op{Kind.Break, n := offset, type := type, flag := freshLine});
  END Break;

PROCEDURE PartialBreak(t: T; offset := 0; freshLine := TRUE) =
  BEGIN
    Add(t, Op{Kind.PartialBreak, n := offset, flag := freshLine});
  END PartialBreak;

PROCEDURE UnitedBreak(t: T; offset := 0; freshLine := TRUE) =
  BEGIN
    Add(t, Op{Kind.UnitedBreak, n := offset, flag := freshLine});
  END UnitedBreak;

PROCEDURE NewLine(t: T; offset := 0; freshLine := TRUE) =
  BEGIN
    Add(t, Op{Kind.NewLine, n := offset, flag := freshLine});
  END NewLine;

PROCEDURE Group(t: T) =
  BEGIN
    Open(t, Op{Kind.Group});
  END Group;

PROCEDURE Begin(t: T; offset := 0; width: CARDINAL := LAST(CARDINAL)) =
  BEGIN
    Open(t, Op{Kind.Begin, n := offset, width := width});
  END Begin;

PROCEDURE Align(t: T; columns: CARDINAL; tryOneLine: BOOLEAN := TRUE; offset: INTEGER := 0;
                alignPred: AlignPred := NIL) =
  BEGIN
    Open(t, Op{Kind.Align, n := offset, width := columns, flag := tryOneLine, pred := alignPred});
  END Align;

PROCEDURE NoAlign(t: T) =
  BEGIN
    Open(t, Op{Kind.NoAlign});
  END NoAlign;

PROCEDURE Col(t: T; column: INTEGER; relative := FALSE; space: CARDINAL := 0) =
  BEGIN
    Add(t, Op{Kind.Col, n := column, flag := relative, width := space});
  END Col;

PROCEDURE End(t: T) =
  BEGIN
    <*ASSERT t.depth > 0 WITH "Formatter.End: no object is open"*>
    DEC(t.depth);
    t.ops[t.open[t.depth]].end := t.count;
    Add(t, Op{Kind.End});
  END End;

PROCEDURE Close(t: T) RAISES {Wr.Failure} =
  BEGIN
    IF NOT t.closed THEN
      Flush(t);
      t.closed := TRUE;
      t.ops := NIL;
    END;
  END Close;

PROCEDURE Flush(t: T) RAISES {Wr.Failure} =
  VAR depth := t.depth;  reopen := NEW(REF ARRAY OF Op, depth);
  BEGIN
    <*ASSERT NOT t.closed WITH "Formatter: the formatter is closed"*>
    FOR i := 0 TO depth - 1 DO reopen[i] := t.ops[t.open[i]] END;
    WHILE t.depth > 0 DO End(t) END;
    Measure(t);
    TRY
      Print(t, 0, t.count, Frame{0, t.width, t.line});
      Wr.Flush(t.wr);
    EXCEPT
    | Thread.Alerted => Thread.Alert(Thread.Self());  (* the caller's next wait will raise it *)
    END;
    t.count := 0;
    FOR i := 0 TO depth - 1 DO Open(t, reopen[i]) END;
  END Flush;

(* --- Measuring --- *)

PROCEDURE Measure(t: T) =
  VAR width, lines: CARDINAL := 0;
  BEGIN
    FOR i := 0 TO t.count - 1 DO
      WITH op = t.ops[i] DO
        op.widthBefore := width;
        op.linesBefore := lines;
        CASE op.kind OF
        | Kind.Text => INC(width, Text.Length(op.text));
        | Kind.Col => INC(width, op.width);
        | Kind.NewLine => INC(lines);
        | Kind.Align => IF NOT op.flag THEN INC(lines) END;
        ELSE
        END;
      END;
    END;
    (* This allows sums up to the end. *)
    Add(t, Op{Kind.End, widthBefore := width, linesBefore := lines, nextBreak := t.count});
    DEC(t.count);
    FOR i := t.count - 1 TO 0 BY -1 DO
      IF t.ops[i].kind IN Breaks THEN
        t.ops[i].nextBreak := i;
      ELSE
        t.ops[i].nextBreak := t.ops[i + 1].nextBreak;
      END;
    END;
  END Measure;

(* The width on one line of the operations from `first` up to, but not including, `last`. *)
PROCEDURE Width(t: T; first, last: CARDINAL): CARDINAL =
  BEGIN
    RETURN t.ops[last].widthBefore - t.ops[first].widthBefore;
  END Width;

PROCEDURE HasLines(t: T; first, last: CARDINAL): BOOLEAN =
  BEGIN
    RETURN t.ops[last].linesBefore > t.ops[first].linesBefore;
  END HasLines;

(* The next place at or after i where the line may end in this object or, if it has none, behind the
   object. *)
PROCEDURE NextBreakInObject(t: T; i: CARDINAL): CARDINAL =
  BEGIN
    WHILE i < t.count DO
      WITH op = t.ops[i] DO
        IF op.kind = Kind.End THEN RETURN t.ops[i].nextBreak END;
        IF op.kind IN Breaks THEN EXIT END;
        IF op.kind IN Objects THEN i := op.end END;
      END;
      INC(i);
    END;
    RETURN i;
  END NextBreakInObject;

(* Whether the object at i, with the text behind it up to the next break, fits on the line. *)
PROCEDURE Fits(t: T; i: CARDINAL; limit: CARDINAL): BOOLEAN =
  VAR end := t.ops[i].end;
  BEGIN
    RETURN NOT HasLines(t, i, end) AND t.column + Width(t, i, t.ops[end].nextBreak) <= limit;
  END Fits;

(* --- Printing --- *)

PROCEDURE Blanks(t: T; n: CARDINAL) =
  BEGIN
    INC(t.blanks, n);
    INC(t.column, n);
  END Blanks;

PROCEDURE PutOut(t: T; text: TEXT) RAISES {Wr.Failure, Thread.Alerted} =
  VAR last := Text.Length(text);
  BEGIN
    WHILE last > 0 AND Text.GetWideChar(text, last - 1) = W' ' DO DEC(last) END;
    IF last > 0 THEN
      WHILE t.blanks > 0 DO
        Wr.PutChar(t.wr, ' ');
        DEC(t.blanks);
      END;
      Wr.PutText(t.wr, Text.Sub(text, 0, last));
      INC(t.column, last);
      t.fresh := FALSE;
    END;
    Blanks(t, Text.Length(text) - last);
  END PutOut;

PROCEDURE EndLine(t: T; column: INTEGER; freshLine: BOOLEAN) RAISES {Wr.Failure, Thread.Alerted} =
  BEGIN
    IF NOT (freshLine AND t.fresh) THEN
      Wr.PutText(t.wr, Wr.EOL);
      INC(t.line);
    END;
    t.fresh := TRUE;
    t.column := MAX(column, 0);
    t.blanks := t.column;
  END EndLine;

(* Prints the operations from `first` up to `last` without breaks. *)
PROCEDURE PrintFlat(t: T; first, last: CARDINAL; READONLY frame: Frame)
  RAISES {Wr.Failure, Thread.Alerted} =
  BEGIN
    FOR i := first TO last - 1 DO
      WITH op = t.ops[i] DO
        IF op.kind = Kind.Text THEN
          PutOut(t, op.text);
        ELSIF op.kind = Kind.Col THEN
          MoveTo(t, op, frame);
        END;
      END;
    END;
  END PrintFlat;

PROCEDURE MoveTo(t: T; READONLY op: Op; READONLY frame: Frame) =
  VAR to := op.n;
  BEGIN
    IF op.flag THEN INC(to, frame.margin) END;
    Blanks(t, MAX(to - t.column, op.width));
  END MoveTo;

(* Prints the operations from `first` up to `last`, which are a part or the whole of frame's
   object. *)
PROCEDURE Print(t: T; first, last: CARDINAL; READONLY frame: Frame)
  RAISES {Wr.Failure, Thread.Alerted} =
  VAR i := first;  taken: BOOLEAN;
  BEGIN
    WHILE i < last DO
      WITH op = t.ops[i] DO
        CASE op.kind OF
        | Kind.Text => PutOut(t, op.text);
        | Kind.Col => MoveTo(t, op, frame);
        | Kind.End =>
        | Kind.Group, Kind.Begin, Kind.Align, Kind.NoAlign =>
          PrintObject(t, i, frame);
          i := op.end;
        | Kind.NewLine, Kind.UnitedBreak => EndLine(t, frame.margin + op.n, op.flag);
        | Kind.PartialBreak =>
          IF t.line > frame.line THEN EndLine(t, frame.margin + op.n, op.flag) END;
        | Kind.Break =>
          IF op.type = BreakType.NonOptimal THEN
            taken := t.column + Width(t, i, t.ops[i + 1].nextBreak) > frame.limit;
          ELSE
            WITH next = NextBreakInObject(t, i + 1) DO
              taken := HasLines(t, i, next) OR t.column + Width(t, i, next) > frame.limit;
            END;
          END;
          IF taken THEN EndLine(t, frame.margin + op.n, op.flag) END;
        END;
      END;
      INC(i);
    END;
  END Print;

PROCEDURE PrintObject(t: T; i: CARDINAL; READONLY around: Frame)
  RAISES {Wr.Failure, Thread.Alerted} =
  VAR frame := around;  start := t.column;
  BEGIN
    WITH op = t.ops[i] DO
      frame.line := t.line;
      IF op.kind = Kind.Begin THEN
        frame.margin := start + op.n;
        IF op.width < LAST(CARDINAL) - start THEN
          frame.limit := MIN(frame.limit, start + op.width);
        END;
      ELSIF op.kind = Kind.Align THEN
        frame.margin := start + op.n;
      END;
      IF Fits(t, i, frame.limit) THEN
        PrintFlat(t, i + 1, op.end, frame);
      ELSIF op.kind = Kind.Align THEN
        PrintTable(t, i, frame);
      ELSE
        Print(t, i + 1, op.end, frame);
      END;
    END;
  END PrintObject;

(* --- Tables --- *)

TYPE
  Widths = REF ARRAY OF CARDINAL;

(* The widths of the row's first NUMBER(widths^) entries; missing entries have width 0. *)
PROCEDURE EntryWidths(t: T; row: CARDINAL; widths: Widths) =
  VAR i := row + 1;  column := 0;
  BEGIN
    FOR c := 0 TO LAST(widths^) DO widths[c] := 0 END;
    WHILE i < t.ops[row].end AND column < NUMBER(widths^) DO
      WITH op = t.ops[i] DO
        IF op.kind IN Objects THEN
          widths[column] := Width(t, i, op.end);
          INC(column);
          i := op.end;
        END;
      END;
      INC(i);
    END;
  END EntryWidths;

(* Whether the row can be aligned in columns of these widths; entries becomes its entries' widths. *)
PROCEDURE IsAligned(t: T; row: CARDINAL; pred: AlignPred; widest, entries: Widths): BOOLEAN =
  BEGIN
    WITH op = t.ops[row] DO
      IF op.kind = Kind.NoAlign OR HasLines(t, row, op.end) THEN RETURN FALSE END;
    END;
    EntryWidths(t, row, entries);
    IF pred # NIL THEN
      FOR c := 0 TO LAST(widest^) DO
        IF NOT pred.pred(c, widest[c], entries[c]) THEN RETURN FALSE END;
      END;
    END;
    RETURN TRUE;
  END IsAligned;

PROCEDURE PrintTable(t: T; table: CARDINAL; READONLY frame: Frame)
  RAISES {Wr.Failure, Thread.Alerted} =
  VAR
    columns := t.ops[table].width;
    widest := NEW(Widths, columns);
    entries := NEW(Widths, columns);
    end := t.ops[table].end;
    row := table + 1;
  BEGIN
    (* Rows that the predicate excludes may have any width. *)
    WHILE row < end DO
      WITH op = t.ops[row] DO
        IF op.kind IN Objects THEN
          IF IsAligned(t, row, NIL, widest, entries) THEN
            FOR c := 0 TO columns - 1 DO widest[c] := MAX(widest[c], entries[c]) END;
          END;
          row := op.end;
        END;
      END;
      INC(row);
    END;
    row := table + 1;
    WHILE row < end DO
      WITH op = t.ops[row] DO
        IF op.kind IN Objects THEN
          IF row > table + 1 OR t.column # frame.margin THEN EndLine(t, frame.margin, TRUE) END;
          IF IsAligned(t, row, t.ops[table].pred, widest, entries) THEN
            PrintRow(t, row, widest, frame);
          ELSE
            PrintObject(t, row, frame);
          END;
          row := op.end;
        ELSE
          Print(t, row, row + 1, frame);
        END;
      END;
      INC(row);
    END;
  END PrintTable;

PROCEDURE PrintRow(t: T; row: CARDINAL; widest: Widths; READONLY frame: Frame)
  RAISES {Wr.Failure, Thread.Alerted} =
  VAR i := row + 1;  column := 0;  start: CARDINAL;
  BEGIN
    WHILE i < t.ops[row].end DO
      WITH op = t.ops[i] DO
        IF op.kind IN Objects THEN
          start := t.column;
          PrintFlat(t, i + 1, op.end, frame);
          IF column < NUMBER(widest^) THEN
            Blanks(t, MAX(widest[column] - (t.column - start), 0));
          END;
          INC(column);
          i := op.end;
        ELSIF NOT op.kind IN Breaks THEN
          PrintFlat(t, i, i + 1, frame);
        END;
      END;
      INC(i);
    END;
  END PrintRow;

BEGIN
END Formatter.
