(* The operations of MD5 on a block of a message; see MessageDigest.mg. Words have 32 bits. *)
INTERFACE MD5Block;

IMPORT Word;

CONST
  Words = 4;
  BigEndian = FALSE;

TYPE
  State = ARRAY [0..Words - 1] OF Word.T;

CONST
  Start = State{16_67452301, 16_EFCDAB89, 16_98BADCFE, 16_10325476};

PROCEDURE Add(VAR s: State; READONLY block: ARRAY [0..15] OF Word.T);

END MD5Block.
