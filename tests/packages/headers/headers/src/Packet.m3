MODULE Packet;
IMPORT Hdr, Word, Text;
REVEAL T = Public BRANDED "Packet.T" OBJECT OVERRIDES crc := CRC END;
VAR table: ARRAY [0..255] OF Word.T; inited := FALSE; mu := NEW(MUTEX);
PROCEDURE New(READONLY data: ARRAY OF CHAR): T =
  VAR p := NEW(T, data := NEW(REF ARRAY OF CHAR, NUMBER(data)));
  BEGIN
    p.data^ := data;
    p.hdr := Hdr.IPHdr{hl := 5, version := 4, tos := 0, len := Hdr.HdrSize + NUMBER(data), id := 1, frag := 0,
      more := FALSE, dont := TRUE, res := FALSE, ttl := DefaultTTL, proto := Hdr.Protocol.TCP, sum := 0,
      src := Hdr.Local, dst := Hdr.Broadcast};
    p.hdr.sum := Hdr.Checksum(p.hdr);
    INC(count);
    RETURN p
  END New;
PROCEDURE FromText(t: TEXT): T =
  VAR a := NEW(REF ARRAY OF CHAR, Text.Length(t));
  BEGIN Text.SetChars(a^, t); RETURN New(a^) END FromText;
PROCEDURE CRC(self: T): Word.T =
  VAR c: Word.T := 16_FFFFFFFF;
  BEGIN
    LOCK mu DO IF NOT inited THEN Init(); inited := TRUE END END;
    FOR i := 0 TO LAST(self.data^) DO
      c := Word.Xor(table[Word.And(Word.Xor(c, ORD(self.data[i])), 16_FF)], Word.RightShift(c, 8))
    END;
    RETURN Word.Xor(c, 16_FFFFFFFF)
  END CRC;
PROCEDURE Init() =
  VAR c: Word.T;
  BEGIN
    FOR n := 0 TO 255 DO
      c := n;
      FOR k := 0 TO 7 DO
        IF Word.And(c, 1) = 1 THEN c := Word.Xor(16_EDB88320, Word.RightShift(c, 1))
        ELSE c := Word.RightShift(c, 1) END
      END;
      table[n] := c
    END
  END Init;
BEGIN END Packet.
