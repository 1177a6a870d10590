(* golden: run, -w *)
(* A variable may stand in its own initial value if its type does not depend on itself
   (language.md 4, 10.4). *)
UNSAFE MODULE Main;
IMPORT IO, Fmt, Word;
TYPE Rec = RECORD self: ADDRESS; n := 4 END; Ring = OBJECT next: Ring := NIL END; Func = PROCEDURE (a: ADDRESS): BOOLEAN;
PROCEDURE Same(a, b: ADDRESS): BOOLEAN = BEGIN RETURN a = b END Same;
PROCEDURE Of(a: ADDRESS): ADDRESS = BEGIN RETURN a END Of;
PROCEDURE Here(): ADDRESS = VAR a := ADR(a); BEGIN RETURN a END Here;
VAR
  size := BYTESIZE(size); a := ADR(a); r := Rec {ADR(r)}; b := Same(ADR(b), ADR(b)); o := Of(ADR(o)); w := Word.And(BITSIZE(w), 255);
  word := LOOPHOLE(ADR(word), INTEGER); c := VAL(BYTESIZE(c) + ORD('a'), CHAR); f := FLOAT(BITSIZE(f)); d := FLOAT(BYTESIZE(d), LONGREAL);
  eq := ADR(eq) = ADR(eq); neg := NOT eq AND ADR(neg) = NIL; t := Fmt.Int(BYTESIZE(t)) & "!"; i := TRUNC(FLOAT(BITSIZE(i), LONGREAL)); code := TYPECODE(Ring);
  ring := NEW(Ring, next := NIL); is := ISTYPE(ring, Ring) AND BYTESIZE(is) = 1; fn: Func := Both;
PROCEDURE Both(a: ADDRESS): BOOLEAN = BEGIN RETURN a # NIL END Both;
BEGIN
  IO.Put(Fmt.Int(size) & " " & Fmt.Bool(Here() # NIL) & Fmt.Bool(a = ADR(a)) & Fmt.Bool(r.self = ADR(r)) & Fmt.Bool(b) & Fmt.Bool(o = ADR(o)) & "\n");
  IO.Put(Fmt.Int(w) & " " & Fmt.Bool(word = LOOPHOLE(ADR(word), INTEGER)) & " " & Fmt.Char(c) & " " & Fmt.Real(f) & " " & Fmt.LongReal(d) & "\n");
  IO.Put(Fmt.Bool(eq) & Fmt.Bool(neg) & " " & t & " " & Fmt.Int(i) & Fmt.Bool(is) & Fmt.Bool(code # 0) & Fmt.Bool(fn(a)) & "\n");
END Main.
(* expect: 8 TRUETRUETRUETRUETRUE *)
(* expect: 64 TRUE b 32 8 *)
(* expect: TRUEFALSE 8! 64TRUETRUETRUE *)
