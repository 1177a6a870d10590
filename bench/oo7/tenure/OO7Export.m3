MODULE OO7Export;

IMPORT Fmt, OO7, Text, Thread, Wr;

PROCEDURE Put(wr: Wr.T; n: INTEGER) RAISES {Wr.Failure, Thread.Alerted} =
  BEGIN
    Wr.PutText(wr, Fmt.Int(n));
    Wr.PutChar(wr, ' ');
  END Put;

PROCEDURE PutType(wr: Wr.T; READONLY type: OO7.ShortText) RAISES {Wr.Failure, Thread.Alerted} =
  VAR i := 0;
  BEGIN
    WHILE i < NUMBER(type) AND type[i] # '\000' DO Wr.PutChar(wr, type[i]); INC(i) END;
    Wr.PutChar(wr, ' ');
  END PutType;

PROCEDURE Added(sum: INTEGER; c: CHAR): INTEGER =
  BEGIN
    RETURN (sum * 31 + ORD(c)) MOD 1000003;
  END Added;

PROCEDURE PutSum(wr: Wr.T; size, sum: INTEGER) RAISES {Wr.Failure, Thread.Alerted} =
  BEGIN
    Wr.PutText(wr, Fmt.Int(size) & ":" & Fmt.Int(sum));
  END PutSum;

PROCEDURE PutConnection(wr: Wr.T; connection: OO7.Connection) RAISES {Wr.Failure, Thread.Alerted} =
  BEGIN
    Wr.PutChar(wr, ' ');
    Put(wr, connection.from.id);
    Put(wr, connection.to.id);
    Put(wr, connection.length);
    PutType(wr, connection.type);
  END PutConnection;

PROCEDURE PutAtomic(wr: Wr.T; atomic: OO7.AtomicPart) RAISES {Wr.Failure, Thread.Alerted} =
  VAR connection := atomic.from;
  BEGIN
    Wr.PutText(wr, "atomic ");
    Put(wr, atomic.id);
    Put(wr, atomic.buildDate);
    Put(wr, atomic.x);
    Put(wr, atomic.y);
    Put(wr, atomic.docId);
    PutType(wr, atomic.type);
    Put(wr, atomic.partOf.id);
    Wr.PutText(wr, "to");
    FOR i := 0 TO LAST(atomic.to) DO PutConnection(wr, atomic.to[i]) END;
    Wr.PutText(wr, " from");
    WHILE connection # NIL DO
      PutConnection(wr, connection);
      connection := connection.nextFrom;
    END;
    Wr.PutChar(wr, '\n');
  END PutAtomic;

PROCEDURE PutPart(wr: Wr.T; part: OO7.CompositePart) RAISES {Wr.Failure, Thread.Alerted} =
  VAR use := part.users;  text := part.document.text;  sum := 0;
  BEGIN
    Wr.PutText(wr, "part ");
    Put(wr, part.id);
    Put(wr, part.buildDate);
    PutType(wr, part.type);
    Put(wr, part.root.id);
    Put(wr, part.document.id);
    Put(wr, part.document.part.id);
    Wr.PutText(wr, part.document.title & " ");
    FOR i := 0 TO Text.Length(text) - 1 DO sum := Added(sum, Text.GetChar(text, i)) END;
    PutSum(wr, Text.Length(text), sum);
    Wr.PutText(wr, " used by");
    WHILE use # NIL DO
      Wr.PutChar(wr, ' ');
      Put(wr, use.assembly.id);
      use := use.next;
    END;
    Wr.PutChar(wr, '\n');
    FOR i := 0 TO LAST(part.parts^) DO PutAtomic(wr, part.parts[i]) END;
  END PutPart;

PROCEDURE PutAssembly(wr: Wr.T; assembly: OO7.Assembly) RAISES {Wr.Failure, Thread.Alerted} =
  BEGIN
    TYPECASE assembly OF
    | OO7.BaseAssembly => Wr.PutText(wr, "base ");
    ELSE Wr.PutText(wr, "complex ");
    END;
    Put(wr, assembly.id);
    Put(wr, assembly.buildDate);
    IF assembly.parent = NIL THEN Wr.PutText(wr, "none ") ELSE Put(wr, assembly.parent.id) END;
    TYPECASE assembly OF
    | OO7.BaseAssembly (base) =>
      VAR component := base.more;
      BEGIN
        FOR i := 0 TO LAST(base.parts) DO Put(wr, base.parts[i].id) END;
        WHILE component # NIL DO
          Put(wr, component.part.id);
          component := component.next;
        END;
      END;
      Wr.PutChar(wr, '\n');
    | OO7.ComplexAssembly (complex) =>
      Wr.PutChar(wr, '\n');
      FOR i := 0 TO LAST(complex.sub) DO PutAssembly(wr, complex.sub[i]) END;
    ELSE
    END;
  END PutAssembly;

PROCEDURE PutModule(wr: Wr.T; m: OO7.Module) RAISES {Wr.Failure, Thread.Alerted} =
  VAR sum := 0;
  BEGIN
    Wr.PutText(wr, "module ");
    Put(wr, m.id);
    Put(wr, m.buildDate);
    Put(wr, m.sumX);
    Put(wr, m.sumY);
    Put(wr, m.updates);
    Put(wr, m.manual.id);
    Wr.PutText(wr, m.manual.title & " ");
    FOR i := 0 TO LAST(m.manual.text^) DO sum := Added(sum, m.manual.text[i]) END;
    PutSum(wr, NUMBER(m.manual.text^), sum);
    Wr.PutChar(wr, '\n');
    FOR i := 0 TO LAST(m.parts^) DO PutPart(wr, m.parts[i]) END;
    Wr.PutText(wr, "bases");
    FOR i := 0 TO LAST(m.bases^) DO
      Wr.PutChar(wr, ' ');
      Put(wr, m.bases[i].id);
    END;
    Wr.PutChar(wr, '\n');
    PutAssembly(wr, m.designRoot);
  END PutModule;

PROCEDURE Export(library: OO7.Library; wr: Wr.T) RAISES {Wr.Failure, Thread.Alerted} =
  BEGIN
    Wr.PutText(wr, "library ");
    Put(wr, library.configuration.modules);
    Put(wr, library.configuration.atomicParts);
    Put(wr, library.configuration.manualSize);
    Put(wr, library.nextComposite);
    Wr.PutChar(wr, '\n');
    FOR i := 0 TO LAST(library.modules^) DO PutModule(wr, library.modules[i]) END;
    Wr.Flush(wr);
  END Export;

BEGIN
END OO7Export.
