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
    FOR i := 0 TO LAST(e) DO Place(q, i + 1, e[i]) END;
    FOR i := q.sz DIV 2 TO 1 BY -1 DO Sink(q, i, q.heap[i]) END;
    RETURN q;
  END FromArray;

PROCEDURE PCompare(<*UNUSED*> q: Default; READONLY p1, p2: Priority.T): [-1..1] =
  BEGIN
    RETURN Priority.Compare(p1, p2);
  END PCompare;

PROCEDURE Place(q: Default; i: CARDINAL; elt: Elt) =
  BEGIN
    q.heap[i] := elt;
    elt.place := i;
  END Place;

(* Puts elt at its place on the path from i to the top; place i is free. *)
PROCEDURE Rise(q: Default; i: CARDINAL; elt: Elt) =
  BEGIN
    WHILE i > 1 AND q.pCompare(elt.priority, q.heap[i DIV 2].priority) < 0 DO
      Place(q, i, q.heap[i DIV 2]);
      i := i DIV 2;
    END;
    Place(q, i, elt);
  END Rise;

(* The same below i. *)
PROCEDURE Sink(q: Default; i: CARDINAL; elt: Elt) =
  VAR child: CARDINAL;
  BEGIN
    LOOP
      child := 2 * i;
      IF child > q.sz THEN EXIT END;
      IF child < q.sz
         AND q.pCompare(q.heap[child + 1].priority, q.heap[child].priority) < 0 THEN
        INC(child);
      END;
      IF q.pCompare(elt.priority, q.heap[child].priority) <= 0 THEN EXIT END;
      Place(q, i, q.heap[child]);
      i := child;
    END;
    Place(q, i, elt);
  END Sink;

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
    Rise(q, q.sz, elt);
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
      Rise(q, i, elt);
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
