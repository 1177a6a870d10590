MODULE CodecRW;

IMPORT Atom, AtomList, Fmt, Rd, RdClass, Text, TextRd, Thread, WeakRef, Wr, WrClass;
FROM RdClass IMPORT SeekResult;

CONST
  BufferSize = 32768;

REVEAL
  State = <*TRANSIENT*> ROOT BRANDED "CodecRW.State" OBJECT
      isFree := FALSE;
      (* As many bytes as C has allocated, so that the collector knows what it can free. *)
      weight: REF ARRAY OF CHAR := NIL;
    END;

TYPE
  Reader = Rd.T OBJECT
      codec: Codec;
      source: Rd.T;
      input: REF ARRAY OF CHAR;
      from, to: CARDINAL := 0;  (* the characters of input that are left *)
      sourceEnded := FALSE;
      dataEnded := FALSE;       (* the codec has said so, and nothing follows yet *)
    OVERRIDES
      seek := Seek;
      length := LengthOf;
      close := CloseRd;
    END;

  Writer = Wr.T OBJECT
      codec: Codec;
      target: Wr.T;
      output: REF ARRAY OF CHAR;
    OVERRIDES
      seek := Send;
      flush := Flush;
      close := CloseWr;
    END;

(* --- Memory *)

(* Makes the memory of C be freed some time after the codec has become unreachable. *)
PROCEDURE Watch(c: Codec) =
  BEGIN
    c.weight := NEW(REF ARRAY OF CHAR, c.bytes);
    EVAL WeakRef.FromRef(c, CleanUp);
  END Watch;

PROCEDURE CleanUp(<*UNUSED*> READONLY w: WeakRef.T; r: REFANY) =
  BEGIN
    Free(r);
  END CleanUp;

(* A second call does nothing. *)
PROCEDURE Free(c: Codec) =
  BEGIN
    IF c.isFree THEN RETURN END;
    c.isFree := TRUE;
    c.weight := NIL;
    c.free();
  END Free;

PROCEDURE Causes(why: TEXT): AtomList.T =
  BEGIN
    RETURN AtomList.List1(Atom.FromText(why));
  END Causes;

(* --- Reading *)

PROCEDURE NewRd(c: Codec; source: Rd.T): Rd.T =
  VAR rd := NEW(Reader, codec := c, source := source, input := NEW(REF ARRAY OF CHAR, BufferSize));
  BEGIN
    Watch(c);
    RdClass.Init(rd);
    rd.buff := NEW(REF ARRAY OF CHAR, BufferSize);
    rd.intermittent := TRUE;  (* nobody knows the length before the end *)
    RETURN rd;
  END NewRd;

PROCEDURE Seek(rd: Reader; n: CARDINAL; dontBlock: BOOLEAN): SeekResult
  RAISES {Rd.Failure, Thread.Alerted} =
  VAR used, made: CARDINAL;
  BEGIN
    rd.st := 0;
    rd.lo := n;
    rd.cur := n;
    rd.hi := n;
    LOOP
      IF rd.from = rd.to AND NOT rd.sourceEnded THEN
        IF dontBlock AND Rd.CharsReady(rd.source) = 0 THEN RETURN SeekResult.WouldBlock END;
        Refill(rd);
      END;
      TRY
        IF rd.dataEnded THEN
          IF rd.from = rd.to OR NOT rd.codec.again() THEN RETURN SeekResult.Eof END;
          rd.dataEnded := FALSE;
        END;
        rd.dataEnded := rd.codec.step(SUBARRAY(rd.input^, rd.from, rd.to - rd.from), used, rd.buff^,
                                      made, Mode.More);
        INC(rd.from, used);
        IF made > 0 THEN
          rd.hi := n + made;
          RETURN SeekResult.Ready;
        END;
        IF rd.sourceEnded AND NOT rd.dataEnded AND used = 0 THEN
          RAISE Error("the compressed data are not complete");
        END;
      EXCEPT
      | Error (why) => RAISE Rd.Failure(Causes(why));
      END;
    END;
  END Seek;

(* Waits for characters of the source, and takes those that there are. *)
PROCEDURE Refill(rd: Reader) RAISES {Rd.Failure, Thread.Alerted} =
  VAR n: CARDINAL;
  BEGIN
    IF Rd.EOF(rd.source) THEN
      rd.sourceEnded := TRUE;
    ELSE
      n := MIN(MAX(1, Rd.CharsReady(rd.source)), NUMBER(rd.input^));
      rd.from := 0;
      rd.to := Rd.GetSub(rd.source, SUBARRAY(rd.input^, 0, n));
    END;
  END Refill;

PROCEDURE LengthOf(<*UNUSED*> rd: Reader): INTEGER =
  BEGIN
    RETURN -1;
  END LengthOf;

PROCEDURE CloseRd(rd: Reader) =
  BEGIN
    Free(rd.codec);
  END CloseRd;

(* --- Writing *)

PROCEDURE NewWr(c: Codec; target: Wr.T): Wr.T =
  VAR wr := NEW(Writer, codec := c, target := target, output := NEW(REF ARRAY OF CHAR, BufferSize));
  BEGIN
    Watch(c);
    wr.buff := NEW(REF ARRAY OF CHAR, BufferSize);
    wr.st := 0;
    wr.lo := 0;
    wr.cur := 0;
    wr.hi := BufferSize;
    wr.closed := FALSE;
    wr.seekable := FALSE;
    wr.buffered := TRUE;
    RETURN wr;
  END NewWr;

(* Gives the characters of the buffer to the codec. If the target fails, those that the codec has
   taken have left the buffer. *)
PROCEDURE Pass(wr: Writer; mode: Mode) RAISES {Wr.Failure, Thread.Alerted} =
  VAR used, made: CARDINAL;  done: BOOLEAN;
  BEGIN
    REPEAT
      TRY
        done := wr.codec.step(SUBARRAY(wr.buff^, wr.st, wr.cur - wr.lo), used, wr.output^, made, mode);
      EXCEPT
      | Error (why) => RAISE Wr.Failure(Causes(why));
      END;
      INC(wr.lo, used);
      INC(wr.st, used);
      Wr.PutString(wr.target, SUBARRAY(wr.output^, 0, made));
    UNTIL done;
    wr.st := 0;
    wr.lo := wr.cur;
    wr.hi := wr.cur + NUMBER(wr.buff^);
  END Pass;

PROCEDURE Send(wr: Writer; <*UNUSED*> n: CARDINAL) RAISES {Wr.Failure, Thread.Alerted} =
  BEGIN
    Pass(wr, Mode.More);
  END Send;

PROCEDURE Flush(wr: Writer) RAISES {Wr.Failure, Thread.Alerted} =
  BEGIN
    Pass(wr, Mode.Flush);
    Wr.Flush(wr.target);
  END Flush;

PROCEDURE CloseWr(wr: Writer) RAISES {Wr.Failure, Thread.Alerted} =
  BEGIN
    TRY
      Pass(wr, Mode.End);
      Wr.Flush(wr.target);
    FINALLY
      Free(wr.codec);
    END;
  END CloseWr;

(* --- Whole texts *)

PROCEDURE Whole(c: Codec; t: TEXT; expands: BOOLEAN; most: CARDINAL): TEXT RAISES {Error} =
  <*FATAL Rd.Failure, Thread.Alerted*>  (* of a reader of a text *)
  VAR
    source := TextRd.New(t);
    input := NEW(REF ARRAY OF CHAR, BufferSize);
    output := NEW(REF ARRAY OF CHAR, BufferSize);
    from, to, used, made: CARDINAL := 0;
    done := FALSE;
    mode := Mode.More;
    result := "";
  BEGIN
    TRY
      LOOP
        IF from = to THEN
          from := 0;
          to := Rd.GetSub(source, input^);
          IF to = 0 AND NOT expands THEN mode := Mode.End END;
        END;
        IF done AND expands THEN
          IF from = to THEN RETURN result END;
          IF NOT c.again() THEN RAISE Error("something follows the compressed data") END;
        END;
        done := c.step(SUBARRAY(input^, from, to - from), used, output^, made, mode);
        INC(from, used);
        IF made > most - Text.Length(result) THEN
          RAISE Error("the result would have more than " & Fmt.Int(most) & " characters");
        END;
        result := result & Text.FromChars(SUBARRAY(output^, 0, made));
        IF done AND mode = Mode.End THEN RETURN result END;
        IF expands AND NOT done AND to = 0 AND made = 0 THEN
          RAISE Error("the compressed data are not complete");
        END;
      END;
    FINALLY
      Free(c);
    END;
  END Whole;

BEGIN
END CodecRW.
