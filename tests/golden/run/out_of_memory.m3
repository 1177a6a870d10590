(* golden: run, @M3maxheap=8M, -w, tenure-gc, stress=500 *)
(* Lack of memory is a run-time error that can be handled; the heap stays usable. *)
MODULE Main;

IMPORT Fmt, IO, RTAllocator, RuntimeError, Text;

TYPE
  List = REF RECORD next: List; block: ARRAY [1..100] OF INTEGER END;
  Bytes = REF ARRAY OF CHAR;
  Matrix = REF ARRAY OF ARRAY OF INTEGER;
  Refs = REF ARRAY OF REFANY;

VAR
  keep: Refs := NEW(Refs, 100);
  kept := 0;

PROCEDURE Keep(r: REFANY) =
  BEGIN
    keep[kept] := r;
    INC(kept);
  END Keep;

PROCEDURE Forget() =
  BEGIN
    FOR i := 0 TO LAST(keep^) DO keep[i] := NIL END;
    kept := 0;
  END Forget;

(* Live small objects until memory is full. *)
PROCEDURE Small(): INTEGER =
  VAR l, next: List := NIL;  n := 0;
  BEGIN
    TRY
      LOOP l := NEW(List, next := l); l.block[100] := n; INC(n) END;
    EXCEPT
      RuntimeError.E (e) => <*ASSERT e = RuntimeError.T.OutOfMemory*>
    END;
    (* The list is unlinked, so that a stale word on the stack does not keep all of it. *)
    FOR i := n - 1 TO 0 BY -1 DO
      <*ASSERT l.block[100] = i*>
      next := l.next;
      l.next := NIL;
      l := next;
    END;
    <*ASSERT l = NIL*>
    RETURN n;
  END Small;

(* Objects of many pages. *)
PROCEDURE Large(bytes: INTEGER): INTEGER =
  VAR n: INTEGER;
  BEGIN
    TRY
      LOOP Keep(NEW(Bytes, bytes)) END;
    EXCEPT
      RuntimeError.E (e) => <*ASSERT e = RuntimeError.T.OutOfMemory*>
    END;
    n := kept;
    Forget();
    RETURN n;
  END Large;

PROCEDURE Impossible(rows, columns: INTEGER) =
  BEGIN
    TRY
      EVAL NEW(Matrix, rows, columns);
      IO.Put("made\n");
    EXCEPT
      RuntimeError.E (e) => IO.Put(RuntimeError.Tag(e) & "\n");
    END;
  END Impossible;

PROCEDURE Texts() =
  VAR t := "0123456789";
  BEGIN
    TRY
      LOOP t := Text.Cat(t, Text.Sub(t & "x", 0)); t := Text.FromChars(Chars(t)^) END;
    EXCEPT
      RuntimeError.E (e) => IO.Put(RuntimeError.Tag(e) & "\n");
    END;
  END Texts;

PROCEDURE Chars(t: TEXT): REF ARRAY OF CHAR =
  VAR a := NEW(REF ARRAY OF CHAR, Text.Length(t));
  BEGIN
    Text.SetChars(a^, t);
    RETURN a;
  END Chars;

(* Stale words on the stack may keep a few large ones. *)
PROCEDURE Near(n, low, high: INTEGER): TEXT =
  BEGIN
    IF low <= n AND n <= high THEN RETURN "as many as fit" ELSE RETURN Fmt.Int(n) END;
  END Near;

VAR n: INTEGER;
BEGIN
  FOR i := 1 TO 3 DO
    n := Small();
    IO.Put("small: " & Near(n, 4000, 10400) & "\n");
    n := Large(1000000);
    IO.Put("large: " & Near(n, 3, 8) & "\n");
  END;
  Impossible(1000000, 1000000);
  Impossible(LAST(INTEGER), LAST(INTEGER));
  Impossible(2000, 2000);
  Impossible(300, 300);
  Texts();
  TRY
    EVAL RTAllocator.NewTracedArray(TYPECODE(Bytes), ARRAY OF INTEGER{100000000});
  EXCEPT
    RTAllocator.OutOfMemory => IO.Put("RTAllocator.OutOfMemory\n");
  ELSE
    IO.Put("something else\n");
  END;
  n := Small();
  IO.Put("small: " & Near(n, 4000, 10400) & "\n");
END Main.
(* expect: small: as many as fit *)
(* expect: large: as many as fit *)
(* expect: small: as many as fit *)
(* expect: large: as many as fit *)
(* expect: small: as many as fit *)
(* expect: large: as many as fit *)
(* expect: out of memory *)
(* expect: out of memory *)
(* expect: out of memory *)
(* expect: made *)
(* expect: out of memory *)
(* expect: RTAllocator.OutOfMemory *)
(* expect: small: as many as fit *)
