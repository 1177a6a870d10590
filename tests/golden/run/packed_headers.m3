(* golden: run *)
(* A record of packed fields takes no more bytes than they need: headers of network packets
   (language.md 5.6). *)
UNSAFE MODULE Main;
IMPORT IO, Fmt;
TYPE
  Bit = BITS 1 FOR BOOLEAN;
  Nibble = BITS 4 FOR [0..15];
  Byte = BITS 8 FOR [0..255];
  Short = BITS 16 FOR [0..65535];
  Address = BITS 32 FOR ARRAY [0..3] OF Byte;
  Header = RECORD
    length, version: Nibble; service: Byte; total, id: Short;
    fragment: BITS 13 FOR [0..8191]; more, dont, reserved: Bit;
    life, protocol: Byte; sum: Short; source, target: Address;
  END;
  Frame = RECORD kind: Byte; body: BITS 160 FOR Header; end: Byte END;
  Straddling = RECORD a: BITS 12 FOR [0..4095]; b: BITS 13 FOR [0..8191] END;
  Tiny = RECORD a, b: Nibble END;
  Bytes = ARRAY [0..19] OF Byte;

PROCEDURE Line(READONLY a: ARRAY OF Byte) =
  BEGIN
    FOR i := 0 TO LAST(a) DO IO.Put(Fmt.Pad(Fmt.Int(a[i], 16), 2, '0')) END;
    IO.Put("\n");
  END Line;

PROCEDURE Sizes(READONLY sizes: ARRAY OF INTEGER) =
  BEGIN
    FOR i := 0 TO LAST(sizes) DO IO.PutInt(sizes[i]); IO.Put(" ") END;
    IO.Put(".\n");
  END Sizes;

VAR
  h := Header{5, 4, 0, 40, 16_1234, 16_1555, FALSE, TRUE, FALSE, 64, 6, 16_BEEF,
              Address{127, 0, 0, 1}, Address{255, ..}};
  frames: ARRAY [0..2] OF Frame;
BEGIN
  Sizes(ARRAY OF INTEGER{BYTESIZE(Header), BYTESIZE(Frame), BYTESIZE(frames), BYTESIZE(Straddling), BYTESIZE(Tiny)});
  (* expect: 20 24 72 4 1 . *)
  Line(LOOPHOLE(h, Bytes));
  (* expect: 45002800341255554006efbe7f000001ffffffff *)
END Main.
