(* golden: run *)
(* Records by value to and from C lie in registers as C's structs do; a callback's int is 32 bits. *)
(* unit: CLib.i3 *)
UNSAFE INTERFACE CLib;
TYPE
  Int = [-16_80000000 .. 16_7fffffff];
  DivT = RECORD quot, rem: Int END;
  LDivT = RECORD quot, rem: INTEGER END;
  InAddr = RECORD s: [0 .. 16_FFFFFFFF] END;
<*EXTERNAL div*> PROCEDURE Div(a, b: Int): DivT;
<*EXTERNAL ldiv*> PROCEDURE LDiv(a, b: INTEGER): LDivT;
<*EXTERNAL inet_lnaof*> PROCEDURE HostPart(a: InAddr): [0 .. 16_FFFFFFFF];
<*EXTERNAL inet_makeaddr*> PROCEDURE MakeAddress(net, host: [0 .. 16_FFFFFFFF]): InAddr;
<*EXTERNAL qsort*> PROCEDURE Sort(base: ADDRESS; n, size: INTEGER;
                                  compare: PROCEDURE (a, b: ADDRESS): Int);
<*EXTERNAL abs*> PROCEDURE Abs(i: Int): Int;
END CLib.
(* unit: Main.m3 *)
UNSAFE MODULE Main;
IMPORT CLib, Fmt, IO;
VAR
  a := ARRAY [0..4] OF INTEGER {5, 3, 9, -1, 7};
  divide := CLib.LDiv;
  absolute := CLib.Abs;
PROCEDURE Compare (x, y: ADDRESS): CLib.Int =
  BEGIN
    RETURN LOOPHOLE(x, UNTRACED REF INTEGER)^ - LOOPHOLE(y, UNTRACED REF INTEGER)^
  END Compare;
PROCEDURE Put (i: INTEGER) =
  BEGIN
    IO.Put(" " & Fmt.Int(i))
  END Put;
BEGIN
  WITH d = CLib.Div(-17, 5) DO Put(d.quot); Put(d.rem) END;
  WITH d = CLib.LDiv(17, -5) DO Put(d.quot); Put(d.rem) END;
  WITH d = divide(23, 7) DO Put(d.quot); Put(d.rem) END;
  Put(CLib.HostPart(CLib.MakeAddress(10, 66051)));
  Put(absolute(-7));
  IO.Put("\n");
  CLib.Sort(ADR(a[0]), NUMBER(a), BYTESIZE(INTEGER), Compare);
  FOR i := 0 TO 4 DO Put(a[i]) END;
  IO.Put("\n")
END Main.
(* expect:  -3 -2 -3 2 3 2 66051 7 *)
(* expect:  -1 3 5 7 9 *)
