(* golden: run, with lib/Out, -w *)
(* One feature a unit: packed fields of every width (language.md 5.6). *)

(* unit: TryPackedWidths.i3 *)
INTERFACE TryPackedWidths;
PROCEDURE Run();
END TryPackedWidths.

(* unit: TryPackedWidths.m3 *)
MODULE TryPackedWidths;
IMPORT IO, Fmt;
FROM Out IMPORT P, B, T;
TYPE R = RECORD f1: BITS 1 FOR [0..1]; f2: BITS 2 FOR [0..3]; f3: BITS 3 FOR [0..7];
f4: BITS 4 FOR [0..15]; f5: BITS 5 FOR [0..31]; f6: BITS 6 FOR [0..63]; f7: BITS 7 FOR [0..127];
f8: BITS 8 FOR [0..255]; f9: BITS 9 FOR [0..511]; f10: BITS 10 FOR [0..1023];
f11: BITS 11 FOR [0..2047]; f12: BITS 12 FOR [0..4095]; f13: BITS 13 FOR [0..8191];
f14: BITS 14 FOR [0..16383]; f15: BITS 15 FOR [0..32767]; f16: BITS 16 FOR [0..65535];
f17: BITS 17 FOR [0..131071]; f18: BITS 18 FOR [0..262143]; f19: BITS 19 FOR [0..524287];
f20: BITS 20 FOR [0..1048575]; f21: BITS 21 FOR [0..2097151]; f22: BITS 22 FOR [0..4194303];
f23: BITS 23 FOR [0..8388607]; f24: BITS 24 FOR [0..16777215]; f25: BITS 25 FOR [0..33554431];
f26: BITS 26 FOR [0..67108863]; f27: BITS 27 FOR [0..134217727]; f28: BITS 28 FOR [0..268435455];
f29: BITS 29 FOR [0..536870911]; f30: BITS 30 FOR [0..1073741823]; f31: BITS 31 FOR [0..2147483647];
f32: BITS 32 FOR [0..4294967295]; END; VAR r, q: R;
PROCEDURE Run() =
  BEGIN
    r.f1 := 1; r.f2 := 3; r.f3 := 7; r.f4 := 15; r.f5 := 31; r.f6 := 63; r.f7 := 127; r.f8 := 255;
    r.f9 := 511; r.f10 := 1023; r.f11 := 2047; r.f12 := 4095; r.f13 := 8191; r.f14 := 16383;
    r.f15 := 32767; r.f16 := 65535; r.f17 := 131071; r.f18 := 262143; r.f19 := 524287; r.f20 := 1048575;
    r.f21 := 2097151; r.f22 := 4194303; r.f23 := 8388607; r.f24 := 16777215; r.f25 := 33554431;
    r.f26 := 67108863; r.f27 := 134217727; r.f28 := 268435455; r.f29 := 536870911; r.f30 := 1073741823;
    r.f31 := 2147483647; r.f32 := 4294967295; q := r; r.f1 := 1; r.f3 := 7; r.f5 := 25; r.f7 := 35;
    r.f9 := 45; r.f11 := 55; r.f13 := 65; r.f15 := 75; r.f17 := 85; r.f19 := 95; r.f21 := 105;
    r.f23 := 115; r.f25 := 125; r.f27 := 135; r.f29 := 145; r.f31 := 155; P(r.f1 + q.f1);
     P(r.f2 + q.f2);  P(r.f3 + q.f3);  P(r.f4 + q.f4);  P(r.f5 + q.f5);  P(r.f6 + q.f6);
     P(r.f7 + q.f7);  P(r.f8 + q.f8);  P(r.f9 + q.f9);  P(r.f10 + q.f10);  P(r.f11 + q.f11);
     P(r.f12 + q.f12);  P(r.f13 + q.f13);  P(r.f14 + q.f14);  P(r.f15 + q.f15);  P(r.f16 + q.f16);
     P(r.f17 + q.f17);  P(r.f18 + q.f18);  P(r.f19 + q.f19);  P(r.f20 + q.f20);  P(r.f21 + q.f21);
     P(r.f22 + q.f22);  P(r.f23 + q.f23);  P(r.f24 + q.f24);  P(r.f25 + q.f25);  P(r.f26 + q.f26);
     P(r.f27 + q.f27);  P(r.f28 + q.f28);  P(r.f29 + q.f29);  P(r.f30 + q.f30);  P(r.f31 + q.f31);
     P(r.f32 + q.f32)
  END Run;
BEGIN
END TryPackedWidths.
(* expect: 2 *)
(* expect: 6 *)
(* expect: 14 *)
(* expect: 30 *)
(* expect: 56 *)
(* expect: 126 *)
(* expect: 162 *)
(* expect: 510 *)
(* expect: 556 *)
(* expect: 2046 *)
(* expect: 2102 *)
(* expect: 8190 *)
(* expect: 8256 *)
(* expect: 32766 *)
(* expect: 32842 *)
(* expect: 131070 *)
(* expect: 131156 *)
(* expect: 524286 *)
(* expect: 524382 *)
(* expect: 2097150 *)
(* expect: 2097256 *)
(* expect: 8388606 *)
(* expect: 8388722 *)
(* expect: 33554430 *)
(* expect: 33554556 *)
(* expect: 134217726 *)
(* expect: 134217862 *)
(* expect: 536870910 *)
(* expect: 536871056 *)
(* expect: 2147483646 *)
(* expect: 2147483802 *)
(* expect: 8589934590 *)

(* unit: TryPackedSigned.i3 *)
INTERFACE TryPackedSigned;
PROCEDURE Run();
END TryPackedSigned.

(* unit: TryPackedSigned.m3 *)
MODULE TryPackedSigned;
IMPORT IO, Fmt;
FROM Out IMPORT P, B, T;
TYPE R = RECORD s2: BITS 2 FOR [-2..1]; s5: BITS 5 FOR [-16..15]; s8: BITS 8 FOR [-128..127];
s11: BITS 11 FOR [-1024..1023]; s14: BITS 14 FOR [-8192..8191]; s17: BITS 17 FOR [-65536..65535];
s20: BITS 20 FOR [-524288..524287]; s23: BITS 23 FOR [-4194304..4194303];
s26: BITS 26 FOR [-33554432..33554431]; s29: BITS 29 FOR [-268435456..268435455];
s32: BITS 32 FOR [-2147483648..2147483647]; END; VAR r: R;
PROCEDURE Run() =
  BEGIN
    r.s2 := -2; r.s5 := -16; r.s8 := -128; r.s11 := -1024; r.s14 := -8192; r.s17 := -65536;
    r.s20 := -524288; r.s23 := -4194304; r.s26 := -33554432; r.s29 := -268435456; r.s32 := -2147483648;
    INC(r.s2); P(r.s2);  INC(r.s5); P(r.s5);  INC(r.s8); P(r.s8);  INC(r.s11); P(r.s11);  INC(r.s14);
    P(r.s14);  INC(r.s17); P(r.s17);  INC(r.s20); P(r.s20);  INC(r.s23); P(r.s23);  INC(r.s26);
    P(r.s26);  INC(r.s29); P(r.s29);  INC(r.s32); P(r.s32)
  END Run;
BEGIN
END TryPackedSigned.
(* expect: -1 *)
(* expect: -15 *)
(* expect: -127 *)
(* expect: -1023 *)
(* expect: -8191 *)
(* expect: -65535 *)
(* expect: -524287 *)
(* expect: -4194303 *)
(* expect: -33554431 *)
(* expect: -268435455 *)
(* expect: -2147483647 *)

(* unit: TryPackedArray.i3 *)
INTERFACE TryPackedArray;
PROCEDURE Run();
END TryPackedArray.

(* unit: TryPackedArray.m3 *)
MODULE TryPackedArray;
IMPORT IO, Fmt;
FROM Out IMPORT P, B, T;
TYPE A3 = ARRAY [0..20] OF BITS 3 FOR [0..7]; A1 = ARRAY [0..99] OF BITS 1 FOR BOOLEAN; VAR a: A3;
b: A1; s := 0;
PROCEDURE Run() =
  BEGIN
    FOR i:=0 TO 20 DO a[i] := i MOD 8 END; FOR i := 0 TO 20 DO s := s + a[i]*i END; P(s);
    FOR i:=0 TO 99 DO b[i] := i MOD 3 = 0 END; s := 0; FOR i:=0 TO 99 DO IF b[i] THEN INC(s) END END;
    P(s); P(BITSIZE(A1)); P(BYTESIZE(A1))
  END Run;
BEGIN
END TryPackedArray.
(* expect: 694 *)
(* expect: 34 *)
(* expect: 128 *)
(* expect: 16 *)

(* unit: TryPackedEnumSet.i3 *)
INTERFACE TryPackedEnumSet;
PROCEDURE Run();
END TryPackedEnumSet.

(* unit: TryPackedEnumSet.m3 *)
MODULE TryPackedEnumSet;
IMPORT IO, Fmt;
FROM Out IMPORT P, B, T;
TYPE E={a,b,c}; R = RECORD e: BITS 2 FOR E; s: BITS 3 FOR SET OF E; c: BITS 7 FOR [0..99];
d: BITS 20 FOR [-500000..500000] END; VAR r := R{E.c, SET OF E{E.a,E.c}, 77, -499999};
a: ARRAY [0..2] OF R;
PROCEDURE Run() =
  BEGIN
    P(ORD(r.e)); B(E.b IN r.s); B(E.c IN r.s); P(r.c); P(r.d); P(BITSIZE(R)); a[1] := r;
    r.s := r.s + SET OF E{E.b}; DEC(r.d); P(r.d); B(E.b IN r.s); B(E.b IN a[1].s); P(a[1].d)
  END Run;
BEGIN
END TryPackedEnumSet.
(* expect: 2 *)
(* expect: FALSE *)
(* expect: TRUE *)
(* expect: 77 *)
(* expect: -499999 *)
(* expect: 32 *)
(* expect: -500000 *)
(* expect: TRUE *)
(* expect: FALSE *)
(* expect: -499999 *)

(* unit: TryPackedReadonly.i3 *)
INTERFACE TryPackedReadonly;
PROCEDURE Run();
END TryPackedReadonly.

(* unit: TryPackedReadonly.m3 *)
MODULE TryPackedReadonly;
IMPORT IO, Fmt;
FROM Out IMPORT P, B, T;
VAR r: RECORD a: BITS 5 FOR [0..31]; b: BITS 3 FOR [0..7] END; PROCEDURE Q(READONLY x: INTEGER;
y: INTEGER): INTEGER = BEGIN RETURN x*100+y END Q;
PROCEDURE Run() =
  BEGIN
    r.a := 31; r.b := 6; P(Q(r.a, r.b)); WITH z = r.a DO P(z) END; P(MAX(r.a, r.b));
    FOR i := r.b TO 7 DO P(i) END; CASE r.b OF 6 => P(1) ELSE P(2) END
  END Run;
BEGIN
END TryPackedReadonly.
(* expect: 3106 *)
(* expect: 31 *)
(* expect: 31 *)
(* expect: 6 *)
(* expect: 7 *)
(* expect: 1 *)

(* unit: TryPackedNested.i3 *)
INTERFACE TryPackedNested;
PROCEDURE Run();
END TryPackedNested.

(* unit: TryPackedNested.m3 *)
MODULE TryPackedNested;
IMPORT IO, Fmt;
FROM Out IMPORT P, B, T;
TYPE I = RECORD x: BITS 3 FOR [0..7]; y: BITS 5 FOR [0..31] END; O = RECORD a: BITS 8 FOR I;
b: BITS 8 FOR CHAR; c: ARRAY [0..1] OF I END; VAR o: O;
PROCEDURE Run() =
  BEGIN
    o.a.x := 5; o.a.y := 17; o.b := 'q'; o.c[1].y := 30; o.c[0] := o.a; P(o.c[0].x); P(o.c[0].y);
    P(o.c[1].y); T(Fmt.Char(o.b)); P(BYTESIZE(O))
  END Run;
BEGIN
END TryPackedNested.
(* expect: 5 *)
(* expect: 17 *)
(* expect: 30 *)
(* expect: q *)
(* expect: 4 *)

(* unit: Main.m3 *)
MODULE Main;
IMPORT TryPackedWidths, TryPackedSigned, TryPackedArray, TryPackedEnumSet, TryPackedReadonly, TryPackedNested;
BEGIN
  TryPackedWidths.Run();
  TryPackedSigned.Run();
  TryPackedArray.Run();
  TryPackedEnumSet.Run();
  TryPackedReadonly.Run();
  TryPackedNested.Run();
END Main.
