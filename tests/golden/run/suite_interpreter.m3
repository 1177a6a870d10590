(* golden: run, -w *)
(* golden: run, -w *)
(* A lexer, a parser and an interpreter of a small language, with hash tables, texts and readers: the style of tools. *)
MODULE Main;
IMPORT IO, Rd, Wr, TextRd, TextWr, Stdio, Fmt, Text, TextIntTbl, IntTextTbl, TextRefTbl, RefList, TextList, AtomList, Atom, Lex, Scan, FloatMode, ASCII, Thread, RefSeq, TextSeq, IntSeq, SortedTextIntTbl, TextArraySort, IntArraySort, Params, Process, OSError, FileRd, FileWr, FS, Pathname, RTIO, Random, Time, Date, Env, Convert, RTCollector, RTMisc, TextExtras, IntList, RefListSort, IntRefTbl, AtomRefTbl, Fingerprint, RdUtils;
<*FATAL Wr.Failure, Rd.Failure, Thread.Alerted, Rd.EndOfFile*>
EXCEPTION Error(TEXT);
TYPE
  Token = {Num, Id, Op, Str, Eof};
  Tok = RECORD kind := Token.Eof; t: TEXT := ""; n := 0; line := 0 END;
  Lexer = OBJECT rd: Rd.T; cur: Tok; line := 1 METHODS init(rd: Rd.T): Lexer RAISES {Error} := LInit; next() RAISES {Error} := LNext; is(op: TEXT): BOOLEAN := LIs; want(op: TEXT) RAISES {Error} := LWant END;
  Node = OBJECT METHODS eval(e: Env_): INTEGER RAISES {Error, Return}; show(wr: Wr.T) END;
  Num = Node OBJECT n: INTEGER OVERRIDES eval := NumEval; show := NumShow END;
  Var = Node OBJECT name: Atom.T OVERRIDES eval := VarEval; show := VarShow END;
  Bin = Node OBJECT op: CHAR; l, r: Node OVERRIDES eval := BinEval; show := BinShow END;
  Assign = Node OBJECT v: Var; e: Node OVERRIDES eval := AssEval; show := AssShow END;
  While = Node OBJECT c, b: Node OVERRIDES eval := WhileEval; show := WhileShow END;
  Block = Node OBJECT list: RefList.T OVERRIDES eval := BlockEval; show := BlockShow END;
  Ret = Node OBJECT e: Node OVERRIDES eval := RetEval; show := RetShow END;
  Def = REF RECORD name: TEXT; formals: AtomList.T; body: Node END;
  Call = Node OBJECT f: TEXT; args: REF ARRAY OF Node OVERRIDES eval := CallEval; show := CallShow END;
  Env_ = REF RECORD tbl: AtomRefTbl.T; up: Env_ END;
EXCEPTION Return(INTEGER);
VAR defs := NEW(TextRefTbl.Default).init(); depth := 0; calls := 0;
PROCEDURE LInit(l: Lexer; rd: Rd.T): Lexer RAISES {Error} = BEGIN l.rd := rd; l.next(); RETURN l END LInit;
PROCEDURE LNext(l: Lexer) RAISES {Error} =
  CONST Letters = SET OF CHAR{'a'..'z', 'A'..'Z', '_'}; Digits = SET OF CHAR{'0'..'9'};
  VAR c: CHAR; buf: ARRAY [0..79] OF CHAR; n := 0;
  PROCEDURE Add() RAISES {Rd.EndOfFile} = BEGIN buf[n] := c; INC(n); c := Rd.GetChar(l.rd) END Add;
  BEGIN
    TRY
      LOOP
        c := Rd.GetChar(l.rd);
        CASE c OF
        | '\n' => INC(l.line)
        | ' ', '\t', '\r' =>
        | '#' => EVAL Rd.GetLine(l.rd); INC(l.line)
        ELSE EXIT
        END
      END;
      l.cur := Tok{line := l.line};
      TRY
        IF c IN Letters THEN l.cur.kind := Token.Id; WHILE c IN Letters + Digits DO Add() END; Rd.UnGetChar(l.rd)
        ELSIF c IN Digits THEN l.cur.kind := Token.Num; WHILE c IN Digits DO Add() END; Rd.UnGetChar(l.rd)
        ELSE l.cur.kind := Token.Op; Add(); IF c = '=' AND buf[0] IN SET OF CHAR{'<', '>', '=', '!', ':'} THEN Add() END; Rd.UnGetChar(l.rd)
        END
      EXCEPT Rd.EndOfFile => END;
      l.cur.t := Text.FromChars(SUBARRAY(buf, 0, n));
      IF l.cur.kind = Token.Num THEN
        TRY l.cur.n := Scan.Int(l.cur.t) EXCEPT Lex.Error, FloatMode.Trap => RAISE Error("bad number " & l.cur.t) END
      END
    EXCEPT
      Rd.EndOfFile => l.cur := Tok{line := l.line}
    | Rd.Failure, Thread.Alerted => RAISE Error("reader")
    END
  END LNext;
PROCEDURE LIs(l: Lexer; op: TEXT): BOOLEAN = BEGIN RETURN l.cur.kind # Token.Num AND Text.Equal(l.cur.t, op) END LIs;
PROCEDURE LWant(l: Lexer; op: TEXT) RAISES {Error} = BEGIN IF NOT l.is(op) THEN RAISE Error(Fmt.F("line %s: expected %s, found '%s'", Fmt.Int(l.cur.line), op, l.cur.t)) END; l.next() END LWant;
PROCEDURE Program(l: Lexer) RAISES {Error} =
  BEGIN
    WHILE l.cur.kind # Token.Eof DO
      l.want("def");
      WITH d = NEW(Def, name := l.cur.t) DO
        l.next(); l.want("(");
        WHILE NOT l.is(")") DO d.formals := AtomList.AppendD(d.formals, AtomList.List1(Atom.FromText(l.cur.t))); l.next(); IF l.is(",") THEN l.next() END END;
        l.next(); d.body := Stmt(l);
        IF defs.put(d.name, d) THEN RAISE Error(d.name & " defined twice") END;
      END
    END
  END Program;
PROCEDURE Stmt(l: Lexer): Node RAISES {Error} =
  BEGIN
    IF l.is("{") THEN
      VAR list: RefList.T := NIL; BEGIN
        l.next(); WHILE NOT l.is("}") DO list := RefList.Cons(Stmt(l), list) END; l.next();
        RETURN NEW(Block, list := RefList.ReverseD(list))
      END
    ELSIF l.is("while") THEN l.next(); l.want("("); WITH c = Expr(l) DO l.want(")"); RETURN NEW(While, c := c, b := Stmt(l)) END
    ELSIF l.is("return") THEN l.next(); WITH e = Expr(l) DO l.want(";"); RETURN NEW(Ret, e := e) END
    ELSE WITH e = Expr(l) DO l.want(";"); RETURN e END
    END
  END Stmt;
PROCEDURE Expr(l: Lexer; level := 0): Node RAISES {Error} =
  CONST Ops = ARRAY [0..2] OF TEXT{"<>=", "+-", "*/%"};
  VAR n: Node;
  BEGIN
    IF level > LAST(Ops) THEN RETURN Primary(l) END;
    n := Expr(l, level + 1);
    WHILE l.cur.kind = Token.Op AND Text.Length(l.cur.t) = 1 AND Text.FindChar(Ops[level], Text.GetChar(l.cur.t, 0)) >= 0 DO
      WITH op = Text.GetChar(l.cur.t, 0) DO l.next(); n := NEW(Bin, op := op, l := n, r := Expr(l, level + 1)) END
    END;
    IF level = 0 AND l.is(":=") THEN
      TYPECASE n OF Var(v) => l.next(); RETURN NEW(Assign, v := v, e := Expr(l)) ELSE RAISE Error("not a variable") END
    END;
    RETURN n
  END Expr;
PROCEDURE Primary(l: Lexer): Node RAISES {Error} =
  VAR t := l.cur; args: ARRAY [0..9] OF Node; n := 0;
  BEGIN
    l.next();
    CASE t.kind OF
    | Token.Num => RETURN NEW(Num, n := t.n)
    | Token.Id =>
        IF l.is("(") THEN
          l.next(); WHILE NOT l.is(")") DO args[n] := Expr(l); INC(n); IF l.is(",") THEN l.next() END END; l.next();
          WITH c = NEW(Call, f := t.t, args := NEW(REF ARRAY OF Node, n)) DO c.args^ := SUBARRAY(args, 0, n); RETURN c END
        END;
        RETURN NEW(Var, name := Atom.FromText(t.t))
    | Token.Op => IF Text.Equal(t.t, "(") THEN WITH e = Expr(l) DO l.want(")"); RETURN e END ELSIF Text.Equal(t.t, "-") THEN RETURN NEW(Bin, op := '-', l := NEW(Num, n := 0), r := Primary(l)) END
    ELSE
    END;
    RAISE Error(Fmt.F("line %s: unexpected '%s'", Fmt.Int(t.line), t.t))
  END Primary;
PROCEDURE NumEval(n: Num; <*UNUSED*> e: Env_): INTEGER = BEGIN RETURN n.n END NumEval;
PROCEDURE VarEval(v: Var; e: Env_): INTEGER RAISES {Error} = VAR r: REFANY; BEGIN IF e.tbl.get(v.name, r) THEN RETURN NARROW(r, REF INTEGER)^ END; RAISE Error("undefined " & Atom.ToText(v.name)) END VarEval;
PROCEDURE BinEval(b: Bin; e: Env_): INTEGER RAISES {Error, Return} =
  VAR x := b.l.eval(e); y := b.r.eval(e);
  BEGIN
    CASE b.op OF '+' => RETURN x + y | '-' => RETURN x - y | '*' => RETURN x * y | '<' => RETURN ORD(x < y) | '>' => RETURN ORD(x > y) | '=' => RETURN ORD(x = y)
    | '/', '%' => IF y = 0 THEN RAISE Error("division by zero") ELSIF b.op = '/' THEN RETURN x DIV y ELSE RETURN x MOD y END
    ELSE <*ASSERT FALSE*> END
  END BinEval;
PROCEDURE AssEval(a: Assign; e: Env_): INTEGER RAISES {Error, Return} = VAR r := NEW(REF INTEGER); BEGIN r^ := a.e.eval(e); EVAL e.tbl.put(a.v.name, r); RETURN r^ END AssEval;
PROCEDURE WhileEval(w: While; e: Env_): INTEGER RAISES {Error, Return} = VAR n := 0; BEGIN WHILE w.c.eval(e) # 0 DO EVAL w.b.eval(e); INC(n) END; RETURN n END WhileEval;
PROCEDURE BlockEval(b: Block; e: Env_): INTEGER RAISES {Error, Return} = VAR l := b.list; n := 0; BEGIN WHILE l # NIL DO n := NARROW(l.head, Node).eval(e); l := l.tail END; RETURN n END BlockEval;
PROCEDURE RetEval(r: Ret; e: Env_): INTEGER RAISES {Error, Return} = BEGIN RAISE Return(r.e.eval(e)) END RetEval;
PROCEDURE CallEval(c: Call; e: Env_): INTEGER RAISES {Error, Return} =
  VAR ref: REFANY; f: AtomList.T; new := NEW(Env_, tbl := NEW(AtomRefTbl.Default).init(), up := e);
  BEGIN
    INC(depth); INC(calls);
    TRY
      IF depth > 200 THEN RAISE Error("too deep") END;
      IF NOT defs.get(c.f, ref) THEN RAISE Error("no function " & c.f) END;
      WITH d = NARROW(ref, Def) DO
        f := d.formals;
        FOR i := FIRST(c.args^) TO LAST(c.args^) DO WITH r = NEW(REF INTEGER) DO r^ := c.args[i].eval(e); EVAL new.tbl.put(f.head, r) END; f := f.tail END;
        TRY RETURN d.body.eval(new) EXCEPT Return(n) => RETURN n END
      END
    FINALLY DEC(depth) END
  END CallEval;
PROCEDURE P(wr: Wr.T; t: TEXT) = BEGIN Wr.PutText(wr, t) END P;
PROCEDURE NumShow(n: Num; wr: Wr.T) = BEGIN P(wr, Fmt.Int(n.n)) END NumShow;
PROCEDURE VarShow(v: Var; wr: Wr.T) = BEGIN P(wr, Atom.ToText(v.name)) END VarShow;
PROCEDURE BinShow(b: Bin; wr: Wr.T) = BEGIN Wr.PutChar(wr, '('); b.l.show(wr); Wr.PutChar(wr, b.op); b.r.show(wr); Wr.PutChar(wr, ')') END BinShow;
PROCEDURE AssShow(a: Assign; wr: Wr.T) = BEGIN a.v.show(wr); P(wr, ":="); a.e.show(wr) END AssShow;
PROCEDURE WhileShow(w: While; wr: Wr.T) = BEGIN P(wr, "while("); w.c.show(wr); P(wr, ")"); w.b.show(wr) END WhileShow;
PROCEDURE BlockShow(b: Block; wr: Wr.T) = VAR l := b.list; BEGIN P(wr, "{"); WHILE l # NIL DO NARROW(l.head, Node).show(wr); P(wr, ";"); l := l.tail END; P(wr, "}") END BlockShow;
PROCEDURE RetShow(r: Ret; wr: Wr.T) = BEGIN P(wr, "return "); r.e.show(wr) END RetShow;
PROCEDURE CallShow(c: Call; wr: Wr.T) = BEGIN P(wr, c.f & "("); FOR i := 0 TO LAST(c.args^) DO IF i > 0 THEN P(wr, ",") END; c.args[i].show(wr) END; P(wr, ")") END CallShow;
PROCEDURE Run(src: TEXT) =
  VAR wr := TextWr.New(); it: TextRefTbl.Iterator; k: TEXT; r: REFANY; names: REF ARRAY OF TEXT; i := 0;
  BEGIN
    defs := NEW(TextRefTbl.Default).init(5); calls := 0;
    TRY
      Program(NEW(Lexer).init(TextRd.New(src)));
      names := NEW(REF ARRAY OF TEXT, defs.size()); it := defs.iterate(); WHILE it.next(k, r) DO names[i] := k; INC(i) END;
      TextArraySort.Sort(names^);
      FOR i := 0 TO LAST(names^) DO IF defs.get(names[i], r) THEN P(wr, names[i] & "="); NARROW(r, Def).body.show(wr); P(wr, ".") END END;
      IO.Put(TextWr.ToText(wr) & "\n");
      IO.Put(Fmt.Int(NEW(Call, f := "main", args := NEW(REF ARRAY OF Node, 0)).eval(NIL)) & " in " & Fmt.Int(calls) & " calls\n");
    EXCEPT Error(t) => IO.Put("error: " & t & "\n")
    | Return => IO.Put("return outside\n")
    END;
    IF depth # 0 THEN IO.Put("FAIL depth\n") END;
  END Run;
BEGIN
  Run("def fib(n) { while (n < 2) return n; return fib(n - 1) + fib(n - 2); } # comment\ndef main() return fib(15);");
  Run("def main() { s := 0; i := 10; while (i) { s := s + i * i; i := i - 1; } return s; }");
  Run("def main() {\n\n x := ;\n}"); Run("def main() { return 5 / 0; }"); Run("def f(n) return f(n + 1); def main() return f(0);"); Run("def main() return y;"); Run("def main() return g(1);"); Run("def a() 1; def a() 2;");
  Run("def main() return 99999999999999999999;"); Run("def gcd(a, b) { while (b) { t := a % b; a := b; b := t; } return a; } def main() { return gcd(1071, 462) - -3; }");
  IO.Put("ok\n");
END Main.
(* expect: fib={while((n<2))return n;return (fib((n-1))+fib((n-2)));}.main=return fib(15). *)
(* expect: 610 in 1974 calls *)
(* expect: main={s:=0;i:=10;while(i){s:=(s+(i*i));i:=(i-1);};return s;}. *)
(* expect: 385 in 1 calls *)
(* expect: error: line 3: unexpected ';' *)
(* expect: main={return (5/0);}. *)
(* expect: error: division by zero *)
(* expect: f=return f((n+1)).main=return f(0). *)
(* expect: error: too deep *)
(* expect: main=return y. *)
(* expect: error: undefined y *)
(* expect: main=return g(1). *)
(* expect: error: no function g *)
(* expect: error: a defined twice *)
(* expect: error: bad number 99999999999999999999 *)
(* expect: gcd={while(b){t:=(a%b);a:=b;b:=t;};return a;}.main={return (gcd(1071,462)-(0-3));}. *)
(* expect: 24 in 2 calls *)
(* expect: ok *)
