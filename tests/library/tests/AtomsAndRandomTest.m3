MODULE AtomsAndRandomTest;

IMPORT ASCII, Atom, Test, Fmt, IEEESpecial, Math, Pathname, Random, RuntimeError, Text, TextSeq,
  Thread, Tick, Time, Word;

VAR test: Test.T;  (* that runs *)

PROCEDURE SetUp(t: Test.T) =
  BEGIN
    test := t;
  END SetUp;

<*FATAL Pathname.Invalid*>

PROCEDURE Atoms() =
  VAR right := TRUE;
  BEGIN
    FOR i := 1 TO 1000 DO
      IF Atom.FromText("a" & Fmt.Int(i)) # Atom.FromText("a" & Fmt.Int(i)) THEN right := FALSE END;
    END;
    test.check(right, "atoms of equal texts");
    test.check(Atom.FromText("a") # Atom.FromText("b"), "atoms of other texts");
    test.equalText(Atom.ToText(Atom.FromText("xyz")), "xyz", "ToText");
  END Atoms;

TYPE
  Made = ARRAY [1..3000] OF Atom.T;
  Maker = Thread.Closure OBJECT atoms: REF Made := NIL OVERRIDES apply := Make END;

PROCEDURE Make(self: Maker): REFANY =
  BEGIN
    self.atoms := NEW(REF Made);
    FOR i := FIRST(Made) TO LAST(Made) DO
      self.atoms[i] := Atom.FromText("of threads " & Fmt.Int(i));
    END;
    RETURN NIL;
  END Make;

PROCEDURE AtomsOfThreads() =
  VAR makers: ARRAY [0..3] OF Maker;  threads: ARRAY [0..3] OF Thread.T;  different := 0;
  BEGIN
    FOR i := 0 TO LAST(makers) DO
      makers[i] := NEW(Maker);
      threads[i] := Thread.Fork(makers[i]);
    END;
    FOR i := 0 TO LAST(threads) DO EVAL Thread.Join(threads[i]) END;
    FOR i := FIRST(Made) TO LAST(Made) DO
      FOR j := 1 TO LAST(makers) DO
        IF makers[j].atoms[i] # makers[0].atoms[i] THEN INC(different) END;
      END;
    END;
    test.equalInt(different, 0, "atoms that several threads make");
  END AtomsOfThreads;

PROCEDURE Randoms() =
  VAR
    a := NEW(Random.Default).init(TRUE);
    b := NEW(Random.Default).init(TRUE);
    c := NEW(Random.Default).init();
    d := NEW(Random.Default).init();
    counts := ARRAY [0..9] OF CARDINAL{0, ..};
    right := TRUE;
  BEGIN
    FOR i := 1 TO 10000 DO
      WITH n = a.integer(0, 9) DO
        INC(counts[n]);
        IF n # b.integer(0, 9) THEN right := FALSE END;
      END;
      WITH x = c.longreal(2.0d0, 3.0d0), y = c.real() DO
        IF x < 2.0d0 OR x >= 3.0d0 OR y < 0.0 OR y >= 1.0 THEN right := FALSE END;
      END;
      IF a.integer(-3, -3) # -3 THEN right := FALSE END;
      EVAL b.integer(-3, -3);
    END;
    test.check(right, "fixed streams are equal, and in range");
    FOR i := 0 TO 9 DO
      IF counts[i] < 850 OR counts[i] > 1150 THEN right := FALSE END;
    END;
    test.check(right, "numbers are spread evenly");
    test.check(c.integer() # d.integer(), "other streams differ");
  END Randoms;

(* Whether these bounds are invalid. *)
PROCEDURE Refuses(min, max: LONGREAL): BOOLEAN =
  VAR r := NEW(Random.Default).init(TRUE);  refused := 0;
  BEGIN
    TRY
      EVAL r.longreal(min, max);
    EXCEPT
    | RuntimeError.E (e) => IF e = RuntimeError.T.ValueOutOfRange THEN INC(refused) END;
    END;
    TRY
      EVAL r.real(FLOAT(min, REAL), FLOAT(max, REAL));
    EXCEPT
    | RuntimeError.E (e) => IF e = RuntimeError.T.ValueOutOfRange THEN INC(refused) END;
    END;
    RETURN refused = 2;
  END Refuses;

PROCEDURE WideRandoms() =
  CONST
    Huge = 1.7d308;
    HugeReal = 3.0e38;
  VAR r := NEW(Random.Default).init(TRUE);  negative := 0;  right := TRUE;
  BEGIN
    FOR i := 1 TO 2000 DO
      WITH x = r.longreal(-Huge, Huge), y = r.real(-HugeReal, HugeReal) DO
        IF x < -Huge OR x >= Huge OR y < -HugeReal OR y >= HugeReal THEN right := FALSE END;
        IF x < 0.0d0 THEN INC(negative) END;
        IF y < 0.0 THEN INC(negative) END;
      END;
    END;
    test.check(right, "a range whose width overflows");
    test.check(negative > 1800 AND negative < 2200, "it is evenly filled");
    test.check(Refuses(0.0d0, IEEESpecial.LongPosInf), "up to infinity");
    test.check(Refuses(IEEESpecial.LongNegInf, 0.0d0), "from infinity");
    test.check(Refuses(IEEESpecial.LongNan, 0.0d0), "from no number");
    test.check(Refuses(0.0d0, IEEESpecial.LongNan), "to no number");
  END WideRandoms;

PROCEDURE Paths() =
  BEGIN
    test.equalText(Pathname.Join("a/b", "c", "x"), "a/b/c.x", "Join");
    test.equalText(Pathname.Join(NIL, "c"), "c", "Join without prefix");
    test.equalText(Pathname.Prefix("a/b/c.x"), "a/b", "Prefix");
    test.equalText(Pathname.Prefix("/c"), "/", "Prefix of the root's");
    test.equalText(Pathname.Prefix("c"), "", "Prefix of nothing");
    test.equalText(Pathname.Last("a/b/c.x"), "c.x", "Last");
    test.equalText(Pathname.LastBase("a/b/c.x"), "c", "LastBase");
    test.equalText(Pathname.LastExt("a.b/c"), "", "LastExt: none");
    test.equalText(Pathname.LastExt("a/b/c.tar.gz"), "gz", "LastExt");
    test.equalText(Pathname.ReplaceExt("a/b.c", "d"), "a/b.d", "ReplaceExt");
    test.check(Pathname.Absolute("/a") AND NOT Pathname.Absolute("a"), "Absolute");
  END Paths;

(* The arcs of a name between bars, with an asterisk where it begins at the root; made a name again,
   they give the same name. *)
PROCEDURE Arcs(name: TEXT): TEXT =
  VAR arcs := Pathname.Decompose(name);  result := "";
  BEGIN
    test.equalText(Pathname.Compose(arcs), name, "the name with the arcs of " & name);
    IF arcs.get(0) # NIL THEN result := "*" END;
    FOR i := 1 TO arcs.size() - 1 DO result := result & "|" & arcs.get(i) END;
    RETURN result;
  END Arcs;

PROCEDURE Composable(root, first, second: TEXT): BOOLEAN =
  VAR arcs := NEW(TextSeq.T).fromArray(ARRAY OF TEXT{root, first, second});
  BEGIN
    TRY
      EVAL Pathname.Compose(arcs);
      RETURN TRUE;
    EXCEPT
    | Pathname.Invalid => RETURN FALSE;
    END;
  END Composable;

PROCEDURE EmptyArcs() =
  BEGIN
    test.equalText(Arcs(""), "", "no arc");
    test.equalText(Arcs("/"), "*", "no arc below the root");
    test.equalText(Arcs("a/b"), "|a|b", "two arcs");
    test.equalText(Arcs("/a//b/c"), "*|a||b|c", "an empty arc");
    test.equalText(Arcs("a///b"), "|a|||b", "two empty arcs");
    test.equalText(Arcs("a/"), "|a|", "a slash at the end");
    test.equalText(Arcs("//"), "*||", "slashes only");
    test.equalText(Arcs("//a"), "*||a", "an empty arc below the root");
    test.equalText(Pathname.Last("a/"), "", "the last arc is empty");
    test.equalText(Pathname.Prefix("a/"), "a", "all but the empty arc");
    test.equalText(Pathname.Prefix("a//b"), "a/", "Prefix with an empty arc");
    test.equalText(Pathname.Base("a.b/"), "a.b/", "an empty arc has no extension");
    test.check(Composable(NIL, "a", ""), "Compose takes an empty arc");
    test.check(Composable("/", "", "a"), "Compose takes one below the root");
    test.check(NOT Composable(NIL, "", "a"), "no relative name begins with an empty arc");
    test.check(NOT Composable("/", "a/b", "c"), "a slash within an arc");
    test.check(NOT Composable("/", "a", NIL), "no arc at all");
    test.check(NOT Composable("c:", "a", "b"), "another root");
  END EmptyArcs;

PROCEDURE TestAll(<*UNUSED*> running: Test.T) RAISES ANY =
  BEGIN
    Atoms();
    AtomsOfThreads();
    Randoms();
    WideRandoms();
    Paths();
    EmptyArcs();
    test.equalInt(ORD(ASCII.Upper['q']), ORD('Q'), "ASCII.Upper");
    test.equalInt(ORD(ASCII.Control['A']), 1, "ASCII.Control");
    test.check('!' IN ASCII.Punctuation AND NOT ' ' IN ASCII.AlphaNumerics, "ASCII sets");
    test.check(ABS(Math.sqrt(2.0d0) * Math.sqrt(2.0d0) - 2.0d0) < 1.0d-15, "sqrt");
    test.check(ABS(Math.atan2(1.0d0, 1.0d0) - Math.Pi / 4.0d0) < 1.0d-15, "atan2");
    test.check(Time.Now() > 1.6d9, "Time.Now");
    WITH start = Tick.Now() DO
      test.check(Tick.ToSeconds(Word.Minus(Tick.Now(), start)) < 5.0d0, "Tick");
    END;
    test.equalInt(Text.Length(Fmt.LongReal(Time.Now(), Fmt.Style.Fix, 0)), 10, "seconds since 1970");
  END TestAll;

BEGIN
END AtomsAndRandomTest.
