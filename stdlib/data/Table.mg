GENERIC MODULE Table(Key, Value);

IMPORT Random, Word;

(* Open addressing: an entry lies in the slot given by its hash, or else in one of the next slots,
   the first that was free when the entry came. A look-up mostly reads one place of memory, and the
   collector visits one object instead of one for each entry.

   The entry's first slot, its home, is the high part of its tag times the table's factor. This
   is 1 for most tables: then keys that count up never meet, and a table that grows moves its entries
   in the order of their slots. But some keys then meet in few homes: those that an iterator of
   another table returns, whose tags ascend, while this table is still small; and those that an
   adversary has chosen. So no entry lies farther than Reach from its home: when there is no such
   place, the table gets another factor, under which the same tags lie elsewhere, until it grows; the
   second time a random one (Carter & Wegman 1979). The third time many keys have equal hashes, and
   the table goes on without this bound. *)

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
      slots: Slots := NIL;  (* the table's slots at init *)
      place, end: CARDINAL := 0;  (* the first slot that was not looked at, and where the iterator has
                                     come around; slot 0 comes again behind the last slot *)
      done := FALSE;
    OVERRIDES
      init := IterInit;
      next := IterNext;
    END;

(* Tables are stored, so their fields stay as they were when the first stores were made; two of them
   hold several numbers each. Programs of older versions know only a shift and a number of used
   slots: they can use a table while its factor is 1, and their first put of a new key clears the
   bits that they do not know. *)
REVEAL
  Default = T OBJECT METHODS
      init(sizeHint: CARDINAL := 0): Default;
      keyEqual(READONLY k1, k2: Key.T): BOOLEAN;
      keyHash(READONLY k: Key.T): Word.T;
    END BRANDED DefaultBrand OBJECT
      slots: Slots := NIL;  (* their number is a power of two *)
      shift: CARDINAL := 0;  (* ShiftBits: from a product to the number of a slot. FactorBits: the
                                table's factor, see Home. *)
      count: CARDINAL := 0;
      used: CARDINAL := 0;  (* UsedBits: the number of slots that are not free, at most three quarters
                               of all slots. StartBits: where the last entry was deleted, see Start.
                               Bounded: whether all entries lie in Reach. *)
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
  ShiftBits = 16_3F;
  FactorBits = -16_40;
  UsedBits = 16_FFFFFFFFFF;
  StartBits = 16_FFFFF0000000000;
  Bounded = 16_1000000000000000;

  (* The second factor of a table, after 1. Multiples of this factor, and of its product with that
     of TagOf, are spread evenly: the partial quotients of both are small. *)
  SecondFactor = 16_2D14BEBD1EE1F780;

  MinSlots = 4;
  Unbounded = 32;  (* a table of so many slots or fewer has no bound *)
  Near = 16;       (* less than the reach of any other table *)
  (* A table with more slots than this has entries in at least one of eight. *)
  KeptSlots = 64;

VAR
  none: Slot;  (* to empty slots with *)

PROCEDURE Init(t: Default; sizeHint: CARDINAL): Default =
  VAR n: CARDINAL := MinSlots;
  BEGIN
    WHILE n - n DIV 4 < sizeHint DO n := 2 * n END;
    t.slots := NEW(Slots, n);
    t.shift := ShiftFor(n);
    t.count := 0;
    t.used := Bounded;
    RETURN t;
  END Init;

PROCEDURE ShiftFor(slots: CARDINAL): CARDINAL =
  VAR shift: CARDINAL := Word.Size;
  BEGIN
    WHILE slots > 1 DO slots := slots DIV 2; DEC(shift) END;
    RETURN shift;
  END ShiftFor;

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

(* The first slot for an entry with this tag. The factor is odd, and 1 if all bits of FactorBits
   are zero. *)
<*INLINE*>
PROCEDURE Home(tag: Word.T; shift: CARDINAL): CARDINAL =
  VAR factor: Word.T := Word.Or(Word.LeftShift(Word.And(shift, FactorBits), 1), 1);
  BEGIN
    RETURN Word.RightShift(Word.Times(tag, factor), Word.And(shift, ShiftBits));
  END Home;

(* The slot behind the last one that an entry with this home may have if the table is bounded: 16
   slots for each doubling of the table beyond 8 slots. If hashes are random, one of some hundred
   tables that grow to three quarters full needs more. For a table of at most Unbounded slots the
   result is the home itself, which no search comes to again, since some slots are free. *)
<*INLINE*>
PROCEDURE Reach(home: CARDINAL; shift: CARDINAL; last: CARDINAL): CARDINAL =
  BEGIN
    RETURN Word.And(home + 16 * (Word.Size - 3 - Word.And(shift, ShiftBits)), last);
  END Reach;

(* The slot of k. If there is none, the result is negative, and -1 minus the result is the first slot without an entry
   where k may be put, or the number of slots if there is no such slot in reach. Here is what most searches need; the
   others go on in FindFrom. *)
<*INLINE*>
PROCEDURE Find(t: Default; READONLY k: Key.T; tag: Word.T): INTEGER =
  VAR slots := t.slots;  i, end: INTEGER;
  BEGIN
    IF NOT IsDefault(t) OR t.shift > ShiftBits THEN RETURN FindFrom(t, k, tag, Home(tag, t.shift)) END;
    i := Word.RightShift(tag, Word.And(t.shift, ShiftBits));
    end := Word.And(i + Near - 1, LAST(slots^));
    LOOP
      WITH slot = slots[i] DO
        IF slot.tag = tag AND Key.Equal(slot.key, k) THEN RETURN i END;
        IF slot.tag = Free THEN RETURN -1 - i END;
        IF slot.tag = Deleted OR i = end THEN EXIT END;
      END;
      i := Word.And(i + 1, LAST(slots^));
    END;
    RETURN FindFrom(t, k, tag, i);
  END Find;

(* Find from slot i on, which is in reach; the slots before it are not the result. *)
PROCEDURE FindFrom(t: Default; READONLY k: Key.T; tag: Word.T; i: CARDINAL): INTEGER =
  VAR slots := t.slots;  room := NUMBER(slots^);  end := Reach(Home(tag, t.shift), t.shift, LAST(slots^));
      bounded := Word.And(t.used, Bounded) # 0 AND room > Unbounded;
  BEGIN
    LOOP
      WITH slot = slots[i] DO
        IF slot.tag = tag AND EqualKeys(t, slot.key, k) THEN RETURN i END;
        IF Word.LE(slot.tag, Deleted) THEN
          IF room > LAST(slots^) THEN room := i END;
          IF slot.tag = Free THEN RETURN -1 - room END;
        END;
      END;
      i := Word.And(i + 1, LAST(slots^));
      IF bounded AND i = end THEN RETURN -1 - room END;
    END;
  END FindFrom;

PROCEDURE EqualKeys(t: Default; READONLY k1, k2: Key.T): BOOLEAN =
  BEGIN
    IF IsDefault(t) THEN RETURN Key.Equal(k1, k2) END;
    RETURN t.keyEqual(k1, k2);
  END EqualKeys;

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
    IF 4 * (Word.And(t.used, UsedBits) + 1) > 3 * NUMBER(t.slots^) THEN
      Resize(t, SlotsFor(t.count + 1), 0);
      i := RoomFor(t, tag);
    ELSIF i = NUMBER(t.slots^) OR NOT IsDefault(t) OR Word.And(t.used, Bounded) = 0 THEN
      (* keyEqual may have changed the table. *)
      i := RoomFor(t, tag);
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

(* The slot for a new entry with this tag. If it would be out of reach, spreads the entries anew. *)
PROCEDURE RoomFor(t: Default; tag: Word.T): CARDINAL =
  VAR i: CARDINAL;
  BEGIN
    WHILE NOT IsGivenUp(t) DO
      i := Room(t.slots^, tag, t.shift, TRUE);
      IF i < NUMBER(t.slots^) THEN RETURN i END;
      IF IsRandom(t.shift) THEN
        t.used := Word.And(t.used, Word.Not(Bounded));
      ELSE
        Resize(t, NUMBER(t.slots^), NextFactor(t.shift));
      END;
    END;
    RETURN Room(t.slots^, tag, t.shift, FALSE);
  END RoomFor;

(* Whether the table goes on without a bound until it grows: under a random factor only many equal
   hashes are out of reach. A table of an older version has no bound yet, but has the factor 1. *)
PROCEDURE IsGivenUp(t: Default): BOOLEAN =
  BEGIN
    RETURN Word.And(t.used, Bounded) = 0 AND Word.And(t.shift, FactorBits) # 0;
  END IsGivenUp;

PROCEDURE IsRandom(shift: CARDINAL): BOOLEAN =
  VAR factor := Word.And(shift, FactorBits);
  BEGIN
    RETURN factor # 0 AND factor # SecondFactor;
  END IsRandom;

(* The first slot without an entry where one with this tag may be put; if bounded, the number of slots
   if there is no such slot in reach. *)
PROCEDURE Room(READONLY slots: ARRAY OF Slot; tag: Word.T; shift: CARDINAL; bounded: BOOLEAN): CARDINAL =
  VAR i := Home(tag, shift);  end := Reach(i, shift, LAST(slots));
  BEGIN
    bounded := bounded AND NUMBER(slots) > Unbounded;
    WHILE Word.GT(slots[i].tag, Deleted) DO
      i := Word.And(i + 1, LAST(slots));
      IF bounded AND i = end THEN RETURN NUMBER(slots) END;
    END;
    RETURN i;
  END Room;

(* FactorBits of the factor that a table gets after this one. *)
PROCEDURE NextFactor(shift: CARDINAL): CARDINAL =
  BEGIN
    IF Word.And(shift, FactorBits) = 0 THEN RETURN SecondFactor END;
    RETURN Word.And(NEW(Random.Default).init().integer(0), FactorBits);
  END NextFactor;

PROCEDURE Delete(t: Default; READONLY k: Key.T; VAR v: Value.T): BOOLEAN =
  VAR slots := t.slots;  i := Find(t, k, TagOfKey(t, k));
  BEGIN
    IF i < 0 THEN RETURN FALSE END;
    v := slots[i].value;
    slots[i] := none;
    DEC(t.count);
    t.used := Word.Or(Word.And(t.used, Word.Not(StartBits)), StartAt(i, t.shift));
    IF slots[Word.And(i + 1, LAST(slots^))].tag # Free THEN
      slots[i].tag := Deleted;
    ELSE
      (* The slot is free now, and so are the slots before it whose entries were deleted. *)
      REPEAT
        slots[i].tag := Free;
        DEC(t.used);
        i := Word.And(i - 1, LAST(slots^));
      UNTIL slots[i].tag # Deleted;
    END;
    IF 8 * t.count < NUMBER(slots^) AND NUMBER(slots^) > KeptSlots THEN
      Resize(t, SlotsFor(t.count), 0);
    END;
    RETURN TRUE;
  END Delete;

(* A number of slots for count entries and as many new ones. *)
PROCEDURE SlotsFor(count: CARDINAL): CARDINAL =
  VAR n: CARDINAL := MinSlots;
  BEGIN
    WHILE n < 2 * count DO n := 2 * n END;
    RETURN n;
  END SlotsFor;

(* Moves the entries to n slots, without the deleted ones, by this factor or else by one under which
   all of them are in reach. *)
PROCEDURE Resize(t: Default; n: CARDINAL; factor: CARDINAL) =
  VAR shift := ShiftFor(n) + factor;  new := NEW(Slots, n);  bounded := TRUE;
  BEGIN
    WHILE NOT Move(t.slots^, new^, shift, bounded) DO
      new := NEW(Slots, n);
      IF IsRandom(shift) THEN
        bounded := FALSE;
      ELSE
        shift := ShiftFor(n) + NextFactor(shift);
      END;
    END;
    t.slots := new;
    t.shift := shift;
    t.used := Word.And(t.used, StartBits) + t.count + ORD(bounded) * Bounded;
  END Resize;

(* Copies the entries. FALSE if bounded and one of them would be out of reach. *)
PROCEDURE Move(READONLY from: ARRAY OF Slot; VAR to: ARRAY OF Slot; shift: CARDINAL; bounded: BOOLEAN): BOOLEAN =
  VAR room, end: CARDINAL;
  BEGIN
    bounded := bounded AND NUMBER(to) > Unbounded;
    FOR i := 0 TO LAST(from) DO
      WITH slot = from[i] DO
        IF Word.GT(slot.tag, Deleted) THEN
          room := Home(slot.tag, shift);
          IF to[room].tag # Free THEN
            end := Reach(room, shift, LAST(to));
            REPEAT
              room := Word.And(room + 1, LAST(to));
              IF bounded AND room = end THEN RETURN FALSE END;
            UNTIL to[room].tag = Free;
          END;
          to[room] := slot;
        END;
      END;
    END;
    RETURN TRUE;
  END Move;

PROCEDURE Size(t: Default): CARDINAL =
  BEGIN
    RETURN t.count;
  END Size;

(* An iterator begins where the last entry was deleted, since a program may take entries out one by
   one, each with a new iterator: otherwise each would walk over the slots that the others have
   emptied. StartAt has this place as StartBits: the high bits of a fraction of the table. *)
<*INLINE*>
PROCEDURE StartAt(i, shift: CARDINAL): CARDINAL =
  BEGIN
    RETURN Word.And(Word.RightShift(Word.LeftShift(i, Word.And(shift, ShiftBits)), 4), StartBits);
  END StartAt;

PROCEDURE Start(t: Default): CARDINAL =
  BEGIN
    RETURN Word.RightShift(Word.And(t.used, StartBits), Word.And(t.shift, ShiftBits) - 4);
  END Start;

PROCEDURE Iterate(t: Default): Iterator =
  BEGIN
    RETURN NEW(Iter, table := t).init();
  END Iterate;

PROCEDURE IterInit(i: Iter): Iterator =
  BEGIN
    i.slots := i.table.slots;
    i.place := Start(i.table);
    i.end := i.place + NUMBER(i.slots^);
    i.done := FALSE;
    RETURN i;
  END IterInit;

PROCEDURE IterNext(i: Iter; VAR k: Key.T; VAR v: Value.T): BOOLEAN =
  VAR slots := i.slots;  place := i.place;  end := i.end;
  BEGIN
    <*ASSERT NOT i.done WITH "Table: the iterator has come to its end"*>
    LOOP
      WHILE place < end AND Word.LE(slots[Word.And(place, LAST(slots^))].tag, Deleted) DO INC(place) END;
      IF place = end THEN
        i.done := TRUE;
        RETURN FALSE;
      END;
      WITH slot = slots[Word.And(place, LAST(slots^))] DO
        INC(place);
        i.place := place;
        IF i.table.slots = slots THEN
          k := slot.key;
          v := slot.value;
          RETURN TRUE;
        ELSIF IsStillThere(i.table, slot, v) THEN
          k := slot.key;
          RETURN TRUE;
        END;
      END;
    END;
  END IterNext;

(* When entries are deleted, the table may get fewer slots. An iterator goes on with those that it
   has begun with: sets v to the value of such a slot's key, if it is still in the table. *)
PROCEDURE IsStillThere(t: Default; READONLY slot: Slot; VAR v: Value.T): BOOLEAN =
  VAR found := Find(t, slot.key, slot.tag);
  BEGIN
    IF found < 0 THEN RETURN FALSE END;
    v := t.slots[found].value;
    RETURN TRUE;
  END IsStillThere;

BEGIN
END Table.
