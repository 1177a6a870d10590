MODULE Main;
IMPORT Lang, Sched, SchedRep, Thread, Time, IO, Fmt, Text, Word, Math, Process, RuntimeError, IntArraySort;
FROM Lang IMPORT Day, Sub, Rec, Obj, Obj2, Tree;
TYPE J = Thread.Closure OBJECT n: INTEGER OVERRIDES apply := Run END;
VAR total := 0; mu := NEW(MUTEX); s := NEW(Sched.T).init(3); tk: Sched.Ticket;
PROCEDURE Run(j: J): REFANY = BEGIN LOCK mu DO INC(total, j.n) END; RETURN NIL END Run;
PROCEDURE P(t: TEXT) = BEGIN IO.Put(t); IO.Put("\n") END P;
PROCEDURE I(i: INTEGER) = BEGIN IO.Put(Fmt.Int(i)); IO.Put(" ") END I;
PROCEDURE Insert(VAR t: Tree; READONLY k: TEXT) =
  BEGIN
    IF t = NIL THEN t := NEW(Tree, key := k)
    ELSE CASE Text.Compare(k, t.key) OF -1 => Insert(t.l, k) | 0 => (*skip*) | +1 => Insert(t.r, k) END END
  END Insert;
PROCEDURE Walk(t: Tree; p: PROCEDURE(k: TEXT)) = BEGIN IF t # NIL THEN Walk(t.l, p); p(t.key); Walk(t.r, p) END END Walk;
PROCEDURE Exc(n: INTEGER): TEXT RAISES {Sched.Bad, Sched.Stopped, Sched.Many} =
  BEGIN
    TRY
      CASE n OF
      | 0 => RAISE Sched.Stopped
      | 1, 3 .. 5 => RAISE Sched.Bad("b" & Fmt.Int(n))
      | 2 => RAISE Sched.Many(RECORD a: INTEGER; b: TEXT END {1, "x"})
      ELSE RETURN "ret"
      END
    FINALLY INC(total) END
  END Exc;
PROCEDURE Excs() =
  BEGIN
    FOR i := 0 TO 6 DO
      TRY IO.Put(Exc(i) & " ") EXCEPT Sched.Stopped => IO.Put("stopped ") | Sched.Bad(t) => IO.Put(t & " ") | Sched.Many(r) => IO.Put(r.b & Fmt.Int(r.a) & " ") END
    END; P("")
  END Excs;
PROCEDURE Odd() =
  VAR r: Rec; a: Lang.Matrix; t: Tree; o: Obj := NEW(Obj2, a := 4); days := SET OF Day{Day.Mon .. Day.Wed, Day.Sun}; x: Sub := -2; txt := "";
      v := NEW(REF Lang.Vec, 4); m := NEW(REF Lang.Open2, 3, 4); l: CARDINAL := 0; n: [0..255]; c: CHAR; ar := ARRAY [0..4] OF INTEGER{3, 1, 2, ..};
      p: PROCEDURE(READONLY m: Lang.Open2): INTEGER := Lang.Trace; q := Lang.Mul; big := LAST(INTEGER);
  PROCEDURE Add(k: TEXT) = BEGIN txt := txt & k END Add;
  BEGIN
    a := q(Lang.Ident, Lang.Ident); I(ROUND(a[3, 3]));
    Insert(t, "m"); Insert(t, "a"); Insert(t, "z"); Insert(t, "a"); Walk(t, Add); P(txt);
    I(o.m(3)); o.n(); NARROW(o, Obj2).q(); I(Lang.counter); I(r.x); I(Lang.R2.y + Lang.Default.y); P(Fmt.Bool('d' IN r.s) & Fmt.Char(r.n.z) & Lang.DayName[r.d]);
    FOR d := FIRST(Day) TO LAST(Day) DO IF d IN days THEN IO.Put(Lang.DayName[d] & " ") END END; P("");
    days := days - SET OF Day{Day.Sun} + SET OF Day{Day.Sat} * SET OF Day{Day.Sat, Day.Fri}; I(ORD(Day.Sat IN days)); IF days >= SET OF Day{Day.Mon} THEN P("super") END;
    FOR i := 0 TO LAST(v^) DO v[i] := FLOAT(i, LONGREAL) END; SUBARRAY(v^, 1, 2)[0] := 10.0d0; P(Fmt.LongReal(Lang.Sum(SUBARRAY(v^, 1, 3))));
    FOR i := 0 TO LAST(m^) DO FOR j := 0 TO LAST(m[0]) DO m[i, j] := i * j END END; I(p(m^)); I(Lang.Trace(SUBARRAY(m^, 1, 2)));
    IntArraySort.Sort(ar); FOR i := 0 TO 4 DO I(ar[i]) END; P("");
    I(-7 DIV 2); I(-7 MOD 2); I(7 DIV -2); I(x); INC(x); I(ABS(x)); I(Word.Rotate(1, -1)); I(Word.Extract(16_F0, 4, 4)); I(Word.Insert(0, 3, 2, 2)); I(TRUNC(-2.5)); I(CEILING(2.1)); I(FLOOR(-2.1)); I(ROUND(2.5d0)); P("");
    n := ORD('A'); c := VAL(n + 1, CHAR); P(Fmt.Char(c) & Fmt.LongReal(Math.sqrt(2.0d0)) & Fmt.Real(MAX(1.0, 2.0)));
    TRY n := 200; n := n + 100 EXCEPT RuntimeError.E(e) => P(RuntimeError.Tag(e)) END;
    TRY l := l - 1 EXCEPT RuntimeError.E(e) => P(RuntimeError.Tag(e)) END;
    WITH z = ar[2], y = big DO z := 99; I(ar[2]); IF y = z THEN I(0) END END;
    IF NOT (3 # 3) AND (("a" & "b") # NIL) OR FALSE THEN P("ok") END;
    EVAL ISTYPE(o, Obj2); EVAL TYPECODE(Obj2) # TYPECODE(o);
    VAR i := 0; BEGIN LOOP INC(i); IF i = 3 THEN EXIT END END; I(i); WHILE i > 0 DO DEC(i, 2) END; I(i); REPEAT INC(i) UNTIL i >= 4; I(i); FOR k := 10 TO 1 BY -4 DO I(k) END; P("") END;
  END Odd;
BEGIN
  FOR i := 1 TO 20 DO EVAL s.at(Time.Now() + FLOAT(i MOD 3, LONGREAL) * 0.005D0, NEW(J, n := i)) END;
  tk := s.at(Time.Now() + 1000.0D0, NEW(J, n := 1000));
  <*ASSERT tk.owner = s AND tk # Sched.NoTicket*>
  I(ORD(s.cancel(tk)));
  TRY s.wait() EXCEPT Thread.Alerted => P("alerted") END;
  I(total); total := 0;
  I(s.finished); P("");
  Excs(); I(total); Odd();
  <*ASSERT Sched.Self() = s*>
  Process.Exit(0)
END Main.
