UNSAFE MODULE PickleTypes;

IMPORT RTLayout, RTMemory, Word;

CONST
  Refany = 1;  (* its typecode *)
  WordBytes = BYTESIZE(REFANY);

VAR
  infos: REF ARRAY OF Info := NIL;  (* by typecode *)

PROCEDURE InfoOf(typecode: INTEGER): Info =
  VAR shape: RTLayout.Shape;  info: Info;
  BEGIN
    IF infos = NIL THEN infos := NEW(REF ARRAY OF Info, RTLayout.TypeCount()) END;
    IF infos[typecode] = NIL THEN
      RTLayout.GetShape(typecode, shape);
      IF shape[RTLayout.IsTraced] = 0 THEN RETURN NIL END;
      info := NEW(Info, typecode := typecode, fixedBytes := shape[RTLayout.FixedBytes],
                  dimensions := shape[RTLayout.Dimensions],
                  elementBytes := shape[RTLayout.ElementBytes], skipBytes := 0);
      IF RTLayout.IsSubtype(typecode, TYPECODE(MUTEX)) THEN
        RTLayout.GetShape(TYPECODE(MUTEX), shape);
        info.skipBytes := shape[RTLayout.FixedBytes];
        RTLayout.GetShape(typecode, shape);
      END;
      info.fixed := SlotsOf(typecode, FALSE, shape[RTLayout.Runs], info.skipBytes);
      info.element := SlotsOf(typecode, TRUE, shape[RTLayout.ElementRuns], 0);
      infos[typecode] := info;
    END;
    RETURN infos[typecode];
  END InfoOf;

PROCEDURE SlotsOf(typecode: INTEGER; inElement: BOOLEAN; runs: CARDINAL; skip: CARDINAL): Slots =
  VAR run: RTLayout.Run;  count: CARDINAL := 0;  slots: Slots;  j: INTEGER;
  BEGIN
    FOR i := 0 TO runs - 1 DO
      RTLayout.GetRun(typecode, inElement, i, run);
      INC(count, run.count);
    END;
    slots := NEW(Slots, count);
    count := 0;
    FOR i := 0 TO runs - 1 DO
      RTLayout.GetRun(typecode, inElement, i, run);
      FOR k := 0 TO run.count - 1 DO
        WITH offset = run.offset + k * run.stride DO
          (* Insertion sort: runs may interleave. *)
          j := count - 1;
          WHILE j >= 0 AND slots[j].offset > offset DO
            slots[j + 1] := slots[j];
            DEC(j);
          END;
          slots[j + 1].offset := offset;
          slots[j + 1].kind := KindOf(run.kind, offset < skip);
          INC(count);
        END;
      END;
    END;
    RETURN slots;
  END SlotsOf;

PROCEDURE KindOf(kind: INTEGER; left: BOOLEAN): Kind =
  BEGIN
    IF left OR kind = 1 THEN RETURN Kind.Left END;
    IF kind = 0 THEN RETURN Kind.Own END;
    RETURN Kind.Barred;
  END KindOf;

PROCEDURE GetLengths(ref: REFANY; info: Info; VAR lengths: ARRAY OF INTEGER) =
  VAR p := LOOPHOLE(ref, ADDRESS) + info.fixedBytes;
  BEGIN
    FOR i := 0 TO info.dimensions - 1 DO
      lengths[i] := LOOPHOLE(p + i * WordBytes, UNTRACED REF INTEGER)^;
    END;
  END GetLengths;

PROCEDURE ElementCount(info: Info; READONLY lengths: ARRAY OF INTEGER): INTEGER =
  CONST
    Most = 16_FFFFFFFFFF;
  VAR n := 1;
  BEGIN
    IF info.dimensions = 0 THEN RETURN 0 END;
    FOR i := 0 TO info.dimensions - 1 DO
      IF lengths[i] < 0 OR lengths[i] > Most THEN RETURN -1 END;
      IF lengths[i] > 0 AND n > Most DIV lengths[i] THEN RETURN -1 END;
      n := n * lengths[i];
    END;
    IF info.elementBytes > 0 AND n > Most DIV info.elementBytes THEN RETURN -1 END;
    RETURN n;
  END ElementCount;

PROCEDURE New(info: Info; READONLY lengths: ARRAY OF INTEGER): REFANY =
  BEGIN
    RETURN RTLayout.New(info.typecode, lengths);
  END New;

PROCEDURE DataBytes(info: Info; elements: CARDINAL): CARDINAL =
  VAR n := info.fixedBytes - info.skipBytes;
  BEGIN
    FOR i := 0 TO LAST(info.fixed^) DO
      IF info.fixed[i].offset >= info.skipBytes THEN DEC(n, WordBytes) END;
    END;
    RETURN n + elements * (info.elementBytes - NUMBER(info.element^) * WordBytes);
  END DataBytes;

(* The offset where the elements begin. *)
PROCEDURE Elements(ref: REFANY; info: Info): ADDRESS =
  BEGIN
    RETURN LOOPHOLE(ref, ADDRESS) + info.fixedBytes + info.dimensions * WordBytes;
  END Elements;

(* Finds the next bytes without references: sets their address and returns their number, at most
   `most`; 0 at the end. Elements without references are one long part. *)
PROCEDURE Chunk(ref: REFANY; info: Info; elements: CARDINAL; VAR at: Place; most: CARDINAL;
                VAR address: ADDRESS): CARDINAL =
  VAR slots: Slots;  partBytes, n: CARDINAL;  base: ADDRESS;
      plain := NUMBER(info.element^) = 0;
  BEGIN
    IF at.part = 0 AND at.offset = 0 THEN
      at.offset := info.skipBytes;
      WHILE at.slot < NUMBER(info.fixed^) AND info.fixed[at.slot].offset < at.offset DO
        INC(at.slot);
      END;
    END;
    LOOP
      IF at.part = 0 THEN
        slots := info.fixed;
        partBytes := info.fixedBytes;
        base := LOOPHOLE(ref, ADDRESS);
      ELSIF info.dimensions = 0 OR at.part > elements OR plain AND at.part > 1 THEN
        RETURN 0;
      ELSE
        slots := info.element;
        partBytes := info.elementBytes;
        IF plain THEN partBytes := elements * partBytes END;
        base := Elements(ref, info) + (at.part - 1) * info.elementBytes;
      END;
      WHILE at.slot < NUMBER(slots^) AND slots[at.slot].offset = at.offset DO
        INC(at.slot);
        INC(at.offset, WordBytes);
      END;
      IF at.offset < partBytes THEN EXIT END;
      INC(at.part);
      at.offset := 0;
      at.slot := 0;
    END;
    IF at.slot < NUMBER(slots^) THEN
      n := slots[at.slot].offset - at.offset;
    ELSE
      n := partBytes - at.offset;
    END;
    n := MIN(n, most);
    address := base + at.offset;
    INC(at.offset, n);
    RETURN n;
  END Chunk;

PROCEDURE GetData(ref: REFANY; info: Info; elements: CARDINAL; VAR at: Place;
                  VAR buffer: ARRAY OF CHAR): CARDINAL =
  VAR n, filled: CARDINAL := 0;  address: ADDRESS;
  BEGIN
    WHILE filled < NUMBER(buffer) DO
      n := Chunk(ref, info, elements, at, NUMBER(buffer) - filled, address);
      IF n = 0 THEN EXIT END;
      RTMemory.Move(ADR(buffer[filled]), address, n);
      INC(filled, n);
    END;
    RETURN filled;
  END GetData;

PROCEDURE PutData(ref: REFANY; info: Info; elements: CARDINAL; VAR at: Place;
                  READONLY buffer: ARRAY OF CHAR) =
  VAR n, done: CARDINAL := 0;  address: ADDRESS;
  BEGIN
    WHILE done < NUMBER(buffer) DO
      n := Chunk(ref, info, elements, at, NUMBER(buffer) - done, address);
      <*ASSERT n > 0*>
      RTMemory.Move(address, ADR(buffer[done]), n);
      INC(done, n);
    END;
  END PutData;

PROCEDURE SlotCount(info: Info; elements: CARDINAL): CARDINAL =
  BEGIN
    RETURN NUMBER(info.fixed^) + elements * NUMBER(info.element^);
  END SlotCount;

PROCEDURE SlotKind(info: Info; i: CARDINAL): Kind =
  BEGIN
    IF i < NUMBER(info.fixed^) THEN RETURN info.fixed[i].kind END;
    RETURN info.element[(i - NUMBER(info.fixed^)) MOD NUMBER(info.element^)].kind;
  END SlotKind;

PROCEDURE SlotAddress(ref: REFANY; info: Info; i: CARDINAL; elements: CARDINAL): ADDRESS =
  BEGIN
    <*ASSERT i < SlotCount(info, elements)*>
    IF i < NUMBER(info.fixed^) THEN
      RETURN LOOPHOLE(ref, ADDRESS) + info.fixed[i].offset;
    END;
    DEC(i, NUMBER(info.fixed^));
    RETURN Elements(ref, info) + i DIV NUMBER(info.element^) * info.elementBytes
      + info.element[i MOD NUMBER(info.element^)].offset;
  END SlotAddress;

PROCEDURE GetSlot(ref: REFANY; info: Info; i: CARDINAL; elements: CARDINAL): REFANY =
  BEGIN
    IF SlotKind(info, i) # Kind.Own THEN RETURN NIL END;
    RETURN LOOPHOLE(SlotAddress(ref, info, i, elements), UNTRACED REF REFANY)^;
  END GetSlot;

PROCEDURE SetSlot(ref: REFANY; info: Info; i: CARDINAL; elements: CARDINAL; value: REFANY) =
  BEGIN
    RTLayout.Store(SlotAddress(ref, info, i, elements), value);
  END SetSlot;

PROCEDURE Fits(info: Info; i: CARDINAL; value: REFANY): BOOLEAN =
  VAR inElement := i >= NUMBER(info.fixed^);  offset: CARDINAL;
  BEGIN
    IF value = NIL THEN RETURN TRUE END;
    IF inElement THEN
      offset := info.element[(i - NUMBER(info.fixed^)) MOD NUMBER(info.element^)].offset;
    ELSE
      offset := info.fixed[i].offset;
    END;
    RETURN RTLayout.MayRefer(info.typecode, inElement, offset, TYPECODE(value));
  END Fits;

PROCEDURE IsNil(ref: REFANY; info: Info; i: CARDINAL; elements: CARDINAL): BOOLEAN =
  BEGIN
    RETURN LOOPHOLE(SlotAddress(ref, info, i, elements), UNTRACED REF INTEGER)^ = 0;
  END IsNil;

PROCEDURE NewObjects(): Objects =
  BEGIN
    RETURN NEW(Objects, refs := NEW(REF ARRAY OF REFANY, 64));
  END NewObjects;

PROCEDURE NewId(objects: Objects): CARDINAL =
  VAR new: REF ARRAY OF REFANY;
  BEGIN
    IF objects.count = NUMBER(objects.refs^) THEN
      new := NEW(REF ARRAY OF REFANY, 2 * objects.count);
      SUBARRAY(new^, 0, objects.count) := objects.refs^;
      objects.refs := new;
    END;
    INC(objects.count);
    RETURN objects.count - 1;
  END NewId;

PROCEDURE NumberOf(objects: Objects; ref: REFANY): INTEGER =
  VAR place: CARDINAL;  moves: INTEGER;  id: CARDINAL;
  BEGIN
    LOOP
      IF objects.index = NIL OR 2 * objects.count >= NUMBER(objects.index^)
         OR objects.moves # RTLayout.Moves() THEN
        Rehash(objects);
      END;
      moves := objects.moves;
      place := PlaceOf(objects, ref);
      (* If the collector has run meanwhile, the index does not fit the present addresses. ref
         itself does not move, because this frame refers to it. *)
      IF RTLayout.Moves() = moves THEN EXIT END;
    END;
    IF objects.index[place] >= 0 THEN RETURN objects.index[place] END;
    id := NewId(objects);
    objects.refs[id] := ref;
    IF RTLayout.Moves() = moves THEN objects.index[place] := id ELSE objects.moves := -1 END;
    RETURN -1;
  END NumberOf;

(* The place in the index with ref, or the free place for it. *)
PROCEDURE PlaceOf(objects: Objects; ref: REFANY): CARDINAL =
  VAR last := LAST(objects.index^);  place: CARDINAL;
  BEGIN
    place := Word.And(Word.RightShift(Word.Times(LOOPHOLE(ref, Word.T), 16_9E3779B97F4A7C15), 20),
                      last);
    WHILE objects.index[place] >= 0 AND objects.refs[objects.index[place]] # ref DO
      IF place = last THEN place := 0 ELSE INC(place) END;
    END;
    RETURN place;
  END PlaceOf;

(* Sets objects.moves so that no object has moved since the addresses were taken. *)
PROCEDURE Rehash(objects: Objects) =
  VAR size := 128;
  BEGIN
    WHILE size <= 4 * objects.count DO size := 2 * size END;
    IF objects.index = NIL OR NUMBER(objects.index^) < size THEN
      objects.index := NEW(REF ARRAY OF INTEGER, size);
    END;
    REPEAT
      objects.moves := RTLayout.Moves();
      FOR i := 0 TO LAST(objects.index^) DO objects.index[i] := -1 END;
      FOR i := 0 TO objects.count - 1 DO
        IF objects.refs[i] # NIL THEN objects.index[PlaceOf(objects, objects.refs[i])] := i END;
      END;
    UNTIL objects.moves = RTLayout.Moves();
  END Rehash;

PROCEDURE Fingerprint(typecode: INTEGER): INTEGER =
  BEGIN
    RETURN RTLayout.Fingerprint(typecode);
  END Fingerprint;

PROCEDURE Find(fingerprint: INTEGER): INTEGER =
  BEGIN
    RETURN RTLayout.Find(fingerprint);
  END Find;

PROCEDURE Name(typecode: INTEGER): TEXT =
  BEGIN
    RETURN RTLayout.Name(typecode);
  END Name;

PROCEDURE IsTypecode(typecode: INTEGER): BOOLEAN =
  BEGIN
    RETURN 0 <= typecode AND typecode < RTLayout.TypeCount();
  END IsTypecode;

PROCEDURE Supertype(typecode: INTEGER): INTEGER =
  BEGIN
    IF typecode <= Refany THEN RETURN -1 END;
    RETURN RTLayout.Supertype(typecode);
  END Supertype;

BEGIN
END PickleTypes.
