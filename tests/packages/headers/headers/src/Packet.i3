INTERFACE Packet;
IMPORT Hdr, Word;
TYPE
  T <: Public;
  Public = OBJECT
    hdr: Hdr.IPHdr;
    data: REF ARRAY OF CHAR;
  METHODS
    crc(): Word.T
  END;
  RO = BRANDED "Packet.RO 1.0" REF RECORD len: CARDINAL; bytes: ARRAY [0..63] OF Hdr.Byte END;
PROCEDURE New(READONLY data: ARRAY OF CHAR): T;
PROCEDURE FromText(t: TEXT): T;
CONST DefaultTTL: Hdr.Byte = 64;
VAR (*CONST*) count: CARDINAL := 0;
END Packet.
