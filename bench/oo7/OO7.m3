MODULE OO7;

IMPORT Fmt, Text, Word;

REVEAL
  ComplexAssembly = PublicComplexAssembly BRANDED "OO7.ComplexAssembly" OBJECT
    OVERRIDES
      traverse := TraverseComplex;
    END;

  BaseAssembly = PublicBaseAssembly BRANDED "OO7.BaseAssembly" OBJECT
    OVERRIDES
      traverse := TraverseBase;
    END;

(* ---- Building *)

VAR
  state: Word.T;  (* of the generator of random numbers *)
  nextAssembly: Int32;

(* A random number in [0..n - 1]. Everybody who builds this database draws the same ones. *)
PROCEDURE Random(n: CARDINAL): CARDINAL =
  BEGIN
    state := Word.Plus(Word.Times(state, 6364136223846793005), 1442695040888963407);
    RETURN Word.RightShift(state, 33) MOD n;
  END Random;

PROCEDURE Date(): Int32 =
  BEGIN
    RETURN 1000 + Random(1000);
  END Date;

PROCEDURE Type(n: CARDINAL): ShortText =
  VAR type := ShortText{'t', 'y', 'p', 'e', '0', '0', '0', '\000', ..};
  BEGIN
    FOR i := 6 TO 4 BY -1 DO
      type[i] := VAL(ORD('0') + n MOD 10, CHAR);
      n := n DIV 10;
    END;
    RETURN type;
  END Type;

PROCEDURE FillText(VAR chars: ARRAY OF CHAR; title: TEXT) =
  VAR n := Text.Length(title);
  BEGIN
    FOR i := 0 TO LAST(chars) DO
      chars[i] := Text.GetChar(title, i MOD n);
    END;
  END FillText;

PROCEDURE NewDocument(id: CARDINAL; part: CompositePart): Document =
  VAR title := "Composite part " & Fmt.Int(id) & " ";  chars: ARRAY [0..DocumentSize - 1] OF CHAR;
  BEGIN
    FillText(chars, title);
    RETURN NEW(Document, id := id, title := title, text := Text.FromChars(chars), part := part);
  END NewDocument;

PROCEDURE NewCompositePart(id: CARDINAL): CompositePart =
  VAR part := NEW(CompositePart, id := id, buildDate := Date(), type := Type(Random(10)));
  BEGIN
    part.document := NewDocument(id, part);
    FOR i := 0 TO AtomicParts - 1 DO
      part.parts[i] := NEW(AtomicPart, id := id * AtomicParts + i, buildDate := Date(),
                           x := Random(100000), y := Random(100000), docId := id,
                           type := Type(Random(10)), partOf := part);
    END;
    part.root := part.parts[0];
    FOR i := 0 TO AtomicParts - 1 DO
      FOR j := 0 TO Connections - 1 DO
        (* The first leads to the next part, so that the root reaches all. *)
        IF j = 0 THEN
          Connect(part.parts[i], j, part.parts[(i + 1) MOD AtomicParts]);
        ELSE
          Connect(part.parts[i], j, part.parts[Random(AtomicParts)]);
        END;
      END;
    END;
    RETURN part;
  END NewCompositePart;

PROCEDURE Connect(from: AtomicPart; index: CARDINAL; to: AtomicPart) =
  VAR connection := NEW(Connection, length := Random(100), type := Type(Random(10)), from := from,
                        to := to, nextFrom := to.from);
  BEGIN
    from.to[index] := connection;
    to.from := connection;
  END Connect;

PROCEDURE NewComplexAssembly(m: Module; parent: ComplexAssembly; level: CARDINAL): ComplexAssembly =
  VAR assembly := NEW(ComplexAssembly, id := nextAssembly, buildDate := Date(), parent := parent);
  BEGIN
    INC(nextAssembly);
    FOR i := 0 TO SubAssemblies - 1 DO
      IF level + 1 < AssemblyLevels THEN
        assembly.sub[i] := NewComplexAssembly(m, assembly, level + 1);
      ELSE
        assembly.sub[i] := NewBaseAssembly(m, assembly);
      END;
    END;
    RETURN assembly;
  END NewComplexAssembly;

PROCEDURE NewBaseAssembly(m: Module; parent: ComplexAssembly): BaseAssembly =
  VAR assembly := NEW(BaseAssembly, id := nextAssembly, buildDate := Date(), parent := parent);
      part: CompositePart;
  BEGIN
    INC(nextAssembly);
    FOR i := 0 TO AssemblyParts - 1 DO
      part := m.parts[Random(CompositeParts)];
      assembly.parts[i] := part;
      part.users := NEW(Use, assembly := assembly, next := part.users);
    END;
    RETURN assembly;
  END NewBaseAssembly;

PROCEDURE NewManual(): Manual =
  VAR manual := NEW(Manual, id := 0, title := "Manual for module 0 ",
                    text := NEW(REF ARRAY OF CHAR, ManualSize));
  BEGIN
    FillText(manual.text^, manual.title);
    RETURN manual;
  END NewManual;

PROCEDURE Build(): Module =
  VAR m := NEW(Module, id := 0);
  BEGIN
    state := 1;
    nextAssembly := 0;
    m.buildDate := Date();
    m.manual := NewManual();
    FOR i := 0 TO CompositeParts - 1 DO m.parts[i] := NewCompositePart(i) END;
    m.designRoot := NewComplexAssembly(m, NIL, 1);
    Sum(m, m.sumX, m.sumY);
    m.updates := 0;
    RETURN m;
  END Build;

(* ---- Traversing *)

VAR
  (* The parts that the present search has visited are those marked with its number. *)
  marks := NEW(REF ARRAY OF Int32, TotalAtomicParts);
  search: Int32 := 0;

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

PROCEDURE Update(part: AtomicPart) =
  BEGIN
    INC(part.x);
    INC(part.y);
  END Update;

(* Visit with `times` updates of each part; how many updates. *)
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
    END;
  END TraversePart;

PROCEDURE TraverseComplex(a: ComplexAssembly; kind: Kind): INTEGER =
  VAR count := 0;
  BEGIN
    FOR i := 0 TO SubAssemblies - 1 DO INC(count, a.sub[i].traverse(kind)) END;
    RETURN count;
  END TraverseComplex;

PROCEDURE TraverseBase(a: BaseAssembly; kind: Kind): INTEGER =
  VAR count := 0;
  BEGIN
    FOR i := 0 TO AssemblyParts - 1 DO INC(count, TraversePart(a.parts[i], kind)) END;
    RETURN count;
  END TraverseBase;

PROCEDURE Traverse(m: Module; kind: Kind): INTEGER =
  BEGIN
    RETURN m.designRoot.traverse(kind);
  END Traverse;

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
    FOR i := 0 TO CompositeParts - 1 DO
      FOR j := 0 TO AtomicParts - 1 DO
        WITH part = m.parts[i].parts[j] DO
          INC(x, part.x);
          INC(y, part.y);
        END;
      END;
    END;
  END Sum;

BEGIN
END OO7.
