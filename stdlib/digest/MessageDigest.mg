(* Message digests over blocks of 64 bytes, the last of which end with the length of the
   message: the common part of MD5 and SHA256. Block has the number of words of a digest
   (Words), their initial values (Start), the procedure that adds a block (Add), and whether
   the first byte of a word is its most significant one (BigEndian). *)
GENERIC MODULE MessageDigest(Block);

IMPORT Fmt, Rd, TextRd, Thread, Word;

PROCEDURE FromText(txt: TEXT): TEXT =
  BEGIN
    RETURN FromFile(TextRd.New(txt));
  END FromText;

PROCEDURE FromFile(rd: Rd.T): TEXT =
  <*FATAL Rd.Failure, Thread.Alerted*>
  VAR state := Block.Start;  buffer: ARRAY [0..63] OF CHAR;  n: CARDINAL;  length: Word.T := 0;
      result := "";
  BEGIN
    LOOP
      n := Rd.GetSub(rd, buffer);
      INC(length, n);
      IF n < 64 THEN EXIT END;
      AddBlock(state, buffer);
    END;
    (* Padding: a bit 1, zeros, and the number of bits in the last 8 bytes. *)
    buffer[n] := '\200';
    FOR i := n + 1 TO 63 DO buffer[i] := '\000' END;
    IF n >= 56 THEN
      AddBlock(state, buffer);
      FOR i := 0 TO 63 DO buffer[i] := '\000' END;
    END;
    FOR i := 0 TO 7 DO
      buffer[56 + i] := VAL(Word.Extract(8 * length, 8 * ByteOf(i, 8), 8), CHAR);
    END;
    AddBlock(state, buffer);
    FOR i := 0 TO Block.Words - 1 DO
      FOR k := 0 TO 3 DO
        result := result
          & Fmt.Pad(Fmt.Unsigned(Word.Extract(state[i], 8 * ByteOf(k, 4), 8)), 2, '0');
      END;
    END;
    RETURN result;
  END FromFile;

(* The number of the byte, counted from the least significant one, that comes in place i of a
   number of n bytes. *)
PROCEDURE ByteOf(i, n: CARDINAL): CARDINAL =
  BEGIN
    IF Block.BigEndian THEN RETURN n - 1 - i END;
    RETURN i;
  END ByteOf;

PROCEDURE AddBlock(VAR state: Block.State; READONLY bytes: ARRAY [0..63] OF CHAR) =
  VAR words: ARRAY [0..15] OF Word.T;
  BEGIN
    FOR i := 0 TO 15 DO
      words[i] := 0;
      FOR k := 0 TO 3 DO
        words[i] := Word.Insert(words[i], ORD(bytes[4 * i + k]), 8 * ByteOf(k, 4), 8);
      END;
    END;
    Block.Add(state, words);
  END AddBlock;

BEGIN
END MessageDigest.
