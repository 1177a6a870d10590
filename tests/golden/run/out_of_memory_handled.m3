(* golden: run, @M3maxheap=8M, -w, tenure-gc, stress=20000 *)
(* A handler of OutOfMemory can make a few objects before any object has been dropped. Dropped
   objects are free at once, even if all of them hang on one reference that ended frames had
   copies of. *)
MODULE Main;

IMPORT Fmt, IO, RuntimeError, Text;

TYPE
  List = REF RECORD next: List; block: ARRAY [1..100] OF INTEGER END;
  Tree = REF RECORD left, right: Tree END;

VAR
  list: List;
  tree: Tree;

PROCEDURE Fill() =
  BEGIN
    LOOP list := NEW(List, next := list) END;
  END Fill;

PROCEDURE Grow(depth: INTEGER): Tree =
  BEGIN
    IF depth = 0 THEN RETURN NEW(Tree, left := tree) END;
    tree := NEW(Tree, left := Grow(depth - 1), right := tree);
    RETURN Grow(depth - 1);
  END Grow;

BEGIN
  FOR i := 1 TO 3 DO
    TRY
      Fill();
    EXCEPT
      RuntimeError.E (e) => IO.Put(Fmt.Int(i) & " " & RuntimeError.Tag(e) & ", and a text of "
                                   & Fmt.Int(Text.Length(RuntimeError.Tag(e) & "!")) & "\n");
    END;
    list := NIL;
    TRY
      EVAL Grow(200);
    EXCEPT
      RuntimeError.E (e) => tree := NIL; IO.Put("grown until " & RuntimeError.Tag(e) & "\n");
    END;
  END;
END Main.
(* expect: 1 out of memory, and a text of 14 *)
(* expect: grown until out of memory *)
(* expect: 2 out of memory, and a text of 14 *)
(* expect: grown until out of memory *)
(* expect: 3 out of memory, and a text of 14 *)
(* expect: grown until out of memory *)
