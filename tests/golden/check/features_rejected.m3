(* golden: check, with lib/Out, -w *)
(* Programs that are wrong in one place each, a unit for each (language.md 24). *)

(* unit: TryForStepIntLong.m3 *)
MODULE TryForStepIntLong;
IMPORT IO, Fmt;
FROM Out IMPORT P, B;

BEGIN
FOR i := 1L TO 3L BY 1 DO END
(* expect-error above: BY of this FOR needs a LONGINT, not INTEGER; write 1L instead of 1 (17) *)
END TryForStepIntLong.

(* unit: TryCaseDup.m3 *)
MODULE TryCaseDup;
IMPORT IO, Fmt;
FROM Out IMPORT P, B;
VAR x := 3;
BEGIN
CASE x OF 1..3 => P(1) | 2 => P(2) ELSE END
(* expect-error above: the labels of CASE overlap (14.13) *)
END TryCaseDup.

(* unit: TryPackedVarRej.m3 *)
MODULE TryPackedVarRej;
IMPORT IO, Fmt;
FROM Out IMPORT P, B;
VAR r: RECORD a: BITS 4 FOR [0..15]; b: BITS 8 FOR CHAR END; PROCEDURE Q(VAR x: [0..15]) = BEGIN INC(x) END Q;
BEGIN
Q(r.a)
(* expect-error above: formal x of Q is VAR and needs a variable of exactly type [0..15], not BITS 4 FOR [0..15]; declare r.a as [0..15], or give a variable of that type and copy the value back: r.a := x (11.4) *)
END TryPackedVarRej.

(* unit: TryWithRoRej.m3 *)
MODULE TryWithRoRej;
IMPORT IO, Fmt;
FROM Out IMPORT P, B;

BEGIN
WITH s = 3+4 DO s := 5 END
(* expect-error above: s is readonly: WITH s names a value, not a variable; a copy can be changed: VAR s := ... BEGIN ... END (15.2) *)
END TryWithRoRej.

(* unit: TryWithFnRej.m3 *)
MODULE TryWithFnRej;
IMPORT IO, Fmt;
FROM Out IMPORT P, B;
TYPE R=RECORD x: INTEGER END; PROCEDURE F(): R = VAR r: R; BEGIN RETURN r END F;
BEGIN
WITH r=F() DO r.x := 1 END
(* expect-error above: r.x is readonly: WITH r names a value, not a variable; a copy can be changed: VAR r := ... BEGIN ... END (15.2) *)
END TryWithFnRej.

(* unit: TryReadonlyRej.m3 *)
MODULE TryReadonlyRej;
IMPORT IO, Fmt;
FROM Out IMPORT P, B;
PROCEDURE Q(READONLY x: INTEGER) = BEGIN x := 1 END Q;
(* expect-error above: x is readonly: x is a READONLY formal; VAR lets the procedure change the caller's variable; VALUE gives the procedure a copy (15.2) *)
BEGIN
Q(1)
END TryReadonlyRej.

(* unit: TryVarTypeRej.m3 *)
MODULE TryVarTypeRej;
IMPORT IO, Fmt;
FROM Out IMPORT P, B;
VAR c: CARDINAL; PROCEDURE Q(VAR x: INTEGER) = BEGIN x := 1 END Q;
BEGIN
Q(c)
(* expect-error above: formal x of Q is VAR and needs a variable of exactly type INTEGER, not CARDINAL; declare c as INTEGER, or give a variable of that type and copy the value back: c := x (11.4) *)
END TryVarTypeRej.

(* unit: TryVarConstRej.m3 *)
MODULE TryVarConstRej;
IMPORT IO, Fmt;
FROM Out IMPORT P, B;
PROCEDURE Q(VAR x: INTEGER) = BEGIN x := 1 END Q;
BEGIN
Q(3)
(* expect-error above: formal x of Q is VAR and needs a variable; give the value to a variable first: VAR x: INTEGER := 3 (11.4) *)
END TryVarConstRej.

(* unit: TryRaisesRej.m3 *)
MODULE TryRaisesRej;
IMPORT IO, Fmt;
FROM Out IMPORT P, B;
EXCEPTION E; PROCEDURE Q() RAISES {E} = BEGIN RAISE E END Q; VAR v: PROCEDURE() := Q;
(* expect-error above: PROCEDURE () RAISES {TryRaisesRej.E} is not assignable to PROCEDURE (), the type of v; it may raise TryRaisesRej.E, which is not expected here: handle it inside (8.1) *)
BEGIN
v()
END TryRaisesRej.

(* unit: TryObjOverrideRej.m3 *)
MODULE TryObjOverrideRej;
IMPORT IO, Fmt;
FROM Out IMPORT P, B;
TYPE A=OBJECT METHODS f() END; Bt=A OBJECT y: INTEGER OVERRIDES f := Q END; PROCEDURE Q(b: Bt) = BEGIN b.y := 1 END Q; TYPE C = A OBJECT OVERRIDES f := Q END;
(* expect-error above: Q cannot be method f: its first formal must be a VALUE of a supertype of TryObjOverrideRej.C, and Q has (b: TryObjOverrideRej.Bt); the first formal is the object: Q(self: C; ...) (5.10) *)
BEGIN
EVAL NEW(C)
END TryObjOverrideRej.

(* unit: TryObjMethodValueRej.m3 *)
MODULE TryObjMethodValueRej;
IMPORT IO, Fmt;
FROM Out IMPORT P, B;
TYPE A=OBJECT METHODS f() := F END; PROCEDURE F(<*UNUSED*>a: A) = BEGIN END F; VAR a := NEW(A); p: PROCEDURE() := a.f;
(* expect-error above: a method of an object can only be called; call it with (): a.f() (12.1) *)
BEGIN
p()
END TryObjMethodValueRej.

(* unit: TryLongMixRej.m3 *)
MODULE TryLongMixRej;
IMPORT IO, Fmt;
FROM Out IMPORT P, B;
VAR a := 1; b := 2L;
BEGIN
a := a + b
(* expect-error above: + does not apply to INTEGER and LONGINT; write VAL(a, LONGINT) (16) *)
END TryLongMixRej.

(* unit: TryLoopholeSizeRej.m3 *)
UNSAFE MODULE TryLoopholeSizeRej;
IMPORT IO, Fmt;
FROM Out IMPORT P, B;
VAR i: INTEGER; c: CHAR;
BEGIN
c := LOOPHOLE(i,CHAR)
(* expect-error above: the sizes differ: INTEGER has 64 bits, CHAR has 8 (22.5) *)
END TryLoopholeSizeRej.

(* unit: TrySafeRej1.m3 *)
MODULE TrySafeRej1;
IMPORT IO, Fmt;
FROM Out IMPORT P, B;
VAR a: ADDRESS; i: INTEGER;
BEGIN
a := ADR(i)
(* expect-error above: ADR is possible only in UNSAFE units; a VAR formal takes the variable itself, without ADR; NEW makes references (22.3) *)
END TrySafeRej1.

(* unit: TrySafeRej2.m3 *)
MODULE TrySafeRej2;
IMPORT IO, Fmt;
FROM Out IMPORT P, B;
VAR a: REF INTEGER; i: INTEGER;
BEGIN
i := LOOPHOLE(a,INTEGER)
(* expect-error above: LOOPHOLE is possible only in UNSAFE units; write UNSAFE in front of MODULE if the unit must do this (22.3) *)
END TrySafeRej2.

(* unit: TryEnumSubVarRej.m3 *)
MODULE TryEnumSubVarRej;
IMPORT IO, Fmt;
FROM Out IMPORT P, B;
PROCEDURE Q(VAR b: BOOLEAN) = BEGIN b := TRUE END Q; VAR c: [FALSE..TRUE];
BEGIN
Q(c)
(* expect-error above: formal b of Q is VAR and needs a variable of exactly type BOOLEAN, not [BOOLEAN.FALSE..BOOLEAN.TRUE]; declare c as BOOLEAN, or give a variable of that type and copy the value back: c := b (11.4) *)
END TryEnumSubVarRej.

(* unit: TryRelChainRej.m3 *)
MODULE TryRelChainRej;
IMPORT IO, Fmt;
FROM Out IMPORT P, B;
VAR x := 3;
BEGIN
B(0 <= x <= 9)
(* expect-error above: <= does not compare BOOLEAN and INTEGER; two comparisons are joined with AND: 0 <= x AND x <= 9 (16.4) *)
END TryRelChainRej.

(* unit: TryRealMixRej.m3 *)
MODULE TryRealMixRej;
IMPORT IO, Fmt;
FROM Out IMPORT P, B;
VAR a := 1.5; d := 2.25d0;
BEGIN
a := a + d
(* expect-error above: + does not apply to REAL and LONGREAL; write FLOAT(a, LONGREAL) (16) *)
END TryRealMixRej.

(* unit: TryRealIntRej.m3 *)
MODULE TryRealIntRej;
IMPORT IO, Fmt;
FROM Out IMPORT P, B;
VAR a := 1.5;
BEGIN
a := a + 1
(* expect-error above: + does not apply to REAL and INTEGER; write 1.0 instead of 1 (16) *)
END TryRealIntRej.

(* unit: TryConstOverflowRej.m3 *)
MODULE TryConstOverflowRej;
IMPORT IO, Fmt;
FROM Out IMPORT P, B;
CONST A=LAST(INTEGER)*2;
(* expect-error above: the constant is too large (16.2) *)
BEGIN
P(A)
END TryConstOverflowRej.

(* unit: TryConstDiv0Rej.m3 *)
MODULE TryConstDiv0Rej;
IMPORT IO, Fmt;
FROM Out IMPORT P, B;
CONST A=1 DIV 0;
(* expect-error above: division by zero (16.1) *)
BEGIN
P(A)
END TryConstDiv0Rej.

(* unit: TryDupDeclRej.m3 *)
MODULE TryDupDeclRej;
IMPORT IO, Fmt;
FROM Out IMPORT P, B;
VAR x := 3; x: CHAR;
(* expect-error above: x is declared twice (3.2) *)
BEGIN
P(1)
END TryDupDeclRej.

(* unit: TryFormalLocalRej.m3 *)
MODULE TryFormalLocalRej;
IMPORT IO, Fmt;
FROM Out IMPORT P, B;
PROCEDURE Q(x: INTEGER) = VAR x: CHAR; BEGIN END Q;
(* expect-error above: x is already a formal of this procedure (3.3) *)
BEGIN
Q(1)
END TryFormalLocalRej.

(* unit: TryRecursiveConstRej.m3 *)
MODULE TryRecursiveConstRej;
IMPORT IO, Fmt;
FROM Out IMPORT P, B;
CONST A=B1; B1=A;
(* expect-error above: the declaration of A depends on itself (4) *)
BEGIN
P(A)
END TryRecursiveConstRej.

(* unit: TryRecursiveRecRej.m3 *)
MODULE TryRecursiveRecRej;
IMPORT IO, Fmt;
FROM Out IMPORT P, B;
TYPE R=RECORD r: R END; VAR r: R;
(* expect-error above: the declaration of R depends on itself; a type cannot contain itself; REF R can stand inside it (4) *)
BEGIN
P(1)
END TryRecursiveRecRej.

(* unit: TryExitRej.m3 *)
MODULE TryExitRej;
IMPORT IO, Fmt;
FROM Out IMPORT P, B;

BEGIN
EXIT
(* expect-error above: EXIT is not inside a loop of this procedure (14.4) *)
END TryExitRej.

(* unit: TryExitNestedRej.m3 *)
MODULE TryExitNestedRej;
IMPORT IO, Fmt;
FROM Out IMPORT P, B;

BEGIN
LOOP VAR n := 1; PROCEDURE Q() = BEGIN EXIT END Q; BEGIN Q(); P(n) END END
(* expect-error above: EXIT is not inside a loop of this procedure (14.4) *)
END TryExitNestedRej.

(* unit: TryMissingArgRej.m3 *)
MODULE TryMissingArgRej;
IMPORT IO, Fmt;
FROM Out IMPORT P, B;
PROCEDURE Q(a,b: INTEGER) = BEGIN P(a+b) END Q;
BEGIN
Q(1)
(* expect-error above: b of Q has no default and is not given; Q is (a: INTEGER; b: INTEGER) (11.3) *)
END TryMissingArgRej.

(* unit: TryDupKwRej.m3 *)
MODULE TryDupKwRej;
IMPORT IO, Fmt;
FROM Out IMPORT P, B;
PROCEDURE Q(a,b: INTEGER) = BEGIN P(a+b) END Q;
BEGIN
Q(1,a:=2)
(* expect-error above: a is given twice (11.3) *)
END TryDupKwRej.

(* unit: TryPosAfterKwRej.m3 *)
MODULE TryPosAfterKwRej;
IMPORT IO, Fmt;
FROM Out IMPORT P, B;
PROCEDURE Q(a,b: INTEGER) = BEGIN P(a+b) END Q;
BEGIN
Q(a:=1,2)
(* expect-error above: positional values come before those with names; give this value a name too, or write it before the values with names (11.3) *)
END TryPosAfterKwRej.

(* unit: TryOpenVarRej.m3 *)
MODULE TryOpenVarRej;
IMPORT IO, Fmt;
FROM Out IMPORT P, B;
VAR a: ARRAY OF INTEGER;
(* expect-error above: a variable cannot be an open array; write REF ARRAY OF T, whose length NEW(type, n) gives, or a fixed one: ARRAY [0..9] OF T (5.4) *)
BEGIN
P(1)
END TryOpenVarRej.

(* unit: TrySetElemRej.m3 *)
MODULE TrySetElemRej;
IMPORT IO, Fmt;
FROM Out IMPORT P, B;
TYPE S=SET OF REAL; VAR s: S;
(* expect-error above: the element of a set must be ordinal, not REAL; sets hold integers of a range, enumerations or characters; the library's generic Set keeps values of other types (5.2) *)
BEGIN
P(1)
END TrySetElemRej.

(* unit: TryInTypeRej.m3 *)
MODULE TryInTypeRej;
IMPORT IO, Fmt;
FROM Out IMPORT P, B;
VAR s: SET OF [0..9];
BEGIN
B('a' IN s)
(* expect-error above: CHAR is not assignable to [0..9], the element type of SET OF [0..9]; write ORD('a') (8.1) *)
END TryInTypeRej.

(* unit: TryCmpRecLtRej.m3 *)
MODULE TryCmpRecLtRej;
IMPORT IO, Fmt;
FROM Out IMPORT P, B;
TYPE R=RECORD a: INTEGER END; VAR a,b: R;
BEGIN
B(a<b)
(* expect-error above: < does not compare TryCmpRecLtRej.R and TryCmpRecLtRej.R; TryCmpRecLtRej.R has no order: only = and # compare its values; compare fields (16.4) *)
END TryCmpRecLtRej.

(* unit: TryAssignProcRej.m3 *)
MODULE TryAssignProcRej;
IMPORT IO, Fmt;
FROM Out IMPORT P, B;
PROCEDURE Q() = BEGIN END Q;
BEGIN
Q := NIL
(* expect-error above: this is not a variable: Q is a procedure; only variables can be assigned to (14.1) *)
END TryAssignProcRej.

(* unit: TryAssignForRej.m3 *)
MODULE TryAssignForRej;
IMPORT IO, Fmt;
FROM Out IMPORT P, B;

BEGIN
FOR i:=1 TO 3 DO i := 4 END
(* expect-error above: i is readonly: i is the variable of FOR; FOR counts by itself, also BY 2 or BY -1; WHILE lets its statements change the variable (15.2) *)
END TryAssignForRej.

(* unit: TryUnreachTypeRej.m3 *)
MODULE TryUnreachTypeRej;
IMPORT IO, Fmt;
FROM Out IMPORT P, B;
TYPE A=REF INTEGER; VAR a: A := NEW(REF CHAR);
(* expect-error above: REF CHAR is not assignable to TryUnreachTypeRej.A, the type of a; they refer to different types: expected REF INTEGER, found REF CHAR (8.1) *)
BEGIN
P(1)
END TryUnreachTypeRej.

(* unit: Main.m3 *)
MODULE Main;
BEGIN
END Main.

(* unit: TryForStepIntLong.i3 *)
INTERFACE TryForStepIntLong;
END TryForStepIntLong.

(* unit: TryCaseDup.i3 *)
INTERFACE TryCaseDup;
END TryCaseDup.

(* unit: TryPackedVarRej.i3 *)
INTERFACE TryPackedVarRej;
END TryPackedVarRej.

(* unit: TryWithRoRej.i3 *)
INTERFACE TryWithRoRej;
END TryWithRoRej.

(* unit: TryWithFnRej.i3 *)
INTERFACE TryWithFnRej;
END TryWithFnRej.

(* unit: TryReadonlyRej.i3 *)
INTERFACE TryReadonlyRej;
END TryReadonlyRej.

(* unit: TryVarTypeRej.i3 *)
INTERFACE TryVarTypeRej;
END TryVarTypeRej.

(* unit: TryVarConstRej.i3 *)
INTERFACE TryVarConstRej;
END TryVarConstRej.

(* unit: TryRaisesRej.i3 *)
INTERFACE TryRaisesRej;
END TryRaisesRej.

(* unit: TryObjOverrideRej.i3 *)
INTERFACE TryObjOverrideRej;
END TryObjOverrideRej.

(* unit: TryObjMethodValueRej.i3 *)
INTERFACE TryObjMethodValueRej;
END TryObjMethodValueRej.

(* unit: TryLongMixRej.i3 *)
INTERFACE TryLongMixRej;
END TryLongMixRej.

(* unit: TryLoopholeSizeRej.i3 *)
INTERFACE TryLoopholeSizeRej;
END TryLoopholeSizeRej.

(* unit: TrySafeRej1.i3 *)
INTERFACE TrySafeRej1;
END TrySafeRej1.

(* unit: TrySafeRej2.i3 *)
INTERFACE TrySafeRej2;
END TrySafeRej2.

(* unit: TryEnumSubVarRej.i3 *)
INTERFACE TryEnumSubVarRej;
END TryEnumSubVarRej.

(* unit: TryRelChainRej.i3 *)
INTERFACE TryRelChainRej;
END TryRelChainRej.

(* unit: TryRealMixRej.i3 *)
INTERFACE TryRealMixRej;
END TryRealMixRej.

(* unit: TryRealIntRej.i3 *)
INTERFACE TryRealIntRej;
END TryRealIntRej.

(* unit: TryConstOverflowRej.i3 *)
INTERFACE TryConstOverflowRej;
END TryConstOverflowRej.

(* unit: TryConstDiv0Rej.i3 *)
INTERFACE TryConstDiv0Rej;
END TryConstDiv0Rej.

(* unit: TryDupDeclRej.i3 *)
INTERFACE TryDupDeclRej;
END TryDupDeclRej.

(* unit: TryFormalLocalRej.i3 *)
INTERFACE TryFormalLocalRej;
END TryFormalLocalRej.

(* unit: TryRecursiveConstRej.i3 *)
INTERFACE TryRecursiveConstRej;
END TryRecursiveConstRej.

(* unit: TryRecursiveRecRej.i3 *)
INTERFACE TryRecursiveRecRej;
END TryRecursiveRecRej.

(* unit: TryExitRej.i3 *)
INTERFACE TryExitRej;
END TryExitRej.

(* unit: TryExitNestedRej.i3 *)
INTERFACE TryExitNestedRej;
END TryExitNestedRej.

(* unit: TryMissingArgRej.i3 *)
INTERFACE TryMissingArgRej;
END TryMissingArgRej.

(* unit: TryDupKwRej.i3 *)
INTERFACE TryDupKwRej;
END TryDupKwRej.

(* unit: TryPosAfterKwRej.i3 *)
INTERFACE TryPosAfterKwRej;
END TryPosAfterKwRej.

(* unit: TryOpenVarRej.i3 *)
INTERFACE TryOpenVarRej;
END TryOpenVarRej.

(* unit: TrySetElemRej.i3 *)
INTERFACE TrySetElemRej;
END TrySetElemRej.

(* unit: TryInTypeRej.i3 *)
INTERFACE TryInTypeRej;
END TryInTypeRej.

(* unit: TryCmpRecLtRej.i3 *)
INTERFACE TryCmpRecLtRej;
END TryCmpRecLtRej.

(* unit: TryAssignProcRej.i3 *)
INTERFACE TryAssignProcRej;
END TryAssignProcRej.

(* unit: TryAssignForRej.i3 *)
INTERFACE TryAssignForRej;
END TryAssignForRej.

(* unit: TryUnreachTypeRej.i3 *)
INTERFACE TryUnreachTypeRej;
END TryUnreachTypeRej.
