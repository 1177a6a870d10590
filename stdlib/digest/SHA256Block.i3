(* The operations of SHA-256 on a block of a message; see MessageDigest.mg. Words have 32 bits. *)
INTERFACE SHA256Block;

IMPORT Word;

CONST
  Words = 8;
  BigEndian = TRUE;

TYPE
  State = ARRAY [0..Words - 1] OF Word.T;

CONST
  Start = State{16_6A09E667, 16_BB67AE85, 16_3C6EF372, 16_A54FF53A, 16_510E527F, 16_9B05688C,
                16_1F83D9AB, 16_5BE0CD19};

PROCEDURE Add(VAR s: State; READONLY block: ARRAY [0..15] OF Word.T);

END SHA256Block.
