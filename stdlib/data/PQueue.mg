(* PQ is the instance's own interface; the body uses its names without a qualifier. *)
GENERIC MODULE PQueue(Priority, PQ, PQRep);

REVEAL
  Elt = OBJECT
      priority: Priority.T;
    END BRANDED EltBrand OBJECT
      (* The element's index in its queue's heap, if it is in a queue. *)
      place: CARDINAL := 0;
    END;

  Default = PQRep.DefaultPub BRANDED DefaultBrand OBJECT
    OVERRIDES
      init := Init;
      fromArray := FromArray;
      pCompare := PCompare;
      insert := Insert;
      delete := Delete;
      size := Size;
      min := Min;
      deleteMin := DeleteMin;
      change := Change;
    END;

PROCEDURE Init(q: Default; sizeHint: CARDINAL): Default =
  BEGIN
    q.heap := NEW(PQRep.EltsArray, MAX(sizeHint, 1) + 1);
    q.sz := 0;
    RETURN q;
  END Init;

PROCEDURE FromArray(q: Default; READONLY e: ARRAY OF Elt): Default =
  BEGIN
    EVAL Init(q, NUMBER(e));
    q.sz := NUMBER(e);
    FOR i := 0 TO LAST(e) DO
      q.heap[i + 1] := e[i];
      e[i].place := i + 1;
    END;
    FOR i := q.sz DIV 2 TO 1 BY -1 DO Sink(q, i, q.heap[i]) END;
    RETURN q;
  END FromArray;

PROCEDURE PCompare(<*UNUSED*> q: Default; READONLY p1, p2: Priority.T): [-1..1] =
  BEGIN
    RETURN Priority.Compare(p1, p2);
  END PCompare;

(* Whether priorities are compared by Priority.Compare, which can be inlined. *)
PROCEDURE IsPlain(q: Default): BOOLEAN =
  BEGIN
    RETURN TYPECODE(q) = TYPECODE(Default);
  END IsPlain;

<*INLINE*>
PROCEDURE IsLess(q: Default; plain: BOOLEAN; READONLY p1, p2: Priority.T): BOOLEAN =
  BEGIN
    IF plain THEN RETURN Priority.Compare(p1, p2) < 0 ELSE RETURN q.pCompare(p1, p2) < 0 END;
  END IsLess;

(* Puts elt at its place on the path from i, which is free, up to `top`. *)
PROCEDURE Rise(q: Default; i, top: CARDINAL; elt: Elt) =
  BEGIN
    IF IsPlain(q) THEN RiseBy(q, TRUE, i, top, elt) ELSE RiseBy(q, FALSE, i, top, elt) END;
  END Rise;

<*INLINE*>
PROCEDURE RiseBy(q: Default; plain: BOOLEAN; i, top: CARDINAL; elt: Elt) =
  VAR heap := q.heap;  above: Elt;
  BEGIN
    WHILE i > top DO
      above := heap[i DIV 2];
      IF NOT IsLess(q, plain, elt.priority, above.priority) THEN EXIT END;
      heap[i] := above;
      above.place := i;
      i := i DIV 2;
    END;
    heap[i] := elt;
    elt.place := i;
  END RiseBy;

(* Puts elt at its place below i, which is free. An element that comes from the heap's end mostly
   belongs near its end: so the free place goes all the way down, which takes one comparison for each
   level, and elt rises from there (Wegener 1993). *)
PROCEDURE Sink(q: Default; i: CARDINAL; elt: Elt) =
  BEGIN
    IF IsPlain(q) THEN SinkBy(q, TRUE, i, elt) ELSE SinkBy(q, FALSE, i, elt) END;
  END Sink;

<*INLINE*>
PROCEDURE SinkBy(q: Default; plain: BOOLEAN; i: CARDINAL; elt: Elt) =
  VAR heap := q.heap;  top := i;  child := 2 * i;  below, other: Elt;
  BEGIN
    WHILE child <= q.sz DO
      below := heap[child];
      IF child < q.sz THEN
        other := heap[child + 1];
        IF IsLess(q, plain, other.priority, below.priority) THEN
          below := other;
          INC(child);
        END;
      END;
      heap[i] := below;
      below.place := i;
      i := child;
      child := 2 * i;
    END;
    RiseBy(q, plain, i, top, elt);
  END SinkBy;

PROCEDURE Insert(q: Default; READONLY elt: Elt) =
  VAR new: PQRep.EltsArray;
  BEGIN
    IF q.heap = NIL THEN EVAL Init(q, 10) END;
    IF q.sz = LAST(q.heap^) THEN
      new := NEW(PQRep.EltsArray, 2 * NUMBER(q.heap^));
      SUBARRAY(new^, 0, NUMBER(q.heap^)) := q.heap^;
      q.heap := new;
    END;
    INC(q.sz);
    Rise(q, q.sz, 1, elt);
  END Insert;

(* The index of elt in q. *)
PROCEDURE PlaceOf(q: Default; elt: Elt): CARDINAL RAISES {NotInQueue} =
  BEGIN
    IF elt.place = 0 OR elt.place > q.sz OR q.heap[elt.place] # elt THEN RAISE NotInQueue END;
    RETURN elt.place;
  END PlaceOf;

PROCEDURE Delete(q: Default; elt: Elt) RAISES {NotInQueue} =
  BEGIN
    TakeOut(q, PlaceOf(q, elt));
  END Delete;

(* Takes the element at i out; the last element fills the gap. *)
PROCEDURE TakeOut(q: Default; i: CARDINAL) =
  VAR last := q.heap[q.sz];
  BEGIN
    q.heap[i].place := 0;
    q.heap[q.sz] := NIL;
    DEC(q.sz);
    IF i <= q.sz THEN Settle(q, i, last) END;
  END TakeOut;

(* Puts elt at its place, above or below the free place i. *)
PROCEDURE Settle(q: Default; i: CARDINAL; elt: Elt) =
  BEGIN
    IF i > 1 AND q.pCompare(elt.priority, q.heap[i DIV 2].priority) < 0 THEN
      Rise(q, i, 1, elt);
    ELSE
      Sink(q, i, elt);
    END;
  END Settle;

PROCEDURE Size(q: Default): CARDINAL =
  BEGIN
    RETURN q.sz;
  END Size;

PROCEDURE Min(q: Default): Elt RAISES {Empty} =
  BEGIN
    IF q.sz = 0 THEN RAISE Empty END;
    RETURN q.heap[1];
  END Min;

PROCEDURE DeleteMin(q: Default): Elt RAISES {Empty} =
  VAR elt := Min(q);
  BEGIN
    TakeOut(q, 1);
    RETURN elt;
  END DeleteMin;

PROCEDURE Change(q: Default; elt: Elt; newP: Priority.T) RAISES {NotInQueue} =
  VAR i := PlaceOf(q, elt);
  BEGIN
    elt.priority := newP;
    Settle(q, i, elt);
  END Change;

BEGIN
END PQueue.
