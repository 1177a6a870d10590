(* Random operations on a sequence and on an array whose elements move. *)
MODULE SequencesAgainstModelTest;

IMPORT AtomSeq, CharSeq, Test, Dice, Fmt, IntSeq, IntSeqRep, RefSeq, RuntimeError, TextSeq,
  TextSeqRep;

VAR test: Test.T;  (* that runs *)

PROCEDURE SetUp(t: Test.T) =
  BEGIN
    test := t;
  END SetUp;

VAR
  model: ARRAY [0..999] OF INTEGER;
  size: CARDINAL := 0;

PROCEDURE Same(s: IntSeq.T): BOOLEAN =
  BEGIN
    IF s.size() # size OR s.sz # size THEN RETURN FALSE END;
    FOR i := 0 TO size - 1 DO
      IF s.get(i) # model[i] OR s.elem[(s.st + i) MOD NUMBER(s.elem^)] # model[i] THEN
        RETURN FALSE;
      END;
    END;
    RETURN size = 0 OR s.getlo() = model[0] AND s.gethi() = model[size - 1];
  END Same;

PROCEDURE Operate() =
  VAR s := NEW(IntSeq.T).init(Dice.Roll(20));  right := TRUE;  i: CARDINAL;
  BEGIN
    FOR step := 1 TO 3000 DO
      CASE Dice.Roll(6) OF
      | 0 =>
        IF size < NUMBER(model) THEN
          s.addhi(step);
          model[size] := step;
          INC(size);
        END;
      | 1 =>
        IF size < NUMBER(model) THEN
          s.addlo(step);
          SUBARRAY(model, 1, size) := SUBARRAY(model, 0, size);
          model[0] := step;
          INC(size);
        END;
      | 2 =>
        IF size > 0 AND Dice.Roll(3) > 0 THEN
          DEC(size);
          IF s.remhi() # model[size] THEN right := FALSE END;
        END;
      | 3 =>
        IF size > 0 AND Dice.Roll(3) > 0 THEN
          IF s.remlo() # model[0] THEN right := FALSE END;
          DEC(size);
          SUBARRAY(model, 0, size) := SUBARRAY(model, 1, size);
        END;
      ELSE
        IF size > 0 THEN
          i := Dice.Roll(size);
          s.put(i, -step);
          model[i] := -step;
        END;
      END;
      IF step MOD 50 = 0 AND NOT Same(s) THEN right := FALSE END;
    END;
    test.check(right, Dice.With("operations"));
    CatAndSub(s);
  END Operate;

PROCEDURE CatAndSub(s: IntSeq.T) =
  VAR t: IntSeq.T;  right := TRUE;  start, length: CARDINAL;
  BEGIN
    t := IntSeq.Cat(s, s);
    test.equalInt(t.size(), 2 * size, "size of Cat");
    FOR i := 0 TO 2 * size - 1 DO
      IF t.get(i) # model[i MOD size] THEN right := FALSE END;
    END;
    test.check(right AND Same(s), Dice.With("Cat"));
    right := TRUE;
    FOR trial := 1 TO 50 DO
      start := Dice.Roll(size + 10);
      length := Dice.Roll(size + 10);
      t := IntSeq.Sub(s, start, length);
      IF t.size() # MAX(0, MIN(length, size - start)) THEN right := FALSE END;
      FOR i := 0 TO t.size() - 1 DO
        IF t.get(i) # model[start + i] THEN right := FALSE END;
      END;
    END;
    test.check(right, Dice.With("Sub"));
    test.equalInt(IntSeq.Sub(s, 0).size(), size, "Sub of all");
  END CatAndSub;

TYPE
  Action = PROCEDURE();

VAR
  three := NEW(TextSeq.T).fromArray(ARRAY OF TEXT{"a", "b", "c"});
  none := NEW(TextSeq.T).init();
  text: TEXT;

PROCEDURE Get3() = BEGIN text := three.get(3) END Get3;
PROCEDURE Put3() = BEGIN three.put(3, "d") END Put3;
PROCEDURE Gethi() = BEGIN text := none.gethi() END Gethi;
PROCEDURE Getlo() = BEGIN text := none.getlo() END Getlo;
PROCEDURE Remhi() = BEGIN text := none.remhi() END Remhi;
PROCEDURE Remlo() = BEGIN text := none.remlo() END Remlo;

PROCEDURE Fails(p: Action; what: TEXT) =
  VAR error := FALSE;
  BEGIN
    TRY p() EXCEPT RuntimeError.E(e) => error := e = RuntimeError.T.SubscriptOutOfRange END;
    test.check(error, what);
  END Fails;

PROCEDURE Others() =
  VAR chars := NEW(CharSeq.T).init(0);  refs := NEW(RefSeq.T);  t := "";
  BEGIN
    Fails(Get3, "get beyond the end");
    Fails(Put3, "put beyond the end");
    Fails(Gethi, "gethi of nothing");
    Fails(Getlo, "getlo of nothing");
    Fails(Remhi, "remhi of nothing");
    Fails(Remlo, "remlo of nothing");
    test.equalInt(three.size(), 3, "fromArray");
    test.equalText(three.get(1), "b", "get after fromArray");
    test.equalInt(three.init().size(), 0, "init empties");
    three.addlo("z");
    test.equalText(three.elem[three.st], "z", "representation");
    FOR c := 'a' TO 'z' DO chars.addhi(c) END;
    FOR i := 0 TO chars.size() - 1 DO t := t & Fmt.Char(chars.get(i)) END;
    test.equalText(t, "abcdefghijklmnopqrstuvwxyz", "characters");
    refs.addhi(refs);
    refs.addlo(NIL);
    test.check(refs.get(0) = NIL AND refs.get(1) = refs, "without init");
    test.equalInt(AtomSeq.Cat(NEW(AtomSeq.T).init(), NEW(AtomSeq.T).init()).size(), 0, "atoms");
    test.equalText(TextSeq.Brand, "(Sequence Text-2.0)", "Brand");
  END Others;

PROCEDURE TestAll(<*UNUSED*> running: Test.T) RAISES ANY =
  BEGIN
    FOR i := 1 TO 5 DO
      size := 0;
      Operate();
    END;
    Others();
  END TestAll;

BEGIN
END SequencesAgainstModelTest.
