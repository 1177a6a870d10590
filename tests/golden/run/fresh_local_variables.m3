(* golden: run *)
(* Local variables without an initial value hold values of their types. An array of numbers keeps
   what its memory held, but is as good as any other: a check of an element holds for its use. *)
MODULE Main;

IMPORT IO, Fmt;

TYPE
  Small = [1..6];
  Color = {Red, Green, Blue};
  Numbers = ARRAY [0..99] OF INTEGER;

VAR sum: INTEGER := 0;

PROCEDURE Fill() =
  (* Leaves large numbers where the variables of the next call will be. *)
  VAR a, b, c, d: Numbers;
  BEGIN
    FOR i := 0 TO 99 DO
      a[i] := -1000000 - i; b[i] := LAST(INTEGER) - i; c[i] := 16_7F7F7F7F7F7F7F7F; d[i] := -1;
    END;
    FOR i := 0 TO 99 BY 7 DO sum := (sum + a[i] MOD 1000 + b[i] MOD 1000 + c[i] MOD 10 + d[i]) MOD 1000 END;
  END Fill;

PROCEDURE Pick(at: INTEGER): BOOLEAN =
  VAR indices: Numbers; letters: ARRAY [0..9] OF CHAR; index: INTEGER;
  BEGIN
    letters := ARRAY [0..9] OF CHAR {'x', ..};
    index := indices[at];
    IF FIRST(letters) <= index AND index <= LAST(letters) THEN
      RETURN letters[indices[at]] = 'x';
    END;
    (* Two reads of an element give the same. *)
    RETURN index = indices[at] AND (index < 0) = (indices[at] < 0);
  END Pick;

PROCEDURE AllValid(): BOOLEAN =
  VAR
    refs: ARRAY [0..40] OF REF INTEGER;
    small: ARRAY [0..200] OF Small;
    colors: ARRAY [0..200] OF Color;
    flags: ARRAY [0..200] OF BOOLEAN;
    procs: ARRAY [0..40] OF PROCEDURE ();
  BEGIN
    FOR i := FIRST(refs) TO LAST(refs) DO
      IF refs[i] # NIL OR procs[i] # NIL THEN RETURN FALSE END;
    END;
    FOR i := FIRST(small) TO LAST(small) DO
      IF ORD(small[i]) < 1 OR ORD(small[i]) > 6 OR ORD(colors[i]) > 2 OR ORD(flags[i]) > 1 THEN
        RETURN FALSE;
      END;
    END;
    RETURN TRUE;
  END AllValid;

PROCEDURE Reals(): BOOLEAN =
  VAR r: ARRAY [0..63] OF LONGREAL; x: LONGREAL;
  BEGIN
    x := r[sum MOD 64];
    RETURN x = r[sum MOD 64] OR x # x;
  END Reals;

TYPE Texts = ARRAY [0..99] OF TEXT;

EXCEPTION Wanted;

PROCEDURE CountAndFill(VAR texts: Texts): INTEGER =
  VAR count := 0;
  BEGIN
    FOR i := 0 TO 99 DO
      IF texts[i] # NIL THEN INC(count) END;
      texts[i] := "full";
    END;
    RETURN count;
  END CountAndFill;

PROCEDURE OnOnePath(n: INTEGER): INTEGER =
  (* The array is used on some paths only. *)
  VAR texts: Texts;
  BEGIN
    IF n MOD 3 = 0 THEN RETURN 0 END;
    IF n MOD 3 = 1 THEN RETURN CountAndFill(texts) END;
    FOR i := 0 TO 1 DO
      IF CountAndFill(texts) # 100 * i THEN RETURN -1 END;
    END;
    RETURN 0;
  END OnOnePath;

PROCEDURE InALoop(n: INTEGER): INTEGER =
  (* Each turn of the loop has an array of its own. *)
  VAR count := 0;
  BEGIN
    FOR i := 0 TO n DO
      VAR texts: Texts; BEGIN
        IF i MOD 2 = 0 THEN INC(count, CountAndFill(texts)) END;
      END;
    END;
    RETURN count;
  END InALoop;

PROCEDURE Maybe(n: INTEGER) RAISES {Wanted} =
  BEGIN
    IF n MOD 2 = 0 THEN RAISE Wanted END;
  END Maybe;

PROCEDURE InAHandler(n: INTEGER): INTEGER =
  VAR texts: Texts;
  BEGIN
    IF n MOD 5 = 0 THEN RETURN 0 END;
    TRY Maybe(n) EXCEPT Wanted => RETURN CountAndFill(texts) END;
    RETURN 0;
  END InAHandler;

PROCEDURE Inside(n: INTEGER): INTEGER =
  VAR texts: Texts;
  PROCEDURE Use(): INTEGER = BEGIN RETURN CountAndFill(texts) END Use;
  BEGIN
    IF n MOD 2 = 0 THEN RETURN 0 END;
    RETURN Use();
  END Inside;

BEGIN
  FOR i := 0 TO 20 DO
    Fill();
    IF OnOnePath(i) + InALoop(i) # 0 THEN IO.Put("not empty\n") END;
    Fill();
    IF InAHandler(i) + Inside(i) # 0 THEN IO.Put("not empty in a handler\n") END;
  END;
  FOR i := 0 TO 99 BY 9 DO
    Fill();
    IF NOT Pick(i) THEN IO.Put("wrong at " & Fmt.Int(i) & "\n") END;
    Fill();
    IF NOT AllValid() THEN IO.Put("not valid\n") END;
    Fill();
    IF NOT Reals() THEN IO.Put("not the same\n") END;
  END;
  IO.Put("done\n");
END Main.

(* expect: done *)
