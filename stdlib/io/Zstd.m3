UNSAFE MODULE Zstd;

IMPORT CodecRW, LibZstd, M3toC, Rd, Wr;
FROM CodecRW IMPORT Mode;
FROM Ctypes IMPORT int;

TYPE
  Codec = CodecRW.Codec OBJECT
      context: ADDRESS;
    END;

  Expander = Codec OBJECT
    OVERRIDES
      step := ExpandStep;
      again := Again;
      free := FreeExpander;
    END;

  Compressor = Codec OBJECT
    OVERRIDES
      step := CompressStep;
      free := FreeCompressor;
    END;

CONST
  (* About what the library allocates; at the highest levels it needs ten times as much. *)
  ExpanderBytes = 2 * 1024 * 1024;
  CompressorBytes = 4 * 1024 * 1024;

PROCEDURE NewExpander(): Expander RAISES {Error} =
  VAR c := NEW(Expander, bytes := ExpanderBytes, context := LibZstd.createD());
  BEGIN
    IF c.context = NIL THEN RAISE Error("no memory to expand") END;
    RETURN c;
  END NewExpander;

PROCEDURE NewCompressor(level: Level): Compressor RAISES {Error} =
  VAR c := NEW(Compressor, bytes := CompressorBytes, context := LibZstd.createC());
  BEGIN
    IF c.context = NIL THEN RAISE Error("no memory to compress") END;
    EVAL LibZstd.set(c.context, LibZstd.compressionLevel, level);
    EVAL LibZstd.set(c.context, LibZstd.checksumFlag, 1);
    RETURN c;
  END NewCompressor;

PROCEDURE FreeExpander(c: Expander) =
  BEGIN
    EVAL LibZstd.freeD(c.context);
  END FreeExpander;

PROCEDURE FreeCompressor(c: Compressor) =
  BEGIN
    EVAL LibZstd.freeC(c.context);
  END FreeCompressor;

PROCEDURE Check(code: INTEGER) RAISES {CodecRW.Error} =
  BEGIN
    IF LibZstd.isError(code) # 0 THEN
      RAISE CodecRW.Error(M3toC.CopyStoT(LibZstd.getErrorName(code)));
    END;
  END Check;

PROCEDURE BufferOf(READONLY a: ARRAY OF CHAR): LibZstd.Buffer =
  BEGIN
    IF NUMBER(a) = 0 THEN RETURN LibZstd.Buffer{NIL, 0, 0} END;
    RETURN LibZstd.Buffer{ADR(a[0]), NUMBER(a), 0};
  END BufferOf;

PROCEDURE ExpandStep(c: Expander; READONLY from: ARRAY OF CHAR; VAR used: CARDINAL;
                     VAR to: ARRAY OF CHAR; VAR made: CARDINAL; <*UNUSED*> mode: Mode): BOOLEAN
  RAISES {CodecRW.Error} =
  VAR input := BufferOf(from);  output := BufferOf(to);
      code := LibZstd.decompress(c.context, output, input);
  BEGIN
    Check(code);
    used := input.at;
    made := output.at;
    RETURN code = 0;
  END ExpandStep;

(* The library begins the next frame by itself. *)
PROCEDURE Again(<*UNUSED*> c: Expander): BOOLEAN =
  BEGIN
    RETURN TRUE;
  END Again;

PROCEDURE CompressStep(c: Compressor; READONLY from: ARRAY OF CHAR; VAR used: CARDINAL;
                       VAR to: ARRAY OF CHAR; VAR made: CARDINAL; mode: Mode): BOOLEAN
  RAISES {CodecRW.Error} =
  CONST Modes = ARRAY Mode OF int{LibZstd.continue, LibZstd.flush, LibZstd.end};
  VAR input := BufferOf(from);  output := BufferOf(to);
      left := LibZstd.compress(c.context, output, input, Modes[mode]);
  BEGIN
    Check(left);
    used := input.at;
    made := output.at;
    IF mode = Mode.More THEN RETURN used = NUMBER(from) END;
    RETURN left = 0;
  END CompressStep;

(* --- The interface *)

PROCEDURE NewRd(source: Rd.T): Rd.T RAISES {Error} =
  BEGIN
    RETURN CodecRW.NewRd(NewExpander(), source);
  END NewRd;

PROCEDURE NewWr(target: Wr.T; level: Level): Wr.T RAISES {Error} =
  BEGIN
    RETURN CodecRW.NewWr(NewCompressor(level), target);
  END NewWr;

PROCEDURE Compress(t: TEXT; level: Level): TEXT RAISES {Error} =
  BEGIN
    TRY
      RETURN CodecRW.Whole(NewCompressor(level), t, expands := FALSE);
    EXCEPT
    | CodecRW.Error (why) => RAISE Error(why);
    END;
  END Compress;

PROCEDURE Expand(t: TEXT; most: CARDINAL): TEXT RAISES {Error} =
  BEGIN
    TRY
      RETURN CodecRW.Whole(NewExpander(), t, expands := TRUE, most := most);
    EXCEPT
    | CodecRW.Error (why) => RAISE Error(why);
    END;
  END Expand;

BEGIN
END Zstd.
