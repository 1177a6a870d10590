GENERIC MODULE Table(Key, Value);

IMPORT Word;

(* Open addressing: an entry lies in the slot given by its hash, or else in the next slot that
   was free when the entry came. A look-up mostly reads one place of memory, and the collector
   visits one object instead of one for each entry. *)

CONST
  (* Tags of slots without an entry. *)
  Free = 0;
  Deleted = 1;  (* a deleted entry: searches go on behind it; the slot after it is not free *)

TYPE
  Slot = RECORD
    key: Key.T;
    value: Value.T;
    tag: Word.T := Free;  (* else made of the key's hash, TagOf *)
  END;

  Slots = REF ARRAY OF Slot;

  Iter = Iterator OBJECT
      table: Default;
      place: CARDINAL := 0;  (* the first slot that was not looked at *)
      done := FALSE;
    OVERRIDES
      init := IterInit;
      next := IterNext;
    END;

REVEAL
  Default = T OBJECT METHODS
      init(sizeHint: CARDINAL := 0): Default;
      keyEqual(READONLY k1, k2: Key.T): BOOLEAN;
      keyHash(READONLY k: Key.T): Word.T;
    END BRANDED DefaultBrand OBJECT
      slots: Slots := NIL;  (* their number is a power of two *)
      shift: CARDINAL := 0;  (* from a tag to the number of a slot *)
      count: CARDINAL := 0;
      used: CARDINAL := 0;  (* slots that are not free; at most three quarters of all slots *)
    OVERRIDES
      init := Init;
      keyEqual := KeyEqual;
      keyHash := KeyHash;
      get := Get;
      put := Put;
      delete := Delete;
      size := Size;
      iterate := Iterate;
    END;

CONST
  MinSlots = 4;
  (* A table that becomes empty and has more slots than this gives half of them back. *)
  KeptSlots = 64;

VAR
  none: Slot;  (* to empty slots with *)

PROCEDURE Init(t: Default; sizeHint: CARDINAL): Default =
  VAR n: CARDINAL := MinSlots;
  BEGIN
    WHILE n - n DIV 4 < sizeHint DO n := 2 * n END;
    SetSlots(t, n);
    t.count := 0;
    RETURN t;
  END Init;

PROCEDURE SetSlots(t: Default; n: CARDINAL) =
  VAR shift: CARDINAL := Word.Size;  m := n;
  BEGIN
    WHILE m > 1 DO m := m DIV 2; DEC(shift) END;
    t.slots := NEW(Slots, n);
    t.shift := shift;
    t.used := 0;
  END SetSlots;

PROCEDURE KeyEqual(<*UNUSED*> t: Default; READONLY k1, k2: Key.T): BOOLEAN =
  BEGIN
    RETURN Key.Equal(k1, k2);
  END KeyEqual;

PROCEDURE KeyHash(<*UNUSED*> t: Default; READONLY k: Key.T): Word.T =
  BEGIN
    RETURN Key.Hash(k);
  END KeyHash;

(* Multiplying spreads keys that differ only in some bits over the high bits, which choose the slot. *)
PROCEDURE TagOf(hash: Word.T): Word.T =
  VAR tag: Word.T := Word.Times(hash, 16_9E3779B97F4A7C15);
  BEGIN
    IF Word.LE(tag, Deleted) THEN tag := Word.Plus(tag, Deleted + 1) END;
    RETURN tag;
  END TagOf;

(* Whether keyEqual and keyHash are those of Default, so that Key.Equal and Key.Hash may be called instead: calls that
   the compiler may expand in line. A subtype may override the methods. *)
<*INLINE*>
PROCEDURE IsDefault(t: Default): BOOLEAN =
  BEGIN
    RETURN TYPECODE(t) = TYPECODE(Default);
  END IsDefault;

<*INLINE*>
PROCEDURE TagOfKey(t: Default; READONLY k: Key.T): Word.T =
  BEGIN
    IF IsDefault(t) THEN RETURN TagOf(Key.Hash(k)) END;
    RETURN TagOf(t.keyHash(k));
  END TagOfKey;

(* The slot of k. If there is none, the result is negative, and -1 minus the result is the first slot without an entry
   where k may be put. *)
<*INLINE*>
PROCEDURE Find(t: Default; READONLY k: Key.T; tag: Word.T): INTEGER =
  VAR slots := t.slots;  i: INTEGER := Word.RightShift(tag, t.shift);
  BEGIN
    IF NOT IsDefault(t) THEN RETURN FindByMethods(t, k, tag) END;
    LOOP
      WITH slot = slots[i] DO
        IF slot.tag = tag AND Key.Equal(slot.key, k) THEN RETURN i END;
        IF slot.tag = Free THEN RETURN -1 - i END;
        IF slot.tag = Deleted THEN EXIT END;
      END;
      i := Word.And(i + 1, LAST(slots^));
    END;
    RETURN FindBehind(t, k, tag, i);
  END Find;

(* Find from slot i on, which is deleted. *)
PROCEDURE FindBehind(t: Default; READONLY k: Key.T; tag: Word.T; i: INTEGER): INTEGER =
  VAR slots := t.slots;  deleted := i;
  BEGIN
    LOOP
      i := Word.And(i + 1, LAST(slots^));
      WITH slot = slots[i] DO
        IF slot.tag = tag AND Key.Equal(slot.key, k) THEN RETURN i END;
        IF slot.tag = Free THEN RETURN -1 - deleted END;
      END;
    END;
  END FindBehind;

PROCEDURE FindByMethods(t: Default; READONLY k: Key.T; tag: Word.T): INTEGER =
  VAR slots := t.slots;  i: INTEGER := Word.RightShift(tag, t.shift);  room := -1;
  BEGIN
    LOOP
      WITH slot = slots[i] DO
        IF slot.tag = tag AND t.keyEqual(slot.key, k) THEN RETURN i END;
        IF room < 0 AND (slot.tag = Free OR slot.tag = Deleted) THEN room := i END;
        IF slot.tag = Free THEN RETURN -1 - room END;
      END;
      i := Word.And(i + 1, LAST(slots^));
    END;
  END FindByMethods;

PROCEDURE Get(t: Default; READONLY k: Key.T; VAR v: Value.T): BOOLEAN =
  VAR i := Find(t, k, TagOfKey(t, k));
  BEGIN
    IF i < 0 THEN RETURN FALSE END;
    v := t.slots[i].value;
    RETURN TRUE;
  END Get;

PROCEDURE Put(t: Default; READONLY k: Key.T; READONLY v: Value.T): BOOLEAN =
  VAR tag := TagOfKey(t, k);  i := Find(t, k, tag);
  BEGIN
    IF i >= 0 THEN
      t.slots[i].value := v;
      RETURN TRUE;
    END;
    i := -1 - i;
    IF 4 * (t.used + 1) > 3 * NUMBER(t.slots^) THEN
      Resize(t);
      i := Room(t.slots, Word.RightShift(tag, t.shift));
    ELSIF NOT IsDefault(t) THEN
      (* keyEqual may have changed the table. *)
      i := Room(t.slots, Word.RightShift(tag, t.shift));
    END;
    WITH slot = t.slots[i] DO
      IF slot.tag = Free THEN INC(t.used) END;
      slot.key := k;
      slot.value := v;
      slot.tag := tag;
    END;
    INC(t.count);
    RETURN FALSE;
  END Put;

(* The first slot from i on that has no entry. *)
PROCEDURE Room(slots: Slots; i: INTEGER): INTEGER =
  BEGIN
    WHILE slots[i].tag # Free AND slots[i].tag # Deleted DO i := Word.And(i + 1, LAST(slots^)) END;
    RETURN i;
  END Room;

PROCEDURE Delete(t: Default; READONLY k: Key.T; VAR v: Value.T): BOOLEAN =
  VAR slots := t.slots;  i := Find(t, k, TagOfKey(t, k));
  BEGIN
    IF i < 0 THEN RETURN FALSE END;
    v := slots[i].value;
    slots[i] := none;
    DEC(t.count);
    IF slots[Word.And(i + 1, LAST(slots^))].tag # Free THEN
      slots[i].tag := Deleted;
      RETURN TRUE;
    END;
    (* The slot is free now, and so are the slots before it whose entries were deleted. *)
    REPEAT
      slots[i].tag := Free;
      DEC(t.used);
      i := Word.And(i - 1, LAST(slots^));
    UNTIL slots[i].tag # Deleted;
    IF t.count = 0 AND NUMBER(slots^) > KeptSlots THEN SetSlots(t, NUMBER(slots^) DIV 2) END;
    RETURN TRUE;
  END Delete;

(* Makes room for at least as many entries again, and clears deleted slots. *)
PROCEDURE Resize(t: Default) =
  VAR old := t.slots;  n: CARDINAL := MinSlots;
  BEGIN
    WHILE n < 2 * (t.count + 1) DO n := 2 * n END;
    SetSlots(t, n);
    FOR i := 0 TO LAST(old^) DO
      IF old[i].tag # Free AND old[i].tag # Deleted THEN
        t.slots[Room(t.slots, Word.RightShift(old[i].tag, t.shift))] := old[i];
      END;
    END;
    t.used := t.count;
  END Resize;

PROCEDURE Size(t: Default): CARDINAL =
  BEGIN
    RETURN t.count;
  END Size;

PROCEDURE Iterate(t: Default): Iterator =
  BEGIN
    RETURN NEW(Iter, table := t).init();
  END Iterate;

PROCEDURE IterInit(i: Iter): Iterator =
  BEGIN
    i.place := 0;
    i.done := FALSE;
    RETURN i;
  END IterInit;

PROCEDURE IterNext(i: Iter; VAR k: Key.T; VAR v: Value.T): BOOLEAN =
  VAR slots := i.table.slots;  at := i.place;
  BEGIN
    <*ASSERT NOT i.done WITH "Table: the iterator has come to its end"*>
    WHILE at < NUMBER(slots^) AND (slots[at].tag = Free OR slots[at].tag = Deleted) DO INC(at) END;
    i.place := at + 1;
    i.done := at >= NUMBER(slots^);
    IF i.done THEN RETURN FALSE END;
    k := slots[at].key;
    v := slots[at].value;
    RETURN TRUE;
  END IterNext;

BEGIN
END Table.
