MODULE OO7Build;

IMPORT Fmt, IntRefBPlusTree, OO7, Text, TextRefBPlusTree;
FROM OO7 IMPORT AtomicPart, BaseAssembly, ComplexAssembly, CompositePart, Int32, Module;
FROM OO7Random IMPORT Draw, Start;

VAR
  nextAssembly: Int32;
  nextBase: CARDINAL;  (* of the module that is being built *)

PROCEDURE Date(): Int32 =
  BEGIN
    RETURN OO7.FirstDate + Draw(OO7.LastDate - OO7.FirstDate + 1);
  END Date;

PROCEDURE Type(n: CARDINAL): OO7.ShortText =
  VAR type := OO7.ShortText{'t', 'y', 'p', 'e', '0', '0', '0', '\000', ..};
  BEGIN
    FOR i := 6 TO 4 BY -1 DO
      type[i] := VAL(ORD('0') + n MOD 10, CHAR);
      n := n DIV 10;
    END;
    RETURN type;
  END Type;

PROCEDURE FillText(VAR chars: ARRAY OF CHAR; sentence: TEXT) =
  VAR n := Text.Length(sentence);
  BEGIN
    FOR i := 0 TO LAST(chars) DO chars[i] := Text.GetChar(sentence, i MOD n) END;
  END FillText;

(* ---- Composite parts *)

PROCEDURE NewDocument(id: CARDINAL; part: CompositePart): OO7.Document =
  VAR chars: ARRAY [0..OO7.DocumentSize - 1] OF CHAR;
  BEGIN
    FillText(chars, "I am the documentation for composite part " & Fmt.Int(id) & "\n");
    RETURN NEW(OO7.Document, id := id, title := "Composite part " & Fmt.Int(id),
               text := Text.FromChars(chars), part := part);
  END NewDocument;

PROCEDURE NewCompositePart(id, atomicParts: CARDINAL): CompositePart =
  VAR part := NEW(CompositePart, id := id, buildDate := Date(), type := Type(Draw(10)));
  BEGIN
    part.document := NewDocument(id, part);
    part.parts := NEW(REF ARRAY OF AtomicPart, atomicParts);
    FOR i := 0 TO atomicParts - 1 DO
      part.parts[i] := NEW(AtomicPart, id := id * atomicParts + i, buildDate := Date(),
                           x := Draw(100000), y := Draw(100000), docId := id,
                           type := Type(Draw(10)), partOf := part);
    END;
    part.root := part.parts[0];
    FOR i := 0 TO atomicParts - 1 DO
      FOR j := 0 TO OO7.Connections - 1 DO
        (* The first leads to the next part, so that the root reaches all. *)
        IF j = 0 THEN
          Connect(part.parts[i], j, part.parts[(i + 1) MOD atomicParts]);
        ELSE
          Connect(part.parts[i], j, part.parts[Draw(atomicParts)]);
        END;
      END;
    END;
    RETURN part;
  END NewCompositePart;

PROCEDURE Connect(from: AtomicPart; index: CARDINAL; to: AtomicPart) =
  VAR connection := NEW(OO7.Connection, length := Draw(100), type := Type(Draw(10)), from := from,
                        to := to, nextFrom := to.from);
  BEGIN
    from.to[index] := connection;
    to.from := connection;
  END Connect;

(* ---- Assemblies *)

PROCEDURE NewComplexAssembly(m: Module; parent: ComplexAssembly; level: CARDINAL): ComplexAssembly =
  VAR assembly := NEW(ComplexAssembly, id := nextAssembly, buildDate := Date(), parent := parent);
  BEGIN
    INC(nextAssembly);
    FOR i := 0 TO OO7.SubAssemblies - 1 DO
      IF level + 1 < OO7.AssemblyLevels THEN
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
    m.bases[nextBase] := assembly;
    INC(nextBase);
    FOR i := 0 TO OO7.AssemblyParts - 1 DO
      part := m.parts[Draw(OO7.CompositeParts)];
      assembly.parts[i] := part;
      part.users := NEW(OO7.Use, assembly := assembly, next := part.users);
    END;
    RETURN assembly;
  END NewBaseAssembly;

(* ---- Modules *)

PROCEDURE NewManual(id, size: CARDINAL): OO7.Manual =
  VAR manual := NEW(OO7.Manual, id := id, title := "Manual for module " & Fmt.Int(id),
                    text := NEW(REF ARRAY OF CHAR, size));
  BEGIN
    FillText(manual.text^, "I am the manual for module " & Fmt.Int(id) & "\n");
    RETURN manual;
  END NewManual;

PROCEDURE NewModule(library: OO7.Library; id: CARDINAL): Module =
  VAR
    m := NEW(Module, id := id, buildDate := Date(), updates := 0,
             manual := NewManual(id, library.configuration.manualSize),
             parts := NEW(REF ARRAY OF CompositePart, OO7.CompositeParts),
             bases := NEW(REF ARRAY OF BaseAssembly, OO7.BaseAssemblies));
  BEGIN
    FOR i := 0 TO LAST(m.parts^) DO
      m.parts[i] := NewCompositePart(library.nextComposite, library.configuration.atomicParts);
      INC(library.nextComposite);
      Enter(library, m.parts[i]);
    END;
    nextBase := 0;
    m.designRoot := NewComplexAssembly(m, NIL, 1);
    OO7.Sum(m, m.sumX, m.sumY);
    RETURN m;
  END NewModule;

PROCEDURE Build(READONLY configuration: OO7.Configuration): OO7.Library =
  VAR
    library := NEW(OO7.Library, configuration := configuration, nextComposite := 0,
                   modules := NEW(REF ARRAY OF Module, configuration.modules),
                   byId := NEW(IntRefBPlusTree.T).init(), byDate := NEW(IntRefBPlusTree.T).init(),
                   byTitle := NEW(TextRefBPlusTree.T).init());
  BEGIN
    Start(1);
    nextAssembly := 0;
    FOR i := 0 TO configuration.modules - 1 DO library.modules[i] := NewModule(library, i) END;
    RETURN library;
  END Build;

(* ---- Indexes *)

PROCEDURE Enter(library: OO7.Library; part: CompositePart) =
  BEGIN
    EVAL library.byTitle.put(part.document.title, part.document);
    FOR i := 0 TO LAST(part.parts^) DO
      WITH atomic = part.parts[i] DO
        EVAL library.byId.put(atomic.id, atomic);
        EVAL library.byDate.put(OO7.DateKey(atomic.buildDate, atomic.id), atomic);
      END;
    END;
  END Enter;

PROCEDURE Remove(library: OO7.Library; part: CompositePart) =
  VAR old: REFANY;
  BEGIN
    EVAL library.byTitle.delete(part.document.title, old);
    FOR i := 0 TO LAST(part.parts^) DO
      WITH atomic = part.parts[i] DO
        EVAL library.byId.delete(atomic.id, old);
        EVAL library.byDate.delete(OO7.DateKey(atomic.buildDate, atomic.id), old);
      END;
    END;
  END Remove;

(* ---- Structural modifications *)

(* Adjusts the expected sums over m for removing or adding the part. *)
PROCEDURE Account(m: Module; part: CompositePart; sign: [-1..1]) =
  BEGIN
    FOR i := 0 TO LAST(part.parts^) DO
      INC(m.sumX, sign * part.parts[i].x);
      INC(m.sumY, sign * part.parts[i].y);
    END;
  END Account;

PROCEDURE Insert(library: OO7.Library; m: Module): INTEGER =
  VAR
    old := NUMBER(m.parts^);
    parts := NEW(REF ARRAY OF CompositePart, old + InsertedParts);
    part: CompositePart;
  BEGIN
    SUBARRAY(parts^, 0, old) := m.parts^;
    FOR i := old TO LAST(parts^) DO
      part := NewCompositePart(library.nextComposite, library.configuration.atomicParts);
      INC(library.nextComposite);
      parts[i] := part;
      Enter(library, part);
      Account(m, part, 1);
    END;
    FOR i := 0 TO InsertedUses - 1 DO
      WITH assembly = m.bases[Draw(NUMBER(m.bases^))] DO
        part := parts[old + i MOD InsertedParts];
        assembly.more := NEW(OO7.Component, part := part, next := assembly.more);
        part.users := NEW(OO7.Use, assembly := assembly, next := part.users);
      END;
    END;
    m.parts := parts;
    RETURN InsertedParts;
  END Insert;

(* Takes the part out of the assembly, once. *)
PROCEDURE TakeOut(assembly: BaseAssembly; part: CompositePart) =
  VAR component := assembly.more;
  BEGIN
    IF component.part = part THEN
      assembly.more := component.next;
      RETURN;
    END;
    WHILE component.next.part # part DO component := component.next END;
    component.next := component.next.next;
  END TakeOut;

PROCEDURE Delete(library: OO7.Library; m: Module): INTEGER =
  VAR
    n := MIN(InsertedParts, NUMBER(m.parts^) - OO7.CompositeParts);
    rest := NUMBER(m.parts^) - n;
    parts: REF ARRAY OF CompositePart;
    use: OO7.Use;
  BEGIN
    IF n = 0 THEN RETURN 0 END;
    FOR i := LAST(m.parts^) TO rest BY -1 DO
      WITH part = m.parts[i] DO
        use := part.users;
        WHILE use # NIL DO
          TakeOut(use.assembly, part);
          use := use.next;
        END;
        Remove(library, part);
        Account(m, part, -1);
        (* Ids stay dense if the part is the youngest of the library. *)
        IF part.id = library.nextComposite - 1 THEN DEC(library.nextComposite) END;
      END;
    END;
    parts := NEW(REF ARRAY OF CompositePart, rest);
    parts^ := SUBARRAY(m.parts^, 0, rest);
    m.parts := parts;
    RETURN n;
  END Delete;

BEGIN
END OO7Build.
