(* The upgrade writes a line for each object: its type's name, and names and values of its fields.
   The answer is a line: put with names and values, or refused with the reason; before it comes a line
   read with the names of fields, if there are any that were got for the first time for that type, so
   that the upgrade knows what nobody has looked at. The first line of all is ours: the types. Items are separated by tabulators; signs other than printing ASCII, and
   backslashes, are written \uXXXX. *)
MODULE DatabaseConverter;

IMPORT Fmt, Rd, Scan, FloatMode, Lex, Stdio, Text, TextRefTbl, TextRep, TextTextTbl, Thread, Wr;

TYPE
  Procs = REF RECORD proc: Proc;  read: TextTextTbl.T END;  (* fields that were got *)

REVEAL
  Object = Public BRANDED "DatabaseConverter.Object" OBJECT
    old: TextTextTbl.T;
    answer: TEXT;
    procs: Procs;
    read := "";
  OVERRIDES
    has := Has;
    get := Get;
    put := Put;
  END;

VAR
  procs := NEW(TextRefTbl.Default).init();

PROCEDURE Has(object: Object; field: TEXT): BOOLEAN =
  VAR value: TEXT;
  BEGIN
    RETURN object.old.get(field, value);
  END Has;

PROCEDURE Get(object: Object; field: TEXT): TEXT RAISES {Refused} =
  VAR value: TEXT;
  BEGIN
    IF NOT object.old.get(field, value) THEN
      RAISE Refused("there is no value of a field " & field);
    END;
    IF NOT object.procs.read.put(field, field) THEN
      object.read := object.read & "\t" & Escaped(field);
    END;
    RETURN value;
  END Get;

PROCEDURE Put(object: Object; field, value: TEXT) =
  BEGIN
    object.answer := object.answer & "\t" & Escaped(field) & "\t" & Escaped(value);
  END Put;

PROCEDURE Register(type: TEXT; proc: Proc) =
  BEGIN
    (* The table outlives a database in which the caller's text may lie. *)
    type := TextRep.Copy(type, 0, Text.Length(type));
    EVAL procs.put(type, NEW(Procs, proc := proc, read := NEW(TextTextTbl.Default).init()));
  END Register;

PROCEDURE Escaped(text: TEXT): TEXT =
  VAR
    result := "";
    begin := 0;  (* of what is taken as it is *)
    sign: INTEGER;
  BEGIN
    FOR i := 0 TO Text.Length(text) - 1 DO
      sign := ORD(Text.GetWideChar(text, i));
      IF sign < ORD(' ') OR sign > ORD('~') OR sign = ORD('\\') THEN
        result := result & Text.Sub(text, begin, i - begin) & "\\u"
                  & Fmt.Pad(Fmt.Unsigned(sign, 16), 4, '0');
        begin := i + 1;
      END;
    END;
    RETURN result & Text.Sub(text, begin);
  END Escaped;

PROCEDURE Unescaped(text: TEXT): TEXT =
  VAR
    result := "";
    begin := 0;
    at: INTEGER;
    sign: ARRAY [0..0] OF WIDECHAR;
  BEGIN
    LOOP
      at := Text.FindChar(text, '\\', begin);
      IF at < 0 THEN RETURN result & Text.Sub(text, begin) END;
      TRY
        sign[0] := VAL(Scan.Unsigned(Text.Sub(text, at + 2, 4), 16), WIDECHAR);
      EXCEPT Lex.Error, FloatMode.Trap =>
        sign[0] := W'?';
      END;
      result := result & Text.Sub(text, begin, at - begin) & Text.FromWideChars(sign);
      begin := at + 6;
    END;
  END Unescaped;

(* The item that begins at `at`, which becomes the beginning of the next. *)
PROCEDURE Next(line: TEXT; VAR at: CARDINAL): TEXT =
  VAR
    begin := at;
    end := Text.FindChar(line, '\t', at);
  BEGIN
    IF end < 0 THEN end := Text.Length(line) END;
    at := end + 1;
    RETURN Unescaped(Text.Sub(line, begin, end - begin));
  END Next;

PROCEDURE Answer(line: TEXT): TEXT =
  VAR
    object := NEW(Object, old := NEW(TextTextTbl.Default).init(), answer := "put");
    at: CARDINAL := 0;
    type := Next(line, at);
    field: TEXT;
    ref: REFANY;
  BEGIN
    WHILE at <= Text.Length(line) DO
      field := Next(line, at);
      EVAL object.old.put(field, Next(line, at));
    END;
    IF NOT procs.get(type, ref) THEN RETURN "refused\tthere is no converter for it" END;
    object.procs := ref;
    TRY
      object.procs.proc(object);
      IF Text.Empty(object.read) THEN RETURN object.answer END;
      RETURN "read" & object.read & "\n" & object.answer;
    EXCEPT Refused (why) =>
      RETURN "refused\t" & Escaped(why);
    END;
  END Answer;

PROCEDURE Run() =
  VAR
    line := "types";
    type: TEXT;
    ref: REFANY;
    iterator := procs.iterate();
  BEGIN
    WHILE iterator.next(type, ref) DO line := line & "\t" & Escaped(type) END;
    TRY
      LOOP
        Wr.PutText(Stdio.stdout, line & "\n");
        Wr.Flush(Stdio.stdout);
        line := Answer(Rd.GetLine(Stdio.stdin));
      END;
    EXCEPT
    | Rd.EndOfFile, Rd.Failure, Wr.Failure, Thread.Alerted =>
    END;
  END Run;

BEGIN
END DatabaseConverter.
