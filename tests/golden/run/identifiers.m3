(* golden: run, with lib/Check, lib/Dice *)
(* Fingerprints, digests, stamps, random numbers and permutations, statistics. *)
MODULE Main;

IMPORT Capability, Check, Dice, Fingerprint, Fmt, MD5, MachineID, Random, RandomPerm, RandomReal,
  RuntimeError, SHA256, Stat, Text, TextRd, TextWr, Thread, Time, TimeStamp, Wr;

<*FATAL Thread.Alerted, Wr.Failure*>

PROCEDURE Hex(READONLY fp: Fingerprint.T): TEXT =
  VAR t := "";
  BEGIN
    FOR i := 7 TO 0 BY -1 DO t := t & Fmt.Pad(Fmt.Unsigned(fp.byte[i]), 2, '0') END;
    RETURN t;
  END Hex;

PROCEDURE Fingerprints() =
  VAR a := Fingerprint.FromText("hello");  b := Fingerprint.FromText("world");
      long := Fmt.Pad("", 1000, 'x');
  BEGIN
    Check.Text(Hex(Fingerprint.OfEmpty), "8000000000000000", "OfEmpty");
    Check.Text(Hex(Fingerprint.FromText("a")), "6180000000000000", "one character");
    b := Fingerprint.FromChars(ARRAY OF CHAR{'l', 'l', 'o'}, Fingerprint.FromText("he"));
    Check.That(Fingerprint.Equal(a, b), "FromChars");
    b := Fingerprint.FromText("world");
    Check.That(NOT Fingerprint.Equal(a, b) AND Fingerprint.Hash(a) # Fingerprint.Hash(b),
               "different texts");
    Check.That(NOT Fingerprint.Equal(Fingerprint.Combine(a, b), Fingerprint.Combine(b, a))
               AND Fingerprint.Equal(Fingerprint.Combine(a, b), Fingerprint.Combine(a, b)),
               "Combine");
    Check.That(Fingerprint.Equal(Fingerprint.FromText(long & "a" & long),
                                 Fingerprint.FromText(Text.Cat(long, "a" & long))), "trees");
    Check.That(NOT Fingerprint.Equal(Fingerprint.FromText(Text.FromWideChar(VAL(300, WIDECHAR))),
                                     Fingerprint.Zero), "wide");
    Check.Text(Fingerprint.Brand, "Fingerprint", "Brand");
  END Fingerprints;

PROCEDURE Digests() =
  VAR t := Fmt.Pad("", 119, 'a');
  BEGIN
    Check.Text(MD5.FromText(""), "d41d8cd98f00b204e9800998ecf8427e", "MD5 of nothing");
    Check.Text(MD5.FromText("abc"), "900150983cd24fb0d6963f7d28e17f72", "MD5");
    Check.Text(MD5.FromText("12345678901234567890123456789012345678901234567890123456789012345678"
                              & "901234567890"), "57edf4a22be3c955ac49da2e2107b67a", "two blocks");
    Check.Text(SHA256.FromText(""),
               "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
               "SHA256 of nothing");
    Check.Text(SHA256.FromText("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
               "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1", "SHA256");
    FOR n := 0 TO 119 DO
      WITH part = Text.Sub(t, 0, n) DO
        IF NOT Text.Equal(MD5.FromFile(TextRd.New(part)), MD5.FromText(part))
           OR NOT Text.Equal(SHA256.FromFile(TextRd.New(part)), SHA256.FromText(part)) THEN
          Check.That(FALSE, "FromFile");
        END;
      END;
    END;
    Check.Text(MD5.FromText(Text.Sub(t, 0, 55)), "ef1772b6dff9a122358552954ad0df65", "55 bytes");
    Check.Text(MD5.FromText(Text.Sub(t, 0, 56)), "3b0c8ac703f828b04c6c197006d17218", "56 bytes");
    Check.Text(MD5.FromText(Text.Sub(t, 0, 64)), "014842d480b571495a4a0363793f7367", "64 bytes");
  END Digests;

PROCEDURE Stamps() =
  VAR a := TimeStamp.New();  b := a;  right := TRUE;  id, id2: MachineID.T;  error := FALSE;
      c := Capability.New();  d := Capability.New();
  BEGIN
    FOR i := 1 TO 1000 DO
      b := TimeStamp.New();
      IF TimeStamp.Compare(a, b) # -1 OR TimeStamp.Compare(b, a) # 1 OR TimeStamp.Equal(a, b)
         OR TimeStamp.Max(a, b) # b OR TimeStamp.Min(b, a) # a THEN
        right := FALSE;
      END;
      a := b;
    END;
    Check.That(right, "order");
    Check.That(TimeStamp.Compare(a, a) = 0 AND TimeStamp.Equal(a, b)
               AND TimeStamp.Hash(a) = TimeStamp.Hash(b), "equal stamps");
    Check.That(TimeStamp.Compare(TimeStamp.First, a) < 0
               AND TimeStamp.Compare(a, TimeStamp.Last) < 0, "First and Last");
    Check.That(ABS(TimeStamp.ToTime(a) - Time.Now()) < 60.0d0, "ToTime");
    IF MachineID.CanGet(id) THEN
      id2 := MachineID.Get();
      Check.That(id.r = id2.r, "MachineID");
    ELSE
      TRY id2 := MachineID.Get() EXCEPT RuntimeError.E => error := TRUE END;
      Check.That(error, "no MachineID");
    END;
    Check.That(NOT Capability.Equal(c, d) AND Capability.Equal(c, c)
               AND Capability.Hash(c) = Capability.Hash(c), "Capability");
  END Stamps;

PROCEDURE IsPermutation(READONLY a: ARRAY OF CARDINAL): BOOLEAN =
  VAR seen := NEW(REF ARRAY OF BOOLEAN, NUMBER(a));
  BEGIN
    FOR i := 0 TO LAST(seen^) DO seen[i] := FALSE END;
    FOR i := 0 TO LAST(a) DO
      IF a[i] >= NUMBER(a) OR seen[a[i]] THEN RETURN FALSE END;
      seen[a[i]] := TRUE;
    END;
    RETURN TRUE;
  END IsPermutation;

PROCEDURE Deliver(p: RandomPerm.T; n: CARDINAL; what: TEXT) =
  VAR a := NEW(REF ARRAY OF CARDINAL, n);  copy: RandomPerm.T;  exhausted := FALSE;  same := TRUE;
  <*FATAL RandomPerm.Exhausted*>
  BEGIN
    Check.Int(p.size(), n, what & ": size");
    FOR i := 0 TO n - 1 DO
      IF i = n DIV 2 THEN copy := p.copy() END;
      a[i] := p.next();
    END;
    Check.That(IsPermutation(a^), what & ": all numbers once");
    Check.Int(p.index(), n, what & ": index");
    TRY EVAL p.next() EXCEPT RandomPerm.Exhausted => exhausted := TRUE END;
    Check.That(exhausted, what & ": Exhausted");
    IF n > 0 THEN
      Check.Int(copy.index(), n DIV 2, what & ": index of a copy");
      FOR i := n DIV 2 TO n - 1 DO
        IF copy.next() # a[i] THEN same := FALSE END;
      END;
    END;
    Check.That(same, what & ": copy");
  END Deliver;

PROCEDURE Randomness() =
  VAR r := NEW(Random.Default).init();  fixed := NEW(Random.Default).init(TRUE);
      again := NEW(Random.Default).init(TRUE);  a: ARRAY [0..99] OF CARDINAL;  right := TRUE;
      counts := ARRAY [0..2] OF INTEGER{0, ..};  trues := 0;  failed := FALSE;
  BEGIN
    FOR n := 0 TO 40 BY 8 DO
      Deliver(NEW(RandomPerm.LowQuality).init(n, r), n, "LowQuality " & Fmt.Int(n));
      Deliver(NEW(RandomPerm.HighQuality).init(n, r), n, "HighQuality " & Fmt.Int(n));
    END;
    RandomPerm.Fill(a, r);
    Check.That(IsPermutation(a), "Fill");
    FOR i := 1 TO 3000 DO
      RandomPerm.Fill(SUBARRAY(a, 0, 3), r);
      INC(counts[a[0]]);
    END;
    FOR i := 0 TO 2 DO
      IF ABS(counts[i] - 1000) > 200 THEN right := FALSE END;
    END;
    Check.That(right, "Fill is uniform");
    right := TRUE;
    FOR i := 1 TO 2000 DO
      WITH x = RandomReal.Real(r), y = RandomReal.Longreal(r), z = RandomReal.Extended(r) DO
        IF x < 0.0 OR x >= 1.0 OR y < 0.0d0 OR y >= 1.0d0 OR z < 0.0x0 OR z >= 1.0x0 THEN
          right := FALSE;
        END;
      END;
      WITH x = r.real(-2.0, 3.0), y = r.longreal(), z = r.extended(1.0x0, 2.0x0),
           n = r.integer(-3, 3) DO
        IF x < -2.0 OR x >= 3.0 OR y < 0.0d0 OR y >= 1.0d0 OR z < 1.0x0 OR z >= 2.0x0
           OR n < -3 OR n > 3 THEN
          right := FALSE;
        END;
      END;
      IF r.boolean() THEN INC(trues) END;
      IF fixed.integer() # again.integer() THEN right := FALSE END;
    END;
    Check.That(right AND trues > 800 AND trues < 1200, "ranges");
    Check.Int(r.integer(5, 5), 5, "a range of one");
    TRY EVAL r.integer(2, 1) EXCEPT RuntimeError.E => failed := TRUE END;
    Check.That(failed, "an empty range");
  END Randomness;

PROCEDURE Statistics() =
  VAR s, t, u, all: Stat.T;  x: REAL;  wr := TextWr.New();
  BEGIN
    Stat.Init(s);
    Stat.Init(t);
    Stat.Init(u);
    Stat.Init(all);
    FOR i := 1 TO 8 DO
      x := ARRAY [1..8] OF REAL{2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0}[i];
      IF i < 4 THEN Stat.Accum(s, x) ELSE Stat.Accum(t, x) END;
      Stat.Accum(all, x);
    END;
    Check.That(Stat.Num(all) = 8.0 AND Stat.Mean(all) = 5.0 AND Stat.Max(all) = 9.0
               AND Stat.Min(all) = 2.0 AND ABS(Stat.Var(all) - 4.0) < 1.0e-6
               AND ABS(Stat.SDev(all) - 2.0) < 1.0e-6
               AND ABS(Stat.RMS(all) - 5.3851648) < 1.0e-5, "Accum");
    s := Stat.Combine(Stat.Combine(s, t), u);
    Check.That(Stat.Num(s) = 8.0 AND Stat.Mean(s) = 5.0 AND ABS(Stat.Var(s) - 4.0) < 1.0e-6
               AND Stat.Max(s) = 9.0 AND Stat.Min(s) = 2.0, "Combine");
    Stat.Init(u);
    Stat.Accum(u, 2.0);
    Stat.Print(wr, u);
    Check.Text(TextWr.ToText(wr), "num 1, min 2, max 2, mean 2, sdev 0, rms 2\n", "Print");
    Check.That(Dice.Roll(1) = 0, "Dice");
  END Statistics;

BEGIN
  Fingerprints();
  Digests();
  Stamps();
  Randomness();
  Statistics();
  Check.Done();
END Main.
(* expect: all checks hold *)
