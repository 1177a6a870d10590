MODULE OO7Readers;

IMPORT Database, OO7, Thread, Transaction, Usage;
FROM OO7 IMPORT Int32;

<*FATAL Thread.Alerted*>

TYPE
  (* A search marks the parts that it has visited with its number. Each thread has its own marks. *)
  Traversal = Transaction.Closure OBJECT
      db: Database.T;
      repeats: CARDINAL;
      marks: REF ARRAY OF Int32 := NIL;
      search: Int32 := 0;
      count := 0;
    OVERRIDES
      apply := Traverse;
    END;
  Reader = Thread.Closure OBJECT
      traversal: Traversal;
      transactions: CARDINAL;
    OVERRIDES
      apply := Read;
    END;

VAR
  mu := NEW(MUTEX);
  changed := NEW(Thread.Condition);
  ready := 0;
  go := FALSE;

PROCEDURE Visit(part: OO7.AtomicPart; VAR marks: ARRAY OF Int32; search: Int32): INTEGER =
  VAR count := 1;  next: OO7.AtomicPart;
  BEGIN
    marks[part.id] := search;
    FOR i := 0 TO OO7.Connections - 1 DO
      next := part.to[i].to;
      IF marks[next.id] # search THEN INC(count, Visit(next, marks, search)) END;
    END;
    RETURN count;
  END Visit;

PROCEDURE TraversePart(t: Traversal; part: OO7.CompositePart): INTEGER =
  BEGIN
    INC(t.search);
    RETURN Visit(part.root, t.marks^, t.search);
  END TraversePart;

PROCEDURE TraverseAssembly(t: Traversal; assembly: OO7.Assembly): INTEGER =
  VAR count := 0;  component: OO7.Component;
  BEGIN
    TYPECASE assembly OF
    | OO7.ComplexAssembly (complex) =>
      FOR i := 0 TO OO7.SubAssemblies - 1 DO INC(count, TraverseAssembly(t, complex.sub[i])) END;
    | OO7.BaseAssembly (base) =>
      FOR i := 0 TO OO7.AssemblyParts - 1 DO INC(count, TraversePart(t, base.parts[i])) END;
      component := base.more;
      WHILE component # NIL DO
        INC(count, TraversePart(t, component.part));
        component := component.next;
      END;
    ELSE
    END;
    RETURN count;
  END TraverseAssembly;

PROCEDURE Traverse(t: Traversal) =
  VAR library: OO7.Library := t.db.getRoot();
  BEGIN
    IF t.marks = NIL THEN
      t.marks := NEW(REF ARRAY OF Int32,
                     library.nextComposite * library.configuration.atomicParts);
    END;
    FOR i := 1 TO t.repeats DO
      t.count := TraverseAssembly(t, library.modules[0].designRoot);
    END;
  END Traverse;

PROCEDURE Read(r: Reader): REFANY =
  <*FATAL ANY*>
  BEGIN
    (* Not measured: the first run of a thread. *)
    Transaction.RunReadOnly(r.traversal);
    LOCK mu DO
      INC(ready);
      Thread.Broadcast(changed);
      WHILE NOT go DO Thread.Wait(mu, changed) END;
    END;
    FOR i := 1 TO r.transactions DO Transaction.RunReadOnly(r.traversal) END;
    RETURN NIL;
  END Read;

PROCEDURE Run(db: Database.T; threads, transactions, repeats: CARDINAL; VAR from, to: Usage.T):
  INTEGER =
  VAR
    all := NEW(REF ARRAY OF Thread.T, threads);
    traversal: Traversal;
  BEGIN
    ready := 0;
    go := FALSE;
    FOR i := 0 TO threads - 1 DO
      traversal := NEW(Traversal, db := db, repeats := repeats);
      all[i] := Thread.Fork(NEW(Reader, traversal := traversal, transactions := transactions));
    END;
    LOCK mu DO
      WHILE ready < threads DO Thread.Wait(mu, changed) END;
      go := TRUE;
      from := Usage.Start();
    END;
    Thread.Broadcast(changed);
    FOR i := 0 TO threads - 1 DO EVAL Thread.Join(all[i]) END;
    to := Usage.Now();
    RETURN traversal.count;
  END Run;

BEGIN
END OO7Readers.
