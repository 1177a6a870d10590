MODULE OO7;

IMPORT IntRefBPlusTree, OO7Random, Text, Word;

REVEAL
  ComplexAssembly = PublicComplexAssembly BRANDED "OO7.ComplexAssembly" OBJECT
    OVERRIDES
      traverse := TraverseComplex;
    END;

  BaseAssembly = PublicBaseAssembly BRANDED "OO7.BaseAssembly" OBJECT
    OVERRIDES
      traverse := TraverseBase;
    END;

VAR
  (* A part that the present search has visited is marked with the search's number. *)
  marks := NEW(REF ARRAY OF Int32, 0);
  search: Int32 := 0;

  index: IntRefBPlusTree.T;  (* byDate of the library in use *)

PROCEDURE DateKey(date, id: INTEGER): INTEGER =
  BEGIN
    RETURN Word.LeftShift(date, 32) + id;
  END DateKey;

<*INLINE*> PROCEDURE Prepare(library: Library) =
  VAR size := library.nextComposite * library.configuration.atomicParts;
  BEGIN
    index := library.byDate;
    IF NUMBER(marks^) < size THEN
      marks := NEW(REF ARRAY OF Int32, size + size DIV 8);
      search := 0;
    END;
  END Prepare;

(* ---- The work on an atomic part *)

PROCEDURE Update(part: AtomicPart) =
  BEGIN
    INC(part.x);
    INC(part.y);
  END Update;

PROCEDURE UpdateIndexed(part: AtomicPart) =
  VAR old: REFANY;
  BEGIN
    EVAL index.delete(DateKey(part.buildDate, part.id), old);
    INC(part.buildDate);
    EVAL index.put(DateKey(part.buildDate, part.id), part);
  END UpdateIndexed;

(* ---- The graph of a composite part *)

PROCEDURE Visit(part: AtomicPart): INTEGER =
  VAR count := 1;  next: AtomicPart;
  BEGIN
    marks[part.id] := search;
    FOR i := 0 TO Connections - 1 DO
      next := part.to[i].to;
      IF marks[next.id] # search THEN INC(count, Visit(next)) END;
    END;
    RETURN count;
  END Visit;

(* Visit with `times` updates of each part; returns the number of updates. *)
PROCEDURE VisitAndUpdate(part: AtomicPart; times: CARDINAL): INTEGER =
  VAR count: INTEGER := times;  next: AtomicPart;
  BEGIN
    marks[part.id] := search;
    FOR i := 1 TO times DO Update(part) END;
    FOR i := 0 TO Connections - 1 DO
      next := part.to[i].to;
      IF marks[next.id] # search THEN INC(count, VisitAndUpdate(next, times)) END;
    END;
    RETURN count;
  END VisitAndUpdate;

PROCEDURE VisitAndUpdateIndexed(part: AtomicPart; times: CARDINAL): INTEGER =
  VAR count: INTEGER := times;  next: AtomicPart;
  BEGIN
    marks[part.id] := search;
    FOR i := 1 TO times DO UpdateIndexed(part) END;
    FOR i := 0 TO Connections - 1 DO
      next := part.to[i].to;
      IF marks[next.id] # search THEN INC(count, VisitAndUpdateIndexed(next, times)) END;
    END;
    RETURN count;
  END VisitAndUpdateIndexed;

(* ---- Documents *)

CONST
  (* The greatest size of a document after replacing each "I am" by "This is". *)
  LongestDocument = DocumentSize * 2;

VAR
  chars: ARRAY [0..LongestDocument - 1] OF CHAR;
  replaced: ARRAY [0..LongestDocument - 1] OF CHAR;

PROCEDURE CountInDocument(document: Document; c: CHAR): INTEGER =
  VAR count := 0;
  BEGIN
    Text.SetChars(chars, document.text);
    FOR i := 0 TO Text.Length(document.text) - 1 DO
      IF chars[i] = c THEN INC(count) END;
    END;
    RETURN count;
  END CountInDocument;

PROCEDURE StartsWith(READONLY a, prefix: ARRAY OF CHAR): BOOLEAN =
  BEGIN
    RETURN NUMBER(a) >= NUMBER(prefix) AND SUBARRAY(a, 0, NUMBER(prefix)) = prefix;
  END StartsWith;

PROCEDURE Replace(document: Document; READONLY from, to: ARRAY OF CHAR): INTEGER =
  VAR n := Text.Length(document.text);  done, found, j, count := 0;

  (* Copies the characters before position i. *)
  PROCEDURE CopyTo(i: CARDINAL) =
    BEGIN
      SUBARRAY(replaced, j, i - done) := SUBARRAY(chars, done, i - done);
      INC(j, i - done);
      done := i;
    END CopyTo;

  BEGIN
    Text.SetChars(chars, document.text);
    LOOP
      found := Text.FindChar(document.text, from[0], found);
      IF found = -1 THEN EXIT END;
      IF StartsWith(SUBARRAY(chars, found, n - found), from) THEN
        CopyTo(found);
        SUBARRAY(replaced, j, NUMBER(to)) := to;
        INC(j, NUMBER(to));
        INC(found, NUMBER(from));
        done := found;
        INC(count);
      ELSE
        INC(found);
      END;
    END;
    CopyTo(n);
    document.text := Text.FromChars(SUBARRAY(replaced, 0, j));
    RETURN count;
  END Replace;

CONST
  IAm = ARRAY OF CHAR{'I', ' ', 'a', 'm'};
  ThisIs = ARRAY OF CHAR{'T', 'h', 'i', 's', ' ', 'i', 's'};

PROCEDURE ReplaceInDocument(document: Document): INTEGER =
  BEGIN
    IF Text.GetChar(document.text, 0) = 'I' THEN RETURN Replace(document, IAm, ThisIs) END;
    RETURN Replace(document, ThisIs, IAm);
  END ReplaceInDocument;

(* ---- The assembly hierarchy *)

PROCEDURE TraversePart(part: CompositePart; kind: Kind): INTEGER =
  BEGIN
    INC(search);
    CASE kind OF
    | Kind.T1 => RETURN Visit(part.root);
    | Kind.T6 => marks[part.root.id] := search; RETURN 1;
    | Kind.T2A =>
      Update(part.root);
      EVAL Visit(part.root);
      RETURN 1;
    | Kind.T2B => RETURN VisitAndUpdate(part.root, 1);
    | Kind.T2C => RETURN VisitAndUpdate(part.root, 4);
    | Kind.T3A =>
      UpdateIndexed(part.root);
      EVAL Visit(part.root);
      RETURN 1;
    | Kind.T3B => RETURN VisitAndUpdateIndexed(part.root, 1);
    | Kind.T3C => RETURN VisitAndUpdateIndexed(part.root, 4);
    | Kind.T4 => RETURN CountInDocument(part.document, 'I');
    | Kind.T5 => RETURN ReplaceInDocument(part.document);
    END;
  END TraversePart;

PROCEDURE TraverseComplex(a: ComplexAssembly; kind: Kind): INTEGER =
  VAR count := 0;
  BEGIN
    FOR i := 0 TO SubAssemblies - 1 DO INC(count, a.sub[i].traverse(kind)) END;
    RETURN count;
  END TraverseComplex;

PROCEDURE TraverseBase(a: BaseAssembly; kind: Kind): INTEGER =
  VAR count := 0;  component := a.more;
  BEGIN
    FOR i := 0 TO AssemblyParts - 1 DO INC(count, TraversePart(a.parts[i], kind)) END;
    WHILE component # NIL DO
      INC(count, TraversePart(component.part, kind));
      component := component.next;
    END;
    RETURN count;
  END TraverseBase;

PROCEDURE Traverse(m: Module; kind: Kind): INTEGER =
  BEGIN
    RETURN m.designRoot.traverse(kind);
  END Traverse;

<*INLINE*> PROCEDURE TraverseUp(library: Library; m: Module): INTEGER =
  VAR
    part := m.parts[OO7Random.Draw(NUMBER(m.parts^))];
    atomic := part.parts[OO7Random.Draw(library.configuration.atomicParts)];
    use := atomic.partOf.users;
    assembly: Assembly;
    count := 0;
  BEGIN
    WHILE use # NIL DO
      assembly := use.assembly;
      REPEAT
        INC(count);
        assembly := assembly.parent;
      UNTIL assembly = NIL;
      use := use.next;
    END;
    RETURN count;
  END TraverseUp;

PROCEDURE CountInManual(m: Module; c: CHAR): INTEGER =
  VAR text := m.manual.text;  count := 0;
  BEGIN
    FOR i := 0 TO LAST(text^) DO
      IF text[i] = c THEN INC(count) END;
    END;
    RETURN count;
  END CountInManual;

PROCEDURE CompareManualEnds(m: Module): INTEGER =
  VAR text := m.manual.text;
  BEGIN
    RETURN ORD(text[0] = text[LAST(text^)]);
  END CompareManualEnds;

PROCEDURE Sum(m: Module; VAR x, y: INTEGER) =
  BEGIN
    x := 0;
    y := 0;
    FOR i := 0 TO LAST(m.parts^) DO
      WITH parts = m.parts[i].parts DO
        FOR j := 0 TO LAST(parts^) DO
          INC(x, parts[j].x);
          INC(y, parts[j].y);
        END;
      END;
    END;
  END Sum;

BEGIN
END OO7.
