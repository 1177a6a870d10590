(* The order of the bytes of a number, and reversing it. *)
INTERFACE Swap;

TYPE
  Endian = {Big, Little};

(* Of this machine. *)
PROCEDURE GetEndian(): Endian;
VAR (*CONST*)
  endian: Endian;

CONST
  FirstInt32 = -1 - 16_7FFFFFFF;

TYPE
  Int32 = BITS 32 FOR [FirstInt32..16_7FFFFFFF];
  Int16 = BITS 16 FOR [-16_8000..16_7FFF];
  UInt16 = BITS 16 FOR [0..16_FFFF];

  (* 64 bits: Int64On32 for an INTEGER of 32 bits; Int64On64 for an INTEGER of 64 bits, as here,
     where the padding is empty. *)
  Int64On32 = RECORD a, b: Int32; END;
  Int64Pad = RECORD END;
  Int64On64 = RECORD
    v: INTEGER;
    pad: Int64Pad := Int64Pad{};
  END;

(* All bytes in reverse order. *)
PROCEDURE Swap4(i: Int32): Int32;
PROCEDURE Swap2(i: Int16): Int16;
PROCEDURE Swap2U(i: UInt16): UInt16;
PROCEDURE Swap8(READONLY i: Int64On32): Int64On32;
PROCEDURE SwapInt(i: INTEGER): INTEGER;

END Swap.
