(* golden: run *)
(* A description read by Sx, pretty printed by Formatter, pickled with a special for a type whose
   values are made once only, and read back. *)
MODULE Main;

IMPORT Atom, Fmt, Formatter, Pickle, Rd, RefList, Stdio, Sx, Text, TextRd, TextRefTbl, TextWr, Thread,
  Wr;

<*FATAL Rd.Failure, Rd.EndOfFile, Wr.Failure, Thread.Alerted, Sx.ReadError, Pickle.Error*>

CONST
  Source = "(window (title \"A \\\"title\\\"\") (size 640 -480) (scale 1.5d0) ; a comment\n"
           & " (children (button Ok 'x') (button Cancel) (list (a) (b (c (d \"deep\"))))))";

TYPE
  (* One object for each name. *)
  Unique = OBJECT name: TEXT END;
  Shape = OBJECT kind: Unique; next: Shape; sizes: REF ARRAY OF REAL END;
  UniqueSpecial = Pickle.Special OBJECT OVERRIDES
      write := WriteUnique;
      read := ReadUnique;
    END;

VAR
  uniques := NEW(TextRefTbl.Default).init();
  out := Stdio.stdout;

PROCEDURE ToUnique(name: TEXT): Unique =
  VAR r: REFANY;
  BEGIN
    IF uniques.get(name, r) THEN RETURN r END;
    r := NEW(Unique, name := name);
    EVAL uniques.put(name, r);
    RETURN r;
  END ToUnique;

PROCEDURE WriteUnique(<*UNUSED*> sp: UniqueSpecial; ref: REFANY; writer: Pickle.Writer)
  RAISES {Pickle.Error, Wr.Failure, Thread.Alerted} =
  BEGIN
    writer.write(NARROW(ref, Unique).name);
  END WriteUnique;

PROCEDURE ReadUnique(<*UNUSED*> sp: UniqueSpecial; reader: Pickle.Reader; id: Pickle.RefID): REFANY
  RAISES {Pickle.Error, Rd.EndOfFile, Rd.Failure, Thread.Alerted} =
  VAR u := ToUnique(reader.read());
  BEGIN
    reader.noteRef(u, id);
    RETURN u;
  END ReadUnique;

PROCEDURE Pretty(f: Formatter.T; sx: Sx.T) =
  VAR l: RefList.T;
  BEGIN
    TYPECASE sx OF
    | NULL => Formatter.PutText(f, "()");
    | RefList.T (list) =>
      l := list;
      Formatter.Begin(f, 2);
      Formatter.PutChar(f, '(');
      WHILE l # NIL DO
        Pretty(f, l.head);
        l := l.tail;
        IF l # NIL THEN Formatter.PutChar(f, ' '); Formatter.UnitedBreak(f) END;
      END;
      Formatter.PutChar(f, ')');
      Formatter.End(f);
    | Atom.T (a) => Formatter.PutText(f, Atom.ToText(a));
    | TEXT (t) => Formatter.PutText(f, "\"" & t & "\"");
    | REF INTEGER (i) => Formatter.PutText(f, Fmt.Int(i^));
    | REF LONGREAL (x) => Formatter.PutText(f, Fmt.LongReal(x^));
    | REF CHAR (c) => Formatter.PutText(f, "'" & Text.FromChar(c^) & "'");
    ELSE Formatter.PutText(f, "?");
    END;
  END Pretty;

PROCEDURE Print(sx: Sx.T; width: CARDINAL) =
  VAR f := Formatter.New(out, width);
  BEGIN
    Pretty(f, sx);
    Formatter.NewLine(f);
    Formatter.Flush(f);
    Formatter.Close(f);
  END Print;

PROCEDURE Pickled(r: REFANY): REFANY =
  VAR wr := TextWr.New();
  BEGIN
    Pickle.Write(wr, r);
    RETURN Pickle.Read(TextRd.New(TextWr.ToText(wr)));
  END Pickled;

PROCEDURE Describe(sx: Sx.T): TEXT =
  VAR wr := TextWr.New();
  <*FATAL Sx.PrintError*>
  BEGIN
    Sx.Print(wr, sx);
    RETURN TextWr.ToText(wr);
  END Describe;

VAR
  sx := Sx.Read(TextRd.New(Source));
  box := ToUnique("box");
  a, b: Shape;

BEGIN
  Print(sx, 40);
  Print(sx, 200);
  Wr.PutText(out, "same: " & Fmt.Bool(Text.Equal(Describe(sx), Describe(Pickled(sx)))) & "\n");
  TRY
    EVAL Sx.Read(TextRd.New("(a b"));
  EXCEPT
  | Sx.ReadError => Wr.PutText(out, "an error\n");
  END;

  Pickle.RegisterSpecial(NEW(UniqueSpecial, sc := TYPECODE(Unique)));
  a := NEW(Shape, kind := box, sizes := NEW(REF ARRAY OF REAL, 3));
  a.sizes[2] := 2.5;
  a.next := NEW(Shape, kind := box, next := a, sizes := a.sizes);
  b := Pickled(a);
  Wr.PutText(out, Fmt.FN("%s %s %s %s %s %s\n", ARRAY OF TEXT{
    Fmt.Bool(b # a), Fmt.Bool(b.kind = box), Fmt.Bool(b.next.kind = box),
    Fmt.Bool(b.next.next = b), Fmt.Bool(b.sizes = b.next.sizes), Fmt.Real(b.sizes[2])}));
END Main.
(* expect: (window *)
(* expect:   (title "A "title"") *)
(* expect:   (size 640 -480) *)
(* expect:   (scale 1.5) *)
(* expect:   (children *)
(* expect:     (button Ok 'x') *)
(* expect:     (button Cancel) *)
(* expect:     (list (a) (b (c (d "deep")))))) *)
(* expect: (window (title "A "title"") (size 640 -480) (scale 1.5) (children (button Ok 'x') (button Cancel) (list (a) (b (c (d "deep")))))) *)
(* expect: same: TRUE *)
(* expect: an error *)
(* expect: TRUE TRUE TRUE TRUE TRUE 2.5 *)
