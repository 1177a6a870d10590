INTERFACE Hdr;
TYPE
  Bit = BITS 1 FOR BOOLEAN;
  Nibble = BITS 4 FOR [0..15];
  Byte = BITS 8 FOR [0..255];
  Short = BITS 16 FOR [0..65535];
  Int32 = BITS 32 FOR [-16_7FFFFFFF-1 .. 16_7FFFFFFF];
  Word32 = BITS 32 FOR [0 .. 16_FFFFFFFF];
  Flag = {Urg, Ack, Psh, Rst, Syn, Fin};
  Flags = BITS 6 FOR SET OF Flag;
  IPHdr = RECORD
    hl, version: Nibble;
    tos: Byte;
    len: Short;
    id: Short;
    frag: BITS 13 FOR [0..8191];
    more, dont, res: Bit;
    ttl: Byte;
    proto: BITS 8 FOR Protocol;
    sum: Short;
    src, dst: BITS 32 FOR ARRAY [0..3] OF Byte;
  END;
  Protocol = {Raw, ICMP, IGMP, P3, IPIP, P5, TCP};
CONST
  HdrSize = BYTESIZE(IPHdr);
  Broadcast = ARRAY [0..3] OF Byte {255, ..};
  Local = ARRAY OF Byte {127, 0, 0, 1};
  FlagName = ARRAY Flag OF TEXT {"URG", "ACK", "PSH", "RST", "SYN", "FIN"};
PROCEDURE Checksum(READONLY h: IPHdr): Short;
PROCEDURE Show(READONLY h: IPHdr): TEXT;
END Hdr.
