(* golden: run, with lib/Check *)
MODULE Main;

IMPORT ASCII, Atom, Check, Fmt, Math, Pathname, Random, Text, Tick, Time, Word;

<*FATAL Pathname.Invalid*>

PROCEDURE Atoms() =
  VAR right := TRUE;
  BEGIN
    FOR i := 1 TO 1000 DO
      IF Atom.FromText("a" & Fmt.Int(i)) # Atom.FromText("a" & Fmt.Int(i)) THEN right := FALSE END;
    END;
    Check.That(right, "atoms of equal texts");
    Check.That(Atom.FromText("a") # Atom.FromText("b"), "atoms of other texts");
    Check.Text(Atom.ToText(Atom.FromText("xyz")), "xyz", "ToText");
  END Atoms;

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
    Check.That(right, "fixed streams are equal, and in range");
    FOR i := 0 TO 9 DO
      IF counts[i] < 850 OR counts[i] > 1150 THEN right := FALSE END;
    END;
    Check.That(right, "numbers are spread evenly");
    Check.That(c.integer() # d.integer(), "other streams differ");
  END Randoms;

PROCEDURE Paths() =
  BEGIN
    Check.Text(Pathname.Join("a/b", "c", "x"), "a/b/c.x", "Join");
    Check.Text(Pathname.Join(NIL, "c"), "c", "Join without prefix");
    Check.Text(Pathname.Prefix("a/b/c.x"), "a/b", "Prefix");
    Check.Text(Pathname.Prefix("/c"), "/", "Prefix of the root's");
    Check.Text(Pathname.Prefix("c"), "", "Prefix of nothing");
    Check.Text(Pathname.Last("a/b/c.x"), "c.x", "Last");
    Check.Text(Pathname.LastBase("a/b/c.x"), "c", "LastBase");
    Check.Text(Pathname.LastExt("a.b/c"), "", "LastExt: none");
    Check.Text(Pathname.LastExt("a/b/c.tar.gz"), "gz", "LastExt");
    Check.Text(Pathname.ReplaceExt("a/b.c", "d"), "a/b.d", "ReplaceExt");
    Check.That(Pathname.Absolute("/a") AND NOT Pathname.Absolute("a"), "Absolute");
    Check.Text(Pathname.Compose(Pathname.Decompose("/a//b/c")), "/a/b/c", "Decompose, Compose");
  END Paths;

BEGIN
  Atoms();
  Randoms();
  Paths();
  Check.Int(ORD(ASCII.Upper['q']), ORD('Q'), "ASCII.Upper");
  Check.Int(ORD(ASCII.Control['A']), 1, "ASCII.Control");
  Check.That('!' IN ASCII.Punctuation AND NOT ' ' IN ASCII.AlphaNumerics, "ASCII sets");
  Check.That(ABS(Math.sqrt(2.0d0) * Math.sqrt(2.0d0) - 2.0d0) < 1.0d-15, "sqrt");
  Check.That(ABS(Math.atan2(1.0d0, 1.0d0) - Math.Pi / 4.0d0) < 1.0d-15, "atan2");
  Check.That(Time.Now() > 1.6d9, "Time.Now");
  WITH start = Tick.Now() DO
    Check.That(Tick.ToSeconds(Word.Minus(Tick.Now(), start)) < 5.0d0, "Tick");
  END;
  Check.Int(Text.Length(Fmt.LongReal(Time.Now(), Fmt.Style.Fix, 0)), 10, "seconds since 1970");
  Check.Done();
END Main.
(* expect: 26 checks, 0 failed *)
