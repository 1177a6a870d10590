MODULE Expr EXPORTS Expr, ExprF;
IMPORT Rd, Wr, Thread, AtomList, Atom, Lex, FloatMode, Fmt, Text, Stdio;
FROM Fmt IMPORT LongReal;
TYPE
  RealNum = Num OBJECT OVERRIDES eval := EvalNum; print := PrintNum END;
  RealBin = Bin OBJECT OVERRIDES eval := EvalBin; print := PrintBin END;
CONST
  Digits = SET OF CHAR {'0' .. '9'};
  Letters = SET OF CHAR {'a' .. 'z', 'A'..'Z', '_'} + Digits - SET OF CHAR{};
  Blank = Lex.Blanks;
VAR divZero := Atom.FromText("divide by zero");
PROCEDURE Parse(rd: Rd.T): T RAISES {E, Rd.Failure, Thread.Alerted} =
  VAR c: CHAR := '\000'; done := FALSE;
  PROCEDURE Next() RAISES {Rd.Failure, Thread.Alerted} =
    BEGIN
      TRY REPEAT c := Rd.GetChar(rd) UNTIL NOT c IN Blank EXCEPT Rd.EndOfFile => done := TRUE; c := '\000' END
    END Next;
  PROCEDURE Err(msg: TEXT) RAISES {E} =
    BEGIN RAISE E(NEW(Error, msg := msg, where := Rd.Index(rd))) END Err;
  PROCEDURE Factor(): T RAISES {E, Rd.Failure, Thread.Alerted} =
    VAR res: T;
    BEGIN
      CASE c OF
      | '0' .. '9', '.' =>
          Rd.UnGetChar(rd);
          TRY res := NEW(RealNum, val := Lex.LongReal(rd))
          EXCEPT Lex.Error => Err("bad number") | FloatMode.Trap => Err("overflow") END;
          Next()
      | '(' => Next(); res := Sum(); IF c # ')' THEN Err("')' expected") END; Next();
      | '-' => Next(); res := NEW(RealBin, op := Op.Neg, l := Factor(), r := NIL)
      | '\000' => Err("unexpected end")
      ELSE
        IF c IN Letters THEN Err("no variables: " & Text.FromChar(c)) ELSE Err("bad character") END
      END;
      RETURN res
    END Factor;
  PROCEDURE Term(): T RAISES {E, Rd.Failure, Thread.Alerted} =
    VAR t := Factor(); op: Op;
    BEGIN
      WHILE c = '*' OR c = '/' DO
        IF c = '*' THEN op := Op.Mul ELSE op := Op.Div END;
        Next(); t := NEW(RealBin, op := op, l := t, r := Factor())
      END;
      RETURN t
    END Term;
  PROCEDURE Sum(): T RAISES {E, Rd.Failure, Thread.Alerted} =
    VAR t := Term();
    BEGIN
      LOOP
        CASE c OF
        | '+', '-' => VAR op := VAL(ORD(c = '-'), Op); BEGIN Next(); t := NEW(RealBin, op := op, l := t, r := Term()) END
        ELSE RETURN t
        END
      END
    END Sum;
  BEGIN
    Next();
    WITH t = Sum() DO IF NOT done THEN Err("trailing garbage") END; RETURN t END
  END Parse;
PROCEDURE Eval(t: T): LONGREAL RAISES {Bad} = BEGIN RETURN t.eval() END Eval;
PROCEDURE Print(t: T; wr: Wr.T) RAISES {Wr.Failure, Thread.Alerted} = BEGIN t.print(wr) END Print;
PROCEDURE EvalNum(n: RealNum): LONGREAL RAISES {} = BEGIN RETURN n.val END EvalNum;
PROCEDURE PrintNum(n: RealNum; wr: Wr.T) RAISES {Wr.Failure, Thread.Alerted} =
  BEGIN Wr.PutText(wr, LongReal(n.val)) END PrintNum;
PROCEDURE EvalBin(n: RealBin): LONGREAL RAISES {Bad} =
  VAR l, r := 0.0D0;
  BEGIN
    l := n.l.eval(); IF n.r # NIL THEN r := n.r.eval() END;
    CASE n.op OF <*NOWARN*>
    | Op.Add => RETURN l + r
    | Op.Sub => RETURN l - r
    | Op.Mul => RETURN l * r
    | Op.Div => IF r = 0.0D0 THEN RAISE Bad(AtomList.List1(divZero)) END; RETURN l / r
    | Op.Neg => RETURN -l
    END
  END EvalBin;
PROCEDURE PrintBin(n: RealBin; wr: Wr.T) RAISES {Wr.Failure, Thread.Alerted} =
  BEGIN
    Wr.PutChar(wr, '(');
    IF n.r = NIL THEN Wr.PutText(wr, OpName[n.op]); n.l.print(wr)
    ELSE n.l.print(wr); Wr.PutText(wr, OpName[n.op]); n.r.print(wr) END;
    Wr.PutChar(wr, ')')
  END PrintBin;
BEGIN
  <*ASSERT Stdio.stdin # NIL*>
END Expr.
