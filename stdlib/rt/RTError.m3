UNSAFE MODULE RTError;

IMPORT Ctypes, Fmt, M3toC, RTIO, RTSystem, TextRep;

PROCEDURE Msg(file: TEXT; line: INTEGER; a, b, c: TEXT := NIL) =
  BEGIN
    Crash(Join(a, b, c) & Place(file, line));
  END Msg;

PROCEDURE MsgS(file: ADDRESS; line: INTEGER; a, b, c: TEXT := NIL) =
  BEGIN
    Msg(M3toC.CopyStoT(LOOPHOLE(file, Ctypes.const_char_star)), line, a, b, c);
  END MsgS;

PROCEDURE MsgI(file: TEXT; line: INTEGER; msg: TEXT := NIL; i: INTEGER) =
  BEGIN
    Crash(Join(msg, Fmt.Int(i)) & Place(file, line));
  END MsgI;

PROCEDURE MsgPC(pc: INTEGER; a, b, c: TEXT := NIL) =
  BEGIN
    Crash(Join(a, b, c) & AtCode(pc));
  END MsgPC;

PROCEDURE ReportPC(pc: INTEGER; a, b, c: TEXT := NIL) =
  BEGIN
    RTIO.PutText("*** " & Join(a, b, c) & AtCode(pc) & "\n");
    RTIO.Flush();
  END ReportPC;

PROCEDURE Join(a, b, c: TEXT := NIL): TEXT =
  VAR result := "";
  BEGIN
    IF a # NIL THEN result := result & a END;
    IF b # NIL THEN result := result & b END;
    IF c # NIL THEN result := result & c END;
    RETURN result;
  END Join;

PROCEDURE Place(file: TEXT; line: INTEGER): TEXT =
  BEGIN
    IF file = NIL THEN RETURN "" END;
    RETURN " (" & file & ":" & Fmt.Int(line) & ")";
  END Place;

PROCEDURE AtCode(pc: INTEGER): TEXT =
  BEGIN
    RETURN " (pc = 0x" & Fmt.Unsigned(pc) & ")";
  END AtCode;

PROCEDURE Crash(message: TEXT) =
  VAR chars := TextRep.CharsOr(message, '?');
  BEGIN
    RTIO.Flush();
    RTSystem.Crash(chars^);
  END Crash;

BEGIN
END RTError.
