UNSAFE MODULE Hdr;
IMPORT Word, Fmt, Swap;
TYPE Halves = UNTRACED REF ARRAY [0..9] OF Short;
PROCEDURE Checksum(READONLY h: IPHdr): Short =
  VAR sum: Word.T := 0; p := LOOPHOLE(ADR(h), Halves);
  BEGIN
    FOR i := 0 TO 9 DO sum := Word.Plus(sum, p[i]) END;
    WHILE Word.RightShift(sum, 16) # 0 DO
      sum := Word.Plus(Word.And(sum, 16_FFFF), Word.Shift(sum, -16))
    END;
    RETURN Word.Extract(Word.Not(sum), 0, 16)
  END Checksum;
PROCEDURE Addr(READONLY a: ARRAY [0..3] OF Byte): TEXT =
  VAR t := ""; sep := "";
  BEGIN
    FOR i := FIRST(a) TO LAST(a) DO t := t & sep & Fmt.Int(a[i]); sep := "." END;
    RETURN t
  END Addr;
PROCEDURE Show(READONLY h: IPHdr): TEXT =
  BEGIN
    WITH p = ADR(h), bytes = LOOPHOLE(p, UNTRACED REF ARRAY [0..HdrSize-1] OF Byte)^ DO
      <*ASSERT bytes[0] = h.version * 16 + h.hl*>
    END;
    RETURN "v" & Fmt.Int(h.version) & " len " & Fmt.Int(h.len) & " " & Addr(h.src) & " -> " & Addr(h.dst)
      & " " & Fmt.Bool(h.dont) & Fmt.Int(ORD(h.proto)) & " " & Fmt.Int(Swap.Swap2(h.id - 32768) ) 
      & " " & Fmt.Unsigned(Word.And(16_FFFFFFFF, Swap.Swap4(16_01020304)), 16)
  END Show;
BEGIN
  <*ASSERT BITSIZE(IPHdr) = 160*>
END Hdr.
