(* golden: run, with lib/Check, -w *)
(* Assignability, and every checked run-time error with its name
   (language.md 8.1, 8.2, 8.3, 8.4, 14.1, 23). *)
MODULE Main;
IMPORT Check, RuntimeError, Text, Thread;
TYPE
  Err = RuntimeError.T; S = [0..9]; Up = ['a'..'m']; Vec = ARRAY [0..2] OF INTEGER; Mat = ARRAY [0..1] OF Vec; Color = {Red, Green, Blue}; Warm = [Color.Red .. Color.Green];
  Ref = REF INTEGER; A = OBJECT f: S := 1; n: A METHODS m(s: S): S := M; no() END; B = A OBJECT END; C = A OBJECT c: INTEGER END; Rec = RECORD s: S := 0; v := Vec{0, ..}; r: Ref := NIL END; Proc = PROCEDURE (s: S): S; U = UNTRACED REF INTEGER;
EXCEPTION Ex(S); Arr(Vec); None; Pr(Proc); Ob(B);
VAR ten := 10; minus := -1; i: INTEGER; s: S; l: LONGINT; ls: [0L..9L]; w: Warm; up: Up; any: REFANY; a: A; b: B; v: Vec; m: Mat; open := NEW(REF ARRAY OF INTEGER, 4); open2 := NEW(REF ARRAY OF ARRAY OF INTEGER, 2, 2);
    p: Proc; nilp: Proc := NIL; set: SET OF S; r: Ref; rec: REF Rec; o: A; t: TEXT; card: CARDINAL; mu: MUTEX; zero := 0; ch := 'z'; wide := W'\x0100'; arr: ARRAY [0..2] OF S; k: CHAR; re: REAL; nan: LONGREAL; u: U; color := Color.Blue;

PROCEDURE M(self: A; s: S): S = BEGIN RETURN self.f + s END M;
PROCEDURE Take(s: S): S = BEGIN RETURN s END Take;
PROCEDURE TakeRo(READONLY s: S): S = BEGIN RETURN s END TakeRo;
PROCEDURE TakeV(READONLY v: Vec): INTEGER = BEGIN RETURN v[0] END TakeV;
PROCEDURE TakeVV(v: Vec): INTEGER = BEGIN RETURN v[0] END TakeVV;
PROCEDURE TakeVar(VAR v: Vec): INTEGER = BEGIN RETURN v[0] END TakeVar;
PROCEDURE TakeB(b: B): BOOLEAN = BEGIN RETURN b # NIL END TakeB;
PROCEDURE TakeP(p: Proc): S = BEGIN p := p; RETURN 1 END TakeP;
PROCEDURE Give(): S = BEGIN RETURN ten END Give;
PROCEDURE GiveB(): B = BEGIN RETURN a END GiveB;
PROCEDURE GiveV(): Vec = BEGIN RETURN open^ END GiveV;
PROCEDURE Function(x: INTEGER): INTEGER = BEGIN IF x > 100 THEN RETURN x END END Function;
PROCEDURE Blocks() RAISES {} = BEGIN RAISE None END Blocks;
PROCEDURE Deep(n: INTEGER): INTEGER = VAR a: ARRAY [0..99] OF INTEGER; BEGIN a[n MOD 100] := n; RETURN Deep(n + 1) + a[n MOD 50] END Deep;
PROCEDURE GiveLocal(): Proc = PROCEDURE L(s: S): S = BEGIN RETURN s END L; BEGIN RETURN L END GiveLocal;

(* 1 *)
PROCEDURE V1() = BEGIN s := ten END V1;  PROCEDURE V2() = BEGIN s := minus END V2;  PROCEDURE V3() = BEGIN EVAL Take(ten) END V3;  PROCEDURE V4() = BEGIN EVAL TakeRo(ten) END V4;
PROCEDURE V5() = BEGIN EVAL Give() END V5;  PROCEDURE V6() = BEGIN rec^ := Rec{s := ten} END V6;  PROCEDURE V7() = BEGIN arr := ARRAY [0..2] OF S{1, ten, 2} END V7;  PROCEDURE V8() = BEGIN set := SET OF S{ten} END V8;
PROCEDURE V9() = BEGIN s := VAL(ten, S) END V9;  PROCEDURE V10() = BEGIN w := VAL(2, Color) END V10;  PROCEDURE V11() = BEGIN s := 9; INC(s) END V11;  PROCEDURE V12() = BEGIN s := 0; DEC(s) END V12;
PROCEDURE V13() = BEGIN a := NEW(A, f := ten) END V13;  PROCEDURE V14() = BEGIN TRY RAISE Ex(ten) EXCEPT Ex => END END V14;  PROCEDURE V15() = BEGIN w := color END V15;  PROCEDURE V16() = BEGIN up := ch END V16;
PROCEDURE V17() = BEGIN k := wide END V17;  PROCEDURE V18() = BEGIN ls := VAL(ten, LONGINT) END V18;  PROCEDURE V19() = BEGIN card := minus END V19;  PROCEDURE V20() = BEGIN color := VAL(ten, Color) END V20;
PROCEDURE V21() = BEGIN EVAL a.m(ten) END V21;  PROCEDURE V22() = VAR x: S := ten; BEGIN s := x END V22;  PROCEDURE V23() = BEGIN set := SET OF S{2 .. ten} END V23;  PROCEDURE V24() = BEGIN rec.s := ten END V24;
PROCEDURE V25() = BEGIN a.f := Function(101) END V25;  PROCEDURE V26() = BEGIN WITH x = s DO x := ten END END V26;  PROCEDURE V27() = BEGIN k := VAL(300 + zero, CHAR) END V27;  PROCEDURE V28() = BEGIN k := VAL(minus, CHAR) END V28;
PROCEDURE V29() = BEGIN i := ORD(VAL(ten, BOOLEAN)) END V29;  PROCEDURE V30() = BEGIN s := 5; INC(s, LAST(INTEGER) - zero) END V30;  PROCEDURE V31() = BEGIN s := 5; DEC(s, FIRST(INTEGER) + zero) END V31;  PROCEDURE V32() = BEGIN color := Color.Red; DEC(color) END V32;
(* 2, 3, 4, 5 *)
PROCEDURE S1() = BEGIN v[ten] := 1 END S1;  PROCEDURE S2() = BEGIN i := v[minus] END S2;  PROCEDURE S3() = BEGIN open[4 + zero] := 1 END S3;  PROCEDURE S4() = BEGIN i := open2[1, 2 + zero] END S4;  PROCEDURE S5() = BEGIN i := m[2 + zero, 0] END S5;
PROCEDURE A1() = BEGIN WITH x = SUBARRAY(v, 2, 2 + zero) DO x[0] := 1 END END A1;  PROCEDURE A2() = BEGIN WITH x = SUBARRAY(v, minus, 2) DO x[0] := 1 END END A2;  PROCEDURE A3() = BEGIN WITH x = SUBARRAY(v, 1, minus) DO x[0] := 1 END END A3;  PROCEDURE A4() = BEGIN WITH x = SUBARRAY(open^, 2, LAST(INTEGER) - zero) DO x[0] := 1 END END A4;
PROCEDURE H1() = BEGIN v := open^ END H1;  PROCEDURE H2() = BEGIN open^ := v END H2;  PROCEDURE H3() = BEGIN EVAL TakeV(open^) END H3;  PROCEDURE H4() = BEGIN EVAL TakeVV(open^) END H4;  PROCEDURE H5() = BEGIN EVAL TakeVar(open^) END H5;  PROCEDURE H6() = BEGIN EVAL GiveV() END H6;
PROCEDURE H7() = BEGIN m := open2^ END H7;  PROCEDURE H8() = BEGIN SUBARRAY(open^, 0, 2) := SUBARRAY(open^, 0, 3) END H8;  PROCEDURE H9() = BEGIN open2^ := NEW(REF ARRAY OF ARRAY OF INTEGER, 2, 3)^ END H9;  PROCEDURE H10() = BEGIN rec^ := Rec{v := open^} END H10;
PROCEDURE H11() = BEGIN TRY RAISE Arr(open^) EXCEPT Arr => END END H11;  PROCEDURE H12() = BEGIN WITH x = ARRAY OF ARRAY OF INTEGER{open^, open2[0]} DO i := x[0, 0] END END H12;
PROCEDURE N1() = BEGIN open := NEW(REF ARRAY OF INTEGER, minus) END N1;  PROCEDURE N2() = BEGIN open2 := NEW(REF ARRAY OF ARRAY OF INTEGER, 2, minus) END N2;
(* 6, 7, 8, 9 *)
PROCEDURE D1() = BEGIN i := r^ END D1;  PROCEDURE D2() = BEGIN r^ := 1 END D2;  PROCEDURE D3() = BEGIN i := NARROW(any, REF Rec).s END D3;  PROCEDURE D4() = BEGIN i := o.f END D4;  PROCEDURE D5() = BEGIN o.n := o END D5;  PROCEDURE D6() = BEGIN i := o.m(1) END D6;  PROCEDURE D7() = BEGIN LOCK mu DO END END D7;
PROCEDURE D8() = VAR n: REF ARRAY OF INTEGER; BEGIN i := n[0] END D8;  PROCEDURE D9() = VAR n: REF ARRAY OF INTEGER; BEGIN i := NUMBER(n^) END D9;  PROCEDURE D10() = VAR n: REF Vec; BEGIN v := n^ END D10;  PROCEDURE D11() = BEGIN i := u^ END D11;  PROCEDURE D12() = VAR n: REF ARRAY [0..99999] OF INTEGER; BEGIN i := n[ten * 9000] END D12;
PROCEDURE D13() = BEGIN WITH x = r^ DO END END D13;  PROCEDURE C1() = BEGIN EVAL nilp(3) END C1;  PROCEDURE C2() = BEGIN p := nilp; EVAL p(4) END C2;  PROCEDURE M1() = BEGIN a.no() END M1;
PROCEDURE R1() = BEGIN b := a END R1;  PROCEDURE R2() = BEGIN any := NEW(Ref); a := any END R2;  PROCEDURE R3() = BEGIN EVAL TakeB(a) END R3;  PROCEDURE R4() = BEGIN EVAL GiveB() END R4;  PROCEDURE R5() = BEGIN EVAL NARROW(a, B) END R5;  PROCEDURE R6() = BEGIN any := NEW(REF CHAR); r := any END R6;
PROCEDURE R7() = VAR x: B := a; BEGIN b := x END R7;  PROCEDURE R8() = BEGIN a := NEW(C); b := a END R8;  PROCEDURE R9() = BEGIN TRY RAISE Ob(a) EXCEPT Ob => END END R9;  PROCEDURE R10() = BEGIN any := "text"; r := any END R10;  PROCEDURE R11() = BEGIN any := a; t := any END R11;
(* 10, 11, 12, 13, 14, 15, 16, 19 *)
PROCEDURE F1() = BEGIN EVAL Function(1) END F1;  PROCEDURE K1() = BEGIN CASE ten OF 1 => | 2 .. 9 => END END K1;  PROCEDURE K2() = BEGIN CASE color OF Color.Red => | Color.Green => END END K2;  PROCEDURE K3() = BEGIN CASE ten OF END END K3;
PROCEDURE Y1() = BEGIN TYPECASE any OF TEXT => END END Y1;  PROCEDURE Y2() = BEGIN TYPECASE any OF END END Y2;
PROCEDURE L1() = PROCEDURE In(s: S): S = BEGIN RETURN s END In; BEGIN p := In END L1;  PROCEDURE L2() = PROCEDURE In(s: S): S = BEGIN RETURN s END In; BEGIN EVAL TakeP(In) END L2;  PROCEDURE L3() = BEGIN EVAL GiveLocal() END L3;
PROCEDURE L4() = PROCEDURE In(s: S): S = BEGIN RETURN s END In; BEGIN TRY RAISE Pr(In) EXCEPT Pr => END END L4;  PROCEDURE L5() = PROCEDURE In(s: S): S = BEGIN RETURN s END In; BEGIN WITH x = ARRAY [0..0] OF Proc{In} DO i := x[0](1) END END L5;
PROCEDURE B1() = BEGIN Blocks() END B1;  PROCEDURE Z1() = BEGIN i := ten DIV zero END Z1;  PROCEDURE Z2() = BEGIN i := ten MOD zero END Z2;  PROCEDURE Z3() = BEGIN l := 5L MOD VAL(zero, LONGINT) END Z3;
PROCEDURE T1() = BEGIN <*ASSERT zero = 1*> END T1;  PROCEDURE T2() = BEGIN <*ASSERT zero = 1 WITH "message"*> END T2;  PROCEDURE O1() = BEGIN i := Deep(0) END O1;
PROCEDURE X1() = BEGIN i := ROUND(1.0e30 + FLOAT(zero)) END X1;  PROCEDURE X2() = BEGIN i := TRUNC(nan) END X2;
PROCEDURE W1() = BEGIN t := "a" & t END W1;  PROCEDURE W2() = BEGIN k := Text.GetChar("abc", 3 + zero) END W2;

(* Assignability and the run-time checks that it needs. *)
PROCEDURE Legal() =
  PROCEDURE Local(x: S): S = BEGIN RETURN x + s END Local;
  PROCEDURE Call(p: Proc; READONLY q: Proc): INTEGER = BEGIN RETURN p(1) * 10 + q(2) END Call;
  BEGIN
    s := 9; i := s; s := i; card := s; w := Color.Green; color := w; w := color; up := 'm'; ch := up; up := ch; k := W'a'; wide := k; Check.That(k = 'a' AND wide = W'a' AND up = 'm' AND w = Color.Green, "ordinals with common members");
    open := NEW(REF ARRAY OF INTEGER, 3); v := open^; open^ := v; m[1] := open^; Check.Int(TakeV(open^) + TakeVV(open^) + TakeVar(open^) + GiveV()[2], 0, "arrays of equal shape"); v := ARRAY OF INTEGER{1, 2, 3}; Check.Int(v[2], 3, "an open constructor");
    any := NEW(B); a := any; b := a; b := NARROW(a, B); Check.That(TakeB(a) AND b = any, "references"); any := NIL; r := any; a := any; Check.That(r = NIL AND NARROW(any, B) = NIL, "NIL is a member of all");
    s := 2; Check.Int(Call(Local, Local), 34, "local procedures as formals"); WITH x = Local DO Check.Int(x(1), 3, "WITH of a local procedure") END; Check.That(Take(3) = TakeRo(i - 6) AND ten IN set = FALSE AND s = i - 7, "operands");
    LOCK NEW(Thread.Mutex) DO i := 1 END; v := open^; SUBARRAY(v, 1, 2) := SUBARRAY(v, 0, 2); SUBARRAY(open^, 0, 0) := ARRAY OF INTEGER{}; rec.v := open^; rec^ := Rec{rec.s + 1, rec.v, r}; Check.Int(rec.s, 1, "constructors"); m := Mat{m[1], m[0]}; l := VAL(s, LONGINT); ls := l; Check.That(ls = 2L, "LONGINT");
    rec^ := Rec{s := i, v := Vec{rec.v[2], rec.v[1], rec.v[0]}}; v := Vec{7, 8, 9}; v := Vec{v[2], v[0], v[1]}; Check.Int(v[0] * 100 + v[1] * 10 + v[2], 978, "right side first");
  END Legal;

PROCEDURE Reset() =
  BEGIN s := 0; any := NEW(REF CHAR); a := NEW(A); b := NIL; open := NEW(REF ARRAY OF INTEGER, 4); open2 := NEW(REF ARRAY OF ARRAY OF INTEGER, 2, 2); rec := NEW(REF Rec); color := Color.Blue; set := SET OF S{}; ch := 'z'; wide := W'\x0100'; nan := 0.0d0; nan := nan / nan END Reset;

BEGIN
  Reset(); Check.Fails(V1, Err.ValueOutOfRange, "V1"); Reset(); Check.Fails(V2, Err.ValueOutOfRange, "V2"); Reset(); Check.Fails(V3, Err.ValueOutOfRange, "V3");
  Reset(); Check.Fails(V4, Err.ValueOutOfRange, "V4"); Reset(); Check.Fails(V5, Err.ValueOutOfRange, "V5"); Reset(); Check.Fails(V6, Err.ValueOutOfRange, "V6");
  Reset(); Check.Fails(V7, Err.ValueOutOfRange, "V7"); Reset(); Check.Fails(V8, Err.ValueOutOfRange, "V8"); Reset(); Check.Fails(V9, Err.ValueOutOfRange, "V9");
  Reset(); Check.Fails(V10, Err.ValueOutOfRange, "V10"); Reset(); Check.Fails(V11, Err.ValueOutOfRange, "V11"); Reset(); Check.Fails(V12, Err.ValueOutOfRange, "V12");
  Reset(); Check.Fails(V13, Err.ValueOutOfRange, "V13"); Reset(); Check.Fails(V14, Err.ValueOutOfRange, "V14"); Reset(); Check.Fails(V15, Err.ValueOutOfRange, "V15");
  Reset(); Check.Fails(V16, Err.ValueOutOfRange, "V16"); Reset(); Check.Fails(V17, Err.ValueOutOfRange, "V17"); Reset(); Check.Fails(V18, Err.ValueOutOfRange, "V18");
  Reset(); Check.Fails(V19, Err.ValueOutOfRange, "V19"); Reset(); Check.Fails(V20, Err.ValueOutOfRange, "V20"); Reset(); Check.Fails(V21, Err.ValueOutOfRange, "V21");
  Reset(); Check.Fails(V22, Err.ValueOutOfRange, "V22"); Reset(); Check.Fails(V23, Err.ValueOutOfRange, "V23"); Reset(); Check.Fails(V24, Err.ValueOutOfRange, "V24");
  Reset(); Check.Fails(V25, Err.ValueOutOfRange, "V25"); Reset(); Check.Fails(V26, Err.ValueOutOfRange, "V26"); Reset(); Check.Fails(V27, Err.ValueOutOfRange, "V27");
  Reset(); Check.Fails(V28, Err.ValueOutOfRange, "V28"); Reset(); Check.Fails(V29, Err.ValueOutOfRange, "V29"); Reset(); Check.Fails(V30, Err.ValueOutOfRange, "V30");
  Reset(); Check.Fails(V31, Err.ValueOutOfRange, "V31"); Reset(); Check.Fails(V32, Err.ValueOutOfRange, "V32"); Reset(); Check.Fails(S1, Err.SubscriptOutOfRange, "S1");
  Reset(); Check.Fails(S2, Err.SubscriptOutOfRange, "S2"); Reset(); Check.Fails(S3, Err.SubscriptOutOfRange, "S3"); Reset(); Check.Fails(S4, Err.SubscriptOutOfRange, "S4");
  Reset(); Check.Fails(S5, Err.SubscriptOutOfRange, "S5"); Reset(); Check.Fails(A1, Err.ValueOutOfRange, "A1"); Reset(); Check.Fails(A2, Err.ValueOutOfRange, "A2");
  Reset(); Check.Fails(A3, Err.ValueOutOfRange, "A3"); Reset(); Check.Fails(A4, Err.ValueOutOfRange, "A4"); Reset(); Check.Fails(H1, Err.IncompatibleArrayShape, "H1");
  Reset(); Check.Fails(H2, Err.IncompatibleArrayShape, "H2"); Reset(); Check.Fails(H3, Err.IncompatibleArrayShape, "H3"); Reset(); Check.Fails(H4, Err.IncompatibleArrayShape, "H4");
  Reset(); Check.Fails(H5, Err.IncompatibleArrayShape, "H5"); Reset(); Check.Fails(H6, Err.IncompatibleArrayShape, "H6"); Reset(); Check.Fails(H7, Err.IncompatibleArrayShape, "H7");
  Reset(); Check.Fails(H8, Err.IncompatibleArrayShape, "H8"); Reset(); Check.Fails(H9, Err.IncompatibleArrayShape, "H9"); Reset(); Check.Fails(H10, Err.IncompatibleArrayShape, "H10");
  Reset(); Check.Fails(H11, Err.IncompatibleArrayShape, "H11"); Reset(); Check.Fails(H12, Err.IncompatibleArrayShape, "H12"); Reset(); Check.Fails(N1, Err.ValueOutOfRange, "N1");
  Reset(); Check.Fails(N2, Err.ValueOutOfRange, "N2"); Reset(); Check.Fails(D1, Err.BadMemoryReference, "D1"); Reset(); Check.Fails(D2, Err.BadMemoryReference, "D2");
  Reset(); any := NIL; Check.Fails(D3, Err.BadMemoryReference, "D3"); Reset(); Check.Fails(D4, Err.BadMemoryReference, "D4"); Reset(); Check.Fails(D5, Err.BadMemoryReference, "D5");
  Reset(); Check.Fails(D6, Err.BadMemoryReference, "D6"); Reset(); Check.Fails(D7, Err.BadMemoryReference, "D7"); Reset(); Check.Fails(D8, Err.BadMemoryReference, "D8");
  Reset(); Check.Fails(D9, Err.BadMemoryReference, "D9"); Reset(); Check.Fails(D10, Err.BadMemoryReference, "D10"); Reset(); Check.Fails(D11, Err.BadMemoryReference, "D11");
  Reset(); Check.Fails(D12, Err.BadMemoryReference, "D12"); Reset(); Check.Fails(D13, Err.BadMemoryReference, "D13"); Reset(); Check.Fails(C1, Err.BadMemoryReference, "C1");
  Reset(); Check.Fails(C2, Err.BadMemoryReference, "C2"); Reset(); Check.Fails(M1, Err.UndefinedMethod, "M1"); Reset(); Check.Fails(R1, Err.NarrowFailed, "R1");
  Reset(); Check.Fails(R2, Err.NarrowFailed, "R2"); Reset(); Check.Fails(R3, Err.NarrowFailed, "R3"); Reset(); Check.Fails(R4, Err.NarrowFailed, "R4");
  Reset(); Check.Fails(R5, Err.NarrowFailed, "R5"); Reset(); Check.Fails(R6, Err.NarrowFailed, "R6"); Reset(); Check.Fails(R7, Err.NarrowFailed, "R7");
  Reset(); Check.Fails(R8, Err.NarrowFailed, "R8"); Reset(); Check.Fails(R9, Err.NarrowFailed, "R9"); Reset(); Check.Fails(R10, Err.NarrowFailed, "R10");
  Reset(); Check.Fails(R11, Err.NarrowFailed, "R11"); Reset(); Check.Fails(F1, Err.NoReturnValue, "F1"); Reset(); Check.Fails(K1, Err.UnhandledCase, "K1");
  Reset(); Check.Fails(K2, Err.UnhandledCase, "K2"); Reset(); Check.Fails(K3, Err.UnhandledCase, "K3"); Reset(); Check.Fails(Y1, Err.UnhandledTypecase, "Y1");
  Reset(); Check.Fails(Y2, Err.UnhandledTypecase, "Y2"); Reset(); Check.Fails(L1, Err.NarrowFailed, "L1"); Reset(); Check.Fails(L2, Err.NarrowFailed, "L2");
  Reset(); Check.Fails(L3, Err.NarrowFailed, "L3"); Reset(); Check.Fails(L4, Err.NarrowFailed, "L4"); Reset(); Check.Fails(L5, Err.NarrowFailed, "L5");
  Reset(); Check.Fails(B1, Err.BlockedException, "B1"); Reset(); Check.Fails(Z1, Err.IntegerDivideByZero, "Z1"); Reset(); Check.Fails(Z2, Err.IntegerDivideByZero, "Z2");
  Reset(); Check.Fails(Z3, Err.IntegerDivideByZero, "Z3"); Reset(); Check.Fails(T1, Err.AssertFailed, "T1"); Reset(); Check.Fails(T2, Err.AssertFailed, "T2");
  Reset(); Check.Fails(O1, Err.StackOverflow, "O1"); Reset(); Check.Fails(X1, Err.ValueOutOfRange, "X1"); Reset(); Check.Fails(X2, Err.ValueOutOfRange, "X2");
  Reset(); Check.Fails(W1, Err.BadMemoryReference, "W1"); Reset(); Check.Fails(W2, Err.SubscriptOutOfRange, "W2");
  Reset(); any := NIL; r := NIL; Check.Fails(D1, Err.BadMemoryReference, "r^ after all");
  Reset(); Legal();
  Check.Done();
END Main.
(* expect: all checks hold *)
