(* The common part of Pickle and Pickle2. Rep is the instance of PickleRep for the interface.

   A pickle is a sequence of tokens: a letter, and the data listed below. Whole numbers n >= 0 are
   in bytes of 7 bits each, the last one less than 128.

     0                     NIL
     R n                   the object with number n
     T n characters        a text of n 8-bit characters
     W n characters        a text of n 16-bit characters, the low byte first
     A text                the atom of that text
     O type lengths data   an object: each length as n; its bytes without references, and then its
       references            references, one after the other
     S type ...            an object written by the special for that type

   Objects are numbered 0, 1 ... in the order of their letters. A type is n > 0 for the nth type
   of the pickle, or 0 and the 8 bytes of the fingerprint of a new type. *)
GENERIC MODULE PickleGraph(Rep);

IMPORT Atom, Fmt, PickleTypes, Rd, RuntimeError, Text, TextClass, Thread, Word, Wr;

CONST
  Magic = ARRAY [0..7] OF CHAR{'T', 'n', 'P', 'i', 'c', 'k', 'l', '1'};
  MaxDimensions = 64;

TYPE
  Types = REF ARRAY OF INTEGER;

REVEAL
  Writer = WriterPublic BRANDED Rep.Brand & ".Writer" OBJECT
      nesting: CARDINAL := 0;  (* calls of write that are active *)
      objects: PickleTypes.Objects := NIL;
      types: Types := NIL;  (* by typecode: the number of the type in the pickle, or 0 *)
      typeCount: CARDINAL := 0;
      stack: Rep.Stack := NIL;
      depth: CARDINAL := 0;
    OVERRIDES
      write := WriteRef;
      writeType := WriteType;
      writeInt := WriteInt;
    END;

  Reader = Rep.ReaderState BRANDED Rep.Brand & ".Reader" OBJECT
      nesting: CARDINAL := 0;
      types: Types := NIL;
      typeCount: CARDINAL := 0;
      stack: Rep.Stack := NIL;
      depth: CARDINAL := 0;
    OVERRIDES
      read := ReadRef;
      readType := ReadType;
      readInt := ReadInt;
      noteRef := NoteRef;
    END;

  Special = SpecialPublic BRANDED Rep.Brand & ".Special" OBJECT
    OVERRIDES
      write := WritePlain;
      read := ReadPlain;
    END;

(* Specials. *)

VAR
  mutex := NEW(MUTEX);
  specials: REF ARRAY OF Special := NIL;  (* by typecode *)
  specialCount: CARDINAL := 0;

PROCEDURE RegisterSpecial(sp: Special) =
  BEGIN
    <*ASSERT Rep.SetSpecial(sp) = NIL WITH "RegisterSpecial: the type has a special"*>
  END RegisterSpecial;

PROCEDURE SetSpecial(sp: Special): Special =
  VAR old: Special;  new: REF ARRAY OF Special;
  BEGIN
    IF NOT PickleTypes.IsTypecode(sp.sc) THEN
      RuntimeError.Raise(RuntimeError.T.ValueOutOfRange);
    END;
    LOCK mutex DO
      IF specials = NIL OR sp.sc >= NUMBER(specials^) THEN
        new := NEW(REF ARRAY OF Special, 2 * sp.sc + 16);
        IF specials # NIL THEN SUBARRAY(new^, 0, NUMBER(specials^)) := specials^ END;
        specials := new;
      END;
      old := specials[sp.sc];
      specials[sp.sc] := sp;
      INC(specialCount);
    END;
    RETURN old;
  END SetSpecial;

(* The special of the nearest supertype, or NIL. *)
PROCEDURE SpecialFor(typecode: INTEGER): Special =
  BEGIN
    IF specialCount = 0 THEN RETURN NIL END;
    LOCK mutex DO
      WHILE typecode >= 0 DO
        IF typecode < NUMBER(specials^) AND specials[typecode] # NIL THEN
          RETURN specials[typecode];
        END;
        typecode := PickleTypes.Supertype(typecode);
      END;
      RETURN NIL;
    END;
  END SpecialFor;

(* Writing. *)

PROCEDURE WriteRef(w: Writer; r: REFANY) RAISES {Error, Wr.Failure, Thread.Alerted} =
  VAR base: CARDINAL;
  BEGIN
    IF w.nesting = 0 THEN
      w.objects := PickleTypes.NewObjects();
      w.types := NEW(Types, 16);
      w.typeCount := 0;
      w.depth := 0;
      Wr.PutString(w.wr, Magic);
    END;
    INC(w.nesting);
    TRY
      base := w.depth;
      WriteToken(w, r);
      WriteSlots(w, base);
    FINALLY
      DEC(w.nesting);
      IF w.nesting = 0 THEN
        w.objects := NIL;  (* the writer keeps no object alive *)
        w.stack := NIL;
      END;
    END;
  END WriteRef;

(* Writes the slots of the frames above base. *)
PROCEDURE WriteSlots(w: Writer; base: CARDINAL) RAISES {Error, Wr.Failure, Thread.Alerted} =
  VAR slot: CARDINAL;  value: REFANY;
  BEGIN
    WHILE w.depth > base DO
      WITH f = w.stack[w.depth - 1] DO
        IF f.next = f.slots THEN
          f.ref := NIL;
          DEC(w.depth);
        ELSE
          slot := f.next;
          INC(f.next);
          CASE PickleTypes.SlotKind(f.info, slot) OF
          | PickleTypes.Kind.Own =>
            value := PickleTypes.GetSlot(f.ref, f.info, slot, f.elements);
            WriteToken(w, value);
          | PickleTypes.Kind.Barred =>
            IF NOT PickleTypes.IsNil(f.ref, f.info, slot, f.elements) THEN
              RAISE Error("an untraced reference or a procedure in "
                          & PickleTypes.Name(f.info.typecode));
            END;
          | PickleTypes.Kind.Left =>
          END;
        END;
      END;
    END;
  END WriteSlots;

PROCEDURE Push(VAR stack: Rep.Stack; VAR depth: CARDINAL; ref: REFANY; info: PickleTypes.Info;
               elements: CARDINAL) =
  VAR new: Rep.Stack;
  BEGIN
    IF PickleTypes.SlotCount(info, elements) = 0 THEN RETURN END;
    IF stack = NIL THEN stack := NEW(Rep.Stack, 32) END;
    IF depth = NUMBER(stack^) THEN
      new := NEW(Rep.Stack, 2 * depth);
      SUBARRAY(new^, 0, depth) := stack^;
      stack := new;
    END;
    WITH f = stack[depth] DO
      f.ref := ref;
      f.info := info;
      f.elements := elements;
      f.next := 0;
      f.slots := PickleTypes.SlotCount(info, elements);
    END;
    INC(depth);
  END Push;

PROCEDURE WriteToken(w: Writer; r: REFANY) RAISES {Error, Wr.Failure, Thread.Alerted} =
  VAR number: INTEGER;  special: Special;
  BEGIN
    IF r = NIL THEN
      Wr.PutChar(w.wr, '0');
      RETURN;
    END;
    number := PickleTypes.NumberOf(w.objects, r);
    IF number >= 0 THEN
      Wr.PutChar(w.wr, 'R');
      WriteNat(w, number);
      RETURN;
    END;
    special := SpecialFor(TYPECODE(r));
    IF special # NIL THEN
      Wr.PutChar(w.wr, 'S');
      WriteType(w, special.sc);
      special.write(r, w);
      RETURN;
    END;
    TYPECASE r OF
    | TEXT (t) => WriteText(w, t);
    | Atom.T (a) =>
      Wr.PutChar(w.wr, 'A');
      WriteText(w, Atom.ToText(a));
    ELSE
      Wr.PutChar(w.wr, 'O');
      WriteObject(w, r);
    END;
  END WriteToken;

PROCEDURE WriteText(w: Writer; t: TEXT) RAISES {Wr.Failure, Thread.Alerted} =
  VAR info: TextClass.Info;
  BEGIN
    t.get_info(info);
    IF info.wide THEN Wr.PutChar(w.wr, 'W') ELSE Wr.PutChar(w.wr, 'T') END;
    WriteNat(w, info.length);
    IF info.wide THEN Wr.PutWideText(w.wr, t) ELSE Wr.PutText(w.wr, t) END;
  END WriteText;

(* The type, the lengths and the data; the slots are pushed. *)
PROCEDURE WriteObject(w: Writer; r: REFANY) RAISES {Error, Wr.Failure, Thread.Alerted} =
  VAR info := PickleTypes.InfoOf(TYPECODE(r));  lengths: ARRAY [0..MaxDimensions] OF INTEGER;
      elements, n: CARDINAL;  at: PickleTypes.Place;  buffer: ARRAY [0..511] OF CHAR;
  BEGIN
    IF info.dimensions > MaxDimensions THEN RAISE Error("an array of too many dimensions") END;
    WriteType(w, TYPECODE(r));
    PickleTypes.GetLengths(r, info, lengths);
    FOR i := 0 TO info.dimensions - 1 DO WriteNat(w, lengths[i]) END;
    elements := PickleTypes.ElementCount(info, lengths);
    REPEAT
      n := PickleTypes.GetData(r, info, elements, at, buffer);
      Wr.PutString(w.wr, SUBARRAY(buffer, 0, n));
    UNTIL n < NUMBER(buffer);
    Push(w.stack, w.depth, r, info, elements);
  END WriteObject;

PROCEDURE WritePlain(<*UNUSED*> sp: Special; r: REFANY; w: Writer)
  RAISES {Error, Wr.Failure, Thread.Alerted} =
  VAR base := w.depth;
  BEGIN
    WriteObject(w, r);
    WriteSlots(w, base);
  END WritePlain;

PROCEDURE WriteNat(w: Writer; n: Word.T) RAISES {Wr.Failure, Thread.Alerted} =
  BEGIN
    WHILE Word.GE(n, 128) DO
      Wr.PutChar(w.wr, VAL(128 + Word.And(n, 127), CHAR));
      n := Word.RightShift(n, 7);
    END;
    Wr.PutChar(w.wr, VAL(n, CHAR));
  END WriteNat;

PROCEDURE WriteType(w: Writer; tc: TypeCode) RAISES {Wr.Failure, Thread.Alerted} =
  VAR new: Types;
  BEGIN
    IF tc >= NUMBER(w.types^) THEN
      new := NEW(Types, 2 * tc);
      SUBARRAY(new^, 0, NUMBER(w.types^)) := w.types^;
      w.types := new;
    END;
    IF w.types[tc] > 0 THEN
      WriteNat(w, w.types[tc]);
    ELSE
      INC(w.typeCount);
      w.types[tc] := w.typeCount;
      WriteNat(w, 0);
      WriteInt(w, PickleTypes.Fingerprint(tc));
    END;
  END WriteType;

PROCEDURE WriteInt(w: Writer; i: INTEGER) RAISES {Wr.Failure, Thread.Alerted} =
  VAR bytes: ARRAY [0..7] OF CHAR;
  BEGIN
    FOR k := 0 TO 7 DO bytes[k] := VAL(Word.Extract(i, 8 * k, 8), CHAR) END;
    Wr.PutString(w.wr, bytes);
  END WriteInt;

(* Reading. *)

PROCEDURE ReadRef(r: Reader): REFANY
  RAISES {Error, Rd.EndOfFile, Rd.Failure, Thread.Alerted} =
  VAR magic: ARRAY [0..7] OF CHAR;  base: CARDINAL;  result: REFANY;
  BEGIN
    IF r.nesting = 0 THEN
      r.objects := PickleTypes.NewObjects();
      r.types := NEW(Types, 16);
      r.typeCount := 0;
      r.depth := 0;
      ReadBytes(r, magic);
      IF magic # Magic THEN RAISE Error("this is not a pickle") END;
    END;
    INC(r.nesting);
    TRY
      base := r.depth;
      result := ReadToken(r);
      ReadSlots(r, base);
      RETURN result;
    FINALLY
      DEC(r.nesting);
      IF r.nesting = 0 THEN r.stack := NIL END;
    END;
  END ReadRef;

PROCEDURE ReadSlots(r: Reader; base: CARDINAL)
  RAISES {Error, Rd.EndOfFile, Rd.Failure, Thread.Alerted} =
  VAR slot: CARDINAL;  f: Rep.Frame;  value: REFANY;
  BEGIN
    WHILE r.depth > base DO
      WITH top = r.stack[r.depth - 1] DO
        f := top;
        INC(top.next);
        IF f.next = f.slots THEN top.ref := NIL END;
      END;
      IF f.next = f.slots THEN
        DEC(r.depth);
      ELSE
        slot := f.next;
        IF PickleTypes.SlotKind(f.info, slot) = PickleTypes.Kind.Own THEN
          value := ReadToken(r);
          IF NOT PickleTypes.Fits(f.info, slot, value) THEN
            RAISE Error("an object of type " & PickleTypes.Name(TYPECODE(value))
                        & " where one of type " & PickleTypes.Name(f.info.typecode)
                        & " cannot refer to it");
          END;
          PickleTypes.SetSlot(f.ref, f.info, slot, f.elements, value);
        END;
      END;
    END;
  END ReadSlots;

PROCEDURE ReadToken(r: Reader): REFANY
  RAISES {Error, Rd.EndOfFile, Rd.Failure, Thread.Alerted} =
  VAR letter := Rd.GetChar(r.rd);  n: Word.T;  id: CARDINAL;  tc: TypeCode;  special: Special;
      ref: REFANY;
  BEGIN
    CASE letter OF
    | '0' => RETURN NIL;
    | 'R' =>
      n := ReadNat(r);
      IF n < 0 OR n >= r.objects.count OR r.objects.refs[n] = NIL THEN
        RAISE Error("a reference to an object that is not there");
      END;
      RETURN r.objects.refs[n];
    | 'T', 'W' =>
      id := PickleTypes.NewId(r.objects);
      ref := ReadText(r, letter);
    | 'A' =>
      id := PickleTypes.NewId(r.objects);
      letter := Rd.GetChar(r.rd);
      ref := Atom.FromText(ReadText(r, letter));
    | 'O' =>
      id := PickleTypes.NewId(r.objects);
      RETURN ReadObject(r, id);
    | 'S' =>
      id := PickleTypes.NewId(r.objects);
      tc := ReadType(r);
      special := SpecialFor(tc);
      IF special = NIL OR special.sc # tc THEN
        RAISE Error("there is no special for " & PickleTypes.Name(tc));
      END;
      ref := special.read(r, id);
    ELSE
      RAISE Error("wrong character in a pickle: " & Fmt.Int(ORD(letter)));
    END;
    NoteRef(r, ref, id);
    RETURN ref;
  END ReadToken;

PROCEDURE ReadText(r: Reader; letter: CHAR): TEXT
  RAISES {Error, Rd.EndOfFile, Rd.Failure, Thread.Alerted} =
  VAR n := ReadNat(r);  t: TEXT;
  BEGIN
    IF n < 0 THEN RAISE Error("a text of wrong length") END;
    IF letter = 'T' THEN
      t := Rd.GetText(r.rd, n);
    ELSIF letter = 'W' THEN
      t := Rd.GetWideText(r.rd, n);
    ELSE
      RAISE Error("wrong character in a pickle: " & Fmt.Int(ORD(letter)));
    END;
    IF Text.Length(t) # n THEN RAISE Rd.EndOfFile END;
    RETURN t;
  END ReadText;

PROCEDURE ReadObject(r: Reader; id: RefID): REFANY
  RAISES {Error, Rd.EndOfFile, Rd.Failure, Thread.Alerted} =
  VAR tc := ReadType(r);  info := PickleTypes.InfoOf(tc);
      lengths: ARRAY [0..MaxDimensions] OF INTEGER;  elements: INTEGER;  left, n: CARDINAL;
      at: PickleTypes.Place;  ref: REFANY;  buffer: ARRAY [0..511] OF CHAR;
  BEGIN
    IF info = NIL OR info.dimensions > MaxDimensions THEN
      RAISE Error("no objects of type " & PickleTypes.Name(tc) & " can be made");
    END;
    FOR i := 0 TO info.dimensions - 1 DO lengths[i] := ReadNat(r) END;
    elements := PickleTypes.ElementCount(info, lengths);
    IF elements < 0 THEN RAISE Error("an array of wrong length") END;
    TRY
      ref := PickleTypes.New(info, lengths);
    EXCEPT
    | RuntimeError.E => RAISE Error("no memory for an object of a pickle");
    END;
    NoteRef(r, ref, id);
    left := PickleTypes.DataBytes(info, elements);
    WHILE left > 0 DO
      n := MIN(left, NUMBER(buffer));
      ReadBytes(r, SUBARRAY(buffer, 0, n));
      PickleTypes.PutData(ref, info, elements, at, SUBARRAY(buffer, 0, n));
      DEC(left, n);
    END;
    Push(r.stack, r.depth, ref, info, elements);
    RETURN ref;
  END ReadObject;

PROCEDURE ReadPlain(<*UNUSED*> sp: Special; r: Reader; id: RefID): REFANY
  RAISES {Error, Rd.EndOfFile, Rd.Failure, Thread.Alerted} =
  VAR base := r.depth;  ref := ReadObject(r, id);
  BEGIN
    ReadSlots(r, base);
    RETURN ref;
  END ReadPlain;

PROCEDURE ReadBytes(r: Reader; VAR a: ARRAY OF CHAR)
  RAISES {Rd.EndOfFile, Rd.Failure, Thread.Alerted} =
  BEGIN
    IF Rd.GetSub(r.rd, a) # NUMBER(a) THEN RAISE Rd.EndOfFile END;
  END ReadBytes;

PROCEDURE ReadNat(r: Reader): Word.T
  RAISES {Error, Rd.EndOfFile, Rd.Failure, Thread.Alerted} =
  VAR n: Word.T := 0;  shift: CARDINAL := 0;  byte: INTEGER;
  BEGIN
    LOOP
      byte := ORD(Rd.GetChar(r.rd));
      n := Word.Or(n, Word.Shift(Word.And(byte, 127), shift));
      IF byte < 128 THEN RETURN n END;
      INC(shift, 7);
      IF shift > 63 THEN RAISE Error("a number that is too great") END;
    END;
  END ReadNat;

PROCEDURE ReadType(r: Reader): TypeCode
  RAISES {Error, Rd.EndOfFile, Rd.Failure, Thread.Alerted} =
  VAR n := ReadNat(r);  tc: TypeCode;  new: Types;
  BEGIN
    IF n > 0 AND n <= r.typeCount THEN RETURN r.types[n - 1] END;
    IF n # 0 THEN RAISE Error("a type that is not there") END;
    tc := PickleTypes.Find(ReadInt(r));
    IF tc < 0 THEN RAISE Error("a type that this program does not have") END;
    IF r.typeCount = NUMBER(r.types^) THEN
      new := NEW(Types, 2 * r.typeCount);
      SUBARRAY(new^, 0, r.typeCount) := r.types^;
      r.types := new;
    END;
    r.types[r.typeCount] := tc;
    INC(r.typeCount);
    RETURN tc;
  END ReadType;

PROCEDURE ReadInt(r: Reader): INTEGER
  RAISES {Rd.EndOfFile, Rd.Failure, Thread.Alerted} =
  VAR bytes: ARRAY [0..7] OF CHAR;  n: Word.T := 0;
  BEGIN
    ReadBytes(r, bytes);
    FOR k := 0 TO 7 DO n := Word.Insert(n, ORD(bytes[k]), 8 * k, 8) END;
    RETURN n;
  END ReadInt;

PROCEDURE NoteRef(r: Reader; ref: REFANY; id: RefID) =
  BEGIN
    r.objects.refs[id] := ref;
  END NoteRef;

BEGIN
END PickleGraph.
