(* Blocks by SHA-256 in words of type Word.T. Usage: Main N, the number of blocks. *)
MODULE Main;

IMPORT Fmt, IO, Params, Scan, Word;

<*FATAL ANY*>

CONST Mask = 16_FFFFFFFF;

TYPE W = Word.T;

CONST
  K = ARRAY [0..63] OF W{
    16_428a2f98, 16_71374491, 16_b5c0fbcf, 16_e9b5dba5, 16_3956c25b, 16_59f111f1, 16_923f82a4, 16_ab1c5ed5,
    16_d807aa98, 16_12835b01, 16_243185be, 16_550c7dc3, 16_72be5d74, 16_80deb1fe, 16_9bdc06a7, 16_c19bf174,
    16_e49b69c1, 16_efbe4786, 16_0fc19dc6, 16_240ca1cc, 16_2de92c6f, 16_4a7484aa, 16_5cb0a9dc, 16_76f988da,
    16_983e5152, 16_a831c66d, 16_b00327c8, 16_bf597fc7, 16_c6e00bf3, 16_d5a79147, 16_06ca6351, 16_14292967,
    16_27b70a85, 16_2e1b2138, 16_4d2c6dfc, 16_53380d13, 16_650a7354, 16_766a0abb, 16_81c2c92e, 16_92722c85,
    16_a2bfe8a1, 16_a81a664b, 16_c24b8b70, 16_c76c51a3, 16_d192e819, 16_d6990624, 16_f40e3585, 16_106aa070,
    16_19a4c116, 16_1e376c08, 16_2748774c, 16_34b0bcb5, 16_391c0cb3, 16_4ed8aa4a, 16_5b9cca4f, 16_682e6ff3,
    16_748f82ee, 16_78a5636f, 16_84c87814, 16_8cc70208, 16_90befffa, 16_a4506ceb, 16_bef9a3f7, 16_c67178f2};

PROCEDURE Rotate(x: Word.T; n: CARDINAL): Word.T =
  BEGIN
    RETURN Word.And(Word.Or(Word.Shift(x, -n), Word.Shift(x, 32 - n)), Mask);
  END Rotate;

PROCEDURE Add(x, y: Word.T): Word.T =
  BEGIN
    RETURN Word.And(Word.Plus(x, y), Mask);
  END Add;

PROCEDURE Block(VAR state: ARRAY [0..7] OF W; READONLY block: ARRAY [0..15] OF W) =
  VAR w: ARRAY [0..63] OF W;  a, b, c, d, e, f, g, h, t1, t2, s0, s1: Word.T;
  BEGIN
    SUBARRAY(w, 0, 16) := block;
    FOR i := 16 TO 63 DO
      s0 := Word.Xor(Word.Xor(Rotate(w[i - 15], 7), Rotate(w[i - 15], 18)), Word.Shift(w[i - 15], -3));
      s1 := Word.Xor(Word.Xor(Rotate(w[i - 2], 17), Rotate(w[i - 2], 19)), Word.Shift(w[i - 2], -10));
      w[i] := Add(Add(w[i - 16], s0), Add(w[i - 7], s1));
    END;
    a := state[0]; b := state[1]; c := state[2]; d := state[3];
    e := state[4]; f := state[5]; g := state[6]; h := state[7];
    FOR i := 0 TO 63 DO
      s1 := Word.Xor(Word.Xor(Rotate(e, 6), Rotate(e, 11)), Rotate(e, 25));
      t1 := Add(Add(h, s1), Add(Add(Word.Xor(Word.And(e, f), Word.And(Word.Xor(e, Mask), g)), K[i]), w[i]));
      s0 := Word.Xor(Word.Xor(Rotate(a, 2), Rotate(a, 13)), Rotate(a, 22));
      t2 := Add(s0, Word.Xor(Word.Xor(Word.And(a, b), Word.And(a, c)), Word.And(b, c)));
      h := g; g := f; f := e; e := Add(d, t1); d := c; c := b; b := a; a := Add(t1, t2);
    END;
    state[0] := Add(state[0], a); state[1] := Add(state[1], b);
    state[2] := Add(state[2], c); state[3] := Add(state[3], d);
    state[4] := Add(state[4], e); state[5] := Add(state[5], f);
    state[6] := Add(state[6], g); state[7] := Add(state[7], h);
  END Block;

VAR
  state := ARRAY [0..7] OF W{16_6a09e667, 16_bb67ae85, 16_3c6ef372, 16_a54ff53a,
                             16_510e527f, 16_9b05688c, 16_1f83d9ab, 16_5be0cd19};
  block: ARRAY [0..15] OF W;
BEGIN
  FOR i := 0 TO 15 DO block[i] := i * 16_1010101 END;
  FOR i := 1 TO Scan.Int(Params.Get(1)) DO Block(state, block) END;
  FOR i := 0 TO 7 DO IO.Put(Fmt.Unsigned(state[i]) & "\n") END;
END Main.
