MODULE Main;
IMPORT CountWr, UpperRd, MyText, Expr, ExprF, TextRd, TextWr, Rd, Wr, Stdio, Fmt, Thread, Pickle,
  Pickle2, Bundle, HelpBundle, Text, ParseParams, Params, Rsrc, RdUtils, Sx, RefList, Atom, FS,
  FileRd, FileWr, Pathname, OSError, Process, File, Pipe, Time, Date, FmtTime, Env, Random,
  Formatter, TextSeq, TextRefTbl, SortedTextRefTbl, IntSetDef, TextSetDef, TextSetList, AtomList,
  Lex, FloatMode, Scan, Convert, Tick, Fingerprint, Tick AS TickTock;
FROM Stdio IMPORT stdout;
FROM Thread IMPORT Fork, Join, Alerted;
<*FATAL Alerted, Wr.Failure, Rd.Failure*>
EXCEPTION Quit(INTEGER);
TYPE
  Client = Thread.Closure OBJECT q: Queue; name: TEXT; got := 0 OVERRIDES apply := Consume END;
  Queue = MUTEX OBJECT nonEmpty: Thread.Condition; l: RefList.T := NIL; closed := FALSE METHODS put(r: REFANY) := Put; get(): REFANY RAISES {Thread.Alerted} := Get END;
PROCEDURE Put(q: Queue; r: REFANY) = BEGIN LOCK q DO q.l := RefList.AppendD(q.l, RefList.List1(r)) END; Thread.Signal(q.nonEmpty) END Put;
PROCEDURE Get(q: Queue): REFANY RAISES {Thread.Alerted} =
  BEGIN
    LOCK q DO
      WHILE q.l = NIL DO Thread.AlertWait(q, q.nonEmpty) END;
      TRY RETURN q.l.head FINALLY q.l := q.l.tail END
    END
  END Get;
PROCEDURE Consume(cl: Client): REFANY =
  BEGIN
    TRY
      LOOP
        TYPECASE cl.q.get() OF
        | NULL => EXIT
        | REF INTEGER(i) => INC(cl.got, i^)
        | TEXT, Atom.T => INC(cl.got, 100)
        ELSE Process.Crash("bad item")
        END
      END
    EXCEPT Thread.Alerted => RETURN Fmtd("alerted after %s", cl.got) END;
    RETURN cl
  END Consume;
PROCEDURE Fmtd(f: TEXT; i: INTEGER): TEXT = BEGIN RETURN Fmt.F(f, Fmt.Int(i)) END Fmtd;
PROCEDURE P(t: TEXT) = BEGIN Wr.PutText(stdout, t & "\n") END P;
PROCEDURE Err(ec: AtomList.T): TEXT = VAR t := ""; BEGIN WHILE ec # NIL DO t := t & Atom.ToText(ec.head) & " "; ec := ec.tail END; RETURN t END Err;
PROCEDURE Exprs() =
  CONST Cases = ARRAY OF TEXT {"1 + 2*3", "(1+2)*-3", "1/0", "1 +", "x", "2)"};
  VAR wr := TextWr.New(); cw := CountWr.New(wr);
  BEGIN
    FOR i := FIRST(Cases) TO LAST(Cases) DO
      TRY
        WITH e = Expr.Parse(TextRd.New(Cases[i])) DO
          Expr.Print(e, cw); Wr.PutText(cw, " = "); Wr.PutText(cw, Fmt.LongReal(Expr.Eval(e))); Wr.PutChar(cw, '\n')
        END
      EXCEPT
      | Expr.E(err) => Wr.PutText(cw, Fmt.F("error at %s: %s\n", Fmt.Int(err.where), err.msg))
      | Expr.Bad(l) => Wr.PutText(cw, " " & Err(l) & "\n")
      END
    END;
    Wr.Flush(cw);
    P(TextWr.ToText(wr) & Fmt.Int(CountWr.Lines(cw)) & " " & Fmt.Int(CountWr.Count(cw)));
    VAR r := NEW(UpperRd.T).init(TextRd.New("hello, stream world\nsecond")); BEGIN
      TRY P(Rd.GetLine(r) & "|" & Rd.GetLine(r)); P(Rd.GetLine(r)) EXCEPT Rd.EndOfFile => P("eof") END
    END;
    P(MyText.Repeat('x', 5) & Fmt.Bool(Text.Equal(MyText.Repeat('y', 1), "yyb")))
  END Exprs;
PROCEDURE Pickles() =
  VAR w := TextWr.New(); v: REFANY;
      n := NEW(ExprF.Num, val := 3.5D0); b := NEW(ExprF.Bin, op := ExprF.Op.Mul, l := n, r := n);
  BEGIN
    TRY
      Pickle.Write(w, b);
      v := Pickle.Read(TextRd.New(TextWr.ToText(w)));
      WITH x = NARROW(v, ExprF.Bin) DO P(Fmt.Bool(x.l = x.r) & Fmt.LongReal(NARROW(x.l, ExprF.Num).val)) END;
      Pickle2.Write(w, RefList.List2(Atom.FromText("a"), NEW(REF INTEGER)));
    EXCEPT
    | Pickle.Error(t) => P(t)
    | Pickle2.Error(t) => P(t)
    | Rd.EndOfFile => P("short")
    END
  END Pickles;
PROCEDURE Files() RAISES {OSError.E} =
  VAR dir := "scratch"; f := Pathname.Join(dir, "a", "txt"); wr: Wr.T; rd: Rd.T; it: FS.Iterator; name: TEXT; st: File.Status;
  BEGIN
    FS.CreateDirectory(dir);
    wr := FileWr.Open(f); Wr.PutText(wr, "one two\n3 4.5 16_ff\n"); Wr.Close(wr);
    wr := FileWr.OpenAppend(f); Wr.PutText(wr, "TRUE end\n"); Wr.Close(wr);
    rd := FileRd.Open(f);
    TRY
      TRY
        P(Lex.Scan(rd)); Lex.Skip(rd); Lex.Match(rd, "two"); Lex.Skip(rd, Lex.Blanks);
        P(Fmt.Int(Lex.Int(rd))); Lex.Skip(rd); P(Fmt.Real(Lex.Real(rd))); Lex.Skip(rd); P(Fmt.Int(Lex.Int(rd)));
        Lex.Skip(rd); P(Fmt.Bool(Lex.Bool(rd)));
        P(Fmt.Int(Rd.Length(rd)) & " " & Fmt.Int(Rd.Index(rd)))
      FINALLY Rd.Close(rd) END
    EXCEPT Lex.Error, FloatMode.Trap => P("lex error") | Rd.EndOfFile => P("eof") END;
    st := FS.Status(f);
    P(Atom.ToText(st.type) & " " & Fmt.Int(VAL(st.size, INTEGER)) & Fmt.Bool(st.modificationTime <= Time.Now() + 1.0D0));
    it := FS.Iterate(dir);
    TRY WHILE it.next(name) DO P(name & " " & Pathname.LastExt(name) & Pathname.LastBase(name) & Pathname.Prefix(f)) END FINALLY it.close() END;
    FS.DeleteFile(f); FS.DeleteDirectory(dir);
    TRY EVAL FileRd.Open(f) EXCEPT OSError.E(ec) => P(RdUtils.FailureText(ec) ) END;
  END Files;
PROCEDURE Procs() RAISES {OSError.E} =
  VAR hr, hw: Pipe.T; child: Process.T; rd: Rd.T;
  BEGIN
    Pipe.Open(hr, hw);
    child := Process.Create("/bin/echo", ARRAY OF TEXT {"from", "child"}, stdout := hw);
    hw.close();
    rd := NEW(FileRd.T).init(hr);
    P(Rd.GetText(rd, LAST(CARDINAL)) & Fmt.Int(Process.Wait(child)))
  END Procs;
PROCEDURE Threads() =
  VAR q := NEW(Queue, nonEmpty := NEW(Thread.Condition)); c := NEW(Client, q := q, name := "c"); th := Fork(c); ri := NEW(REF INTEGER);
  BEGIN
    ri^ := 5; q.put(ri); q.put("text"); q.put(Atom.FromText("at")); q.put(NIL);
    P(Fmt.Int(NARROW(Join(th), Client).got));
    th := Fork(NEW(Client, q := q)); Thread.Pause(0.01D0); Thread.Alert(th);
    P(NARROW(Join(th), TEXT));
  END Threads;
PROCEDURE Tables() =
  VAR t := NEW(SortedTextRefTbl.Default).init(); it: SortedTextRefTbl.Iterator; k: TEXT; v: REFANY; s := NEW(TextSetDef.T).init(); s2: TextSetDef.T;
      is := NEW(IntSetDef.T).init(); sq := NEW(TextSeq.T).fromArray(ARRAY OF TEXT{"x", "y"}); sl := NEW(TextSetList.T).init();
      sx: Sx.T; h: TextRefTbl.T := NEW(TextRefTbl.Default).init(10);
  BEGIN
    FOR i := 9 TO 1 BY -2 DO EVAL t.put(Fmt.Int(i), NEW(REF INTEGER)) END;
    it := t.iterateOrdered(FALSE); it.seek("6"); WHILE it.next(k, v) DO Wr.PutText(stdout, k & " ") END; P("");
    EVAL s.insert("a"); EVAL s.insert("b"); s2 := s.copy(); EVAL s2.delete("a"); P(Fmt.Bool(s2.subset(s)) & Fmt.Int(s.unionD(s2).size()));
    EVAL is.insert(4); EVAL sl.insert("q"); P(Fmt.Bool(is.member(4)) & Fmt.Int(sl.size()) & sq.remhi() & sq.getlo() & Fmt.Int(TextSeq.Cat(sq, sq).size()));
    TRY
      sx := Sx.Read(TextRd.New("(define (f x) \"str\" 'c' 3 4.5 |odd sym|)"));
      Sx.Print(stdout, sx); P(" " & Fmt.Int(RefList.Length(sx)))
    EXCEPT Sx.ReadError(m) => P(m) | Rd.EndOfFile => P("eof") | Sx.PrintError => P("pe") END;
    EVAL h.put("k", sx);
    VAR p := NEW(Random.Default).init(TRUE); BEGIN P(Fmt.Bool(p.integer(1, 6) IN SET OF [1..6]{1..6})) END;
  END Tables;
PROCEDURE Fmts() =
  VAR f := Formatter.New(stdout, 30); d := Date.FromTime(0.0D0, Date.UTC); buf: ARRAY [0..20] OF CHAR; used: INTEGER; lr: LONGREAL;
  BEGIN
    Formatter.Begin(f, 2); FOR i := 1 TO 20 DO Formatter.PutText(f, Fmt.Int(i) & ","); Formatter.Break(f) END; Formatter.End(f); Formatter.NewLine(f, freshLine := FALSE); Formatter.Flush(f); Formatter.Close(f);
    P(Fmt.FN("%s %-5s|%5s|%s", ARRAY OF TEXT{Fmt.Int(d.year), "ab", "cd", FmtTime.Short(0.0D0, Date.UTC)}) );
    P(Fmt.Real(1.0/3.0, prec := 3) & Fmt.LongReal(1.0D10, Fmt.Style.Sci, 2) & Fmt.Pad("x", 4, '.', Fmt.Align.Right) & Fmt.Int(-255, 16) & Fmt.Unsigned(255, 2) & Fmt.Extended(1.5X0));
    used := Convert.FromInt(buf, 1234, 10, FALSE); P(Text.FromChars(SUBARRAY(buf, 0, used)));
    TRY lr := Scan.LongReal(" 12.5e1 "); P(Fmt.LongReal(lr) & Fmt.Int(Scan.Int("77"))); P(Fmt.Int(Scan.Int("z"))) EXCEPT Lex.Error => P("scan") | FloatMode.Trap => P("trap") END;
    IF Env.Get("PATH") = NIL THEN P("no path") END;
    P(Fmt.Bool(Tick.ToSeconds(Tick.Now()) >= 0.0D0) & Fmt.Bool(TickTock.ToSeconds(1) > 0.0D0) & Fmt.Bool(Fingerprint.Equal(Fingerprint.FromText("a"), Fingerprint.FromText("a"))));
  END Fmts;
PROCEDURE Pars() RAISES {Quit} =
  VAR pp := NEW(ParseParams.T).init(Stdio.stderr); n := 3;
  BEGIN
    TRY
      IF pp.keywordPresent("-n") THEN n := pp.getNextInt(0, 10) END;
      pp.skipParsed(); pp.finish()
    EXCEPT ParseParams.Error => RAISE Quit(2) END;
    P(Fmt.Int(n + Params.Count) & Bundle.Get(HelpBundle.Get(), "motd"));
    TRY P(Rsrc.Get("help.txt", Rsrc.BuildPath(HelpBundle.Get()))) EXCEPT Rsrc.NotFound => P("not found") END;
  END Pars;
BEGIN
  Exprs(); Pickles(); Threads(); Tables(); Fmts();
  TRY Files(); Procs() EXCEPT OSError.E(ec) => P("oserror " & Err(ec)) END;
  TRY Pars() EXCEPT Quit(n) => Process.Exit(n) END;
  Wr.Flush(stdout)
END Main.
