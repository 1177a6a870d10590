UNSAFE MODULE M3toC;

IMPORT Cstdlib, Cstring, Ctypes, Text, TextClass, TextFlat;

PROCEDURE CopyTtoS(t: TEXT): Ctypes.char_star =
  VAR
    length := Text.Length(t);
    s: ADDRESS := Cstdlib.malloc(length + 1);
    at: CARDINAL := 0;
    n: CARDINAL;
  BEGIN
    <*ASSERT s # NIL WITH "M3toC.CopyTtoS: no memory"*>
    WHILE at < length DO
      n := MIN(length - at, TextFlat.Piece);
      t.get_chars(SUBARRAY(LOOPHOLE(s + at, TextFlat.Array8)^, 0, n), at);
      INC(at, n);
    END;
    LOOPHOLE(s + length, TextFlat.Char8)^ := '\000';
    RETURN LOOPHOLE(s, Ctypes.char_star);
  END CopyTtoS;

PROCEDURE FreeCopiedS(s: Ctypes.const_char_star) =
  BEGIN
    Cstdlib.free(s);
  END FreeCopiedS;

(* Sharing would require that the caller keeps t where the collector sees it, and classic
   programs do not. A copy is safe, and costs about as much as the C call that uses it. *)
PROCEDURE SharedTtoS(t: TEXT): Ctypes.const_char_star =
  BEGIN
    RETURN CopyTtoS(t);
  END SharedTtoS;

PROCEDURE FreeSharedS(<*UNUSED*> t: TEXT; s: Ctypes.const_char_star) =
  BEGIN
    Cstdlib.free(s);
  END FreeSharedS;

PROCEDURE FlatTtoS(t: TEXT): Ctypes.const_char_star =
  VAR info: TextClass.Info;
  BEGIN
    t.get_info(info);
    <*ASSERT NOT info.wide AND ISTYPE(t, TextFlat.T8) WITH "M3toC.FlatTtoS: the text is not flat"*>
    RETURN LOOPHOLE(info.start, Ctypes.const_char_star);
  END FlatTtoS;

PROCEDURE StoT(s: Ctypes.const_char_star): TEXT =
  BEGIN
    RETURN CopyStoT(s);
  END StoT;

PROCEDURE CopyStoT(s: Ctypes.const_char_star): TEXT =
  BEGIN
    IF s = NIL THEN RETURN NIL END;
    WITH n = Cstring.strlen(s) DO
      IF n = 0 THEN RETURN "" END;
      RETURN TextFlat.From8(s, n);
    END;
  END CopyStoT;

BEGIN
END M3toC.
