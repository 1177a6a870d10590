(* golden: check, -w *)
(* 5.6, 17.8: a field of an object begins at a byte only if the packed fields before it, in the
   same layer, fill whole bytes; and LOOPHOLE does not move its operand. *)
UNSAFE MODULE Main;

TYPE
  Bytes = BITS 32 FOR ARRAY [0..3] OF BITS 8 FOR [0..255];
  Word = BITS 64 FOR INTEGER;
  Base = OBJECT three: BITS 3 FOR [0..7] END;
  O = Base OBJECT
    first: Bytes;  (* every layer begins at a byte *)
    three: BITS 3 FOR [0..7];
    byte: BITS 8 FOR [0..255];
    bytes: Bytes;
    word: Word;  (* must begin at a word *)
    behind: BITS 8 FOR [0..255];
    bit: BITS 1 FOR BOOLEAN;
    plain: [0..255];
    last: Bytes;
  END;
  Pair = ARRAY [0..1] OF [0..255];

PROCEDURE P(VAR a: Pair) = BEGIN a[0] := 0 END P;

VAR
  o: O;
  r: RECORD a: BITS 4 FOR [0..15]; b: BITS 16 FOR [0..65535] END;
BEGIN
  WITH s = SUBARRAY(o.first, 1, 2) DO s[0] := 9 END;
  WITH s = SUBARRAY(o.bytes, 1, 2) DO s[0] := 9 END;  (* expect-error: M0817 *)
  WITH s = SUBARRAY(o.last, 1, 2) DO s[0] := 9 END;
  EVAL ADR(o.byte);  (* expect-error: M0818 *)
  EVAL ADR(o.bytes[1]);  (* expect-error: M0818 *)
  EVAL ADR(o.word);
  EVAL ADR(o.behind);
  EVAL ADR(o.plain);
  EVAL ADR(o.last[1]);
  EVAL ADR(LOOPHOLE(r.b, Pair));  (* expect-error: M0818 *)
  P(LOOPHOLE(r.b, Pair));  (* expect-error: M0810 *)
  WITH w = LOOPHOLE(r.b, [-32768 .. 32767]) DO w := 3 END;  (* expect-error: M0827 *)
  WITH w = LOOPHOLE(r.b, BITS 16 FOR [-32768 .. 32767]) DO w := 3 END;
  r.b := ORD(LOOPHOLE(r.b, Pair)[0]);
  EVAL ADR(LOOPHOLE(r, ARRAY [0..3] OF BITS 8 FOR [0..255])[1]);
END Main.
