(* golden: run *)
(* A dereference of NIL is an error even if the value is not used (language.md 23). *)
MODULE Main;
IMPORT IO, RuntimeError;
TYPE
  Rec = RECORD x, y: INTEGER END;
  R = REF RECORD a, b: INTEGER; s: [0..9]; f: REAL; inner: Rec; bits: BITS 3 FOR [0..7] END;
  O = OBJECT n: INTEGER; next: O END;
VAR r: R := NIL; o: O := NIL; flag := FALSE; total := 0;
VAR written: INTEGER; writtenSmall: [0..9]; writtenRecord: Rec; writtenFields: ARRAY [0..3] OF Rec; writtenRef: O;

PROCEDURE Ignore(<*UNUSED*> x: INTEGER): INTEGER = BEGIN RETURN 5 END Ignore;
PROCEDURE IgnoreTwice(x: INTEGER): INTEGER = BEGIN RETURN Ignore(x + 1) END IgnoreTwice;
PROCEDURE IgnoreReal(<*UNUSED*> x: REAL) = BEGIN END IgnoreReal;
PROCEDURE IgnoreRef(<*UNUSED*> x: O) = BEGIN END IgnoreRef;
PROCEDURE IgnoreRecord(<*UNUSED*> x: Rec) = BEGIN END IgnoreRecord;
PROCEDURE Sometimes(x: INTEGER; use: BOOLEAN) = BEGIN IF use THEN INC(total, x) END END Sometimes;
PROCEDURE A(p: R): INTEGER = BEGIN RETURN p.a END A;
PROCEDURE Local(p: R) = VAR x: INTEGER; BEGIN x := p.a; x := 1; INC(total, x) END Local;
PROCEDURE LocalRecord(p: R) = VAR x: Rec; BEGIN x := p.inner; x.x := 1; INC(total, x.x) END LocalRecord;
PROCEDURE Branch(p: R) = VAR x: INTEGER; BEGIN x := p.b; IF flag THEN INC(total, x) END END Branch;

PROCEDURE Try(n: INTEGER) =
  BEGIN
    TRY
      CASE n OF
      | 0 => EVAL r.a
      | 1 => EVAL Ignore(r.a)
      | 2 => EVAL IgnoreTwice(r.s)
      | 3 => IgnoreReal(r.f)
      | 4 => IgnoreRef(o.next)
      | 5 => IgnoreRecord(r.inner)
      | 6 => Sometimes(r.a, FALSE)
      | 7 => EVAL A(r)
      | 8 => Local(r)
      | 9 => LocalRecord(r)
      | 10 => Branch(r)
      | 11 => EVAL Ignore(r.bits)
      | 12 => EVAL r.a + r.b * 2
      | 13 => WITH x = r.a + 1 DO EVAL Ignore(x) END
      | 14 => EVAL Ignore(o.next.n)
      | 15 => written := r.a
      | 16 => writtenSmall := r.s
      | 17 => writtenRecord := r.inner
      | 18 => writtenFields[2].y := r.inner.y
      | 19 => writtenRef := o.next
      ELSE EVAL Ignore(ORD(r.f > 1.0))
      END;
      IO.PutInt(n); IO.Put(" goes on\n")
    EXCEPT RuntimeError.E => IO.Put(".")
    END
  END Try;

BEGIN
  FOR n := 0 TO 20 DO Try(n) END;
  IO.Put("\n");
  (* expect: ..................... *)
END Main.
