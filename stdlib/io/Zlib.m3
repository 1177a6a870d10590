UNSAFE MODULE Zlib;

IMPORT CodecRW, LibZ, M3toC, Rd, Wr;
FROM CodecRW IMPORT Mode;
FROM Ctypes IMPORT int, unsigned_int;

TYPE
  Codec = CodecRW.Codec OBJECT
      stream: LibZ.Stream;
    END;

  Expander = Codec OBJECT
      format: Format;
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
  (* The largest window, and a number that selects the format. *)
  WindowBits = ARRAY Format OF int{15, 15 + 16, -15};

  (* About what zlib allocates. *)
  ExpanderBytes = 48 * 1024;
  CompressorBytes = 272 * 1024;

  MemoryLevel = 8;  (* zlib's own choice *)

PROCEDURE NewExpander(format: Format): Expander RAISES {Error} =
  VAR
    c := NEW(Expander, bytes := ExpanderBytes, format := format, stream := NEW(LibZ.Stream));
    code: int;
  BEGIN
    code := LibZ.inflateInit(c.stream, WindowBits[format], M3toC.FlatTtoS(LibZ.VERSION),
                             BYTESIZE(c.stream^));
    IF code # LibZ.OK THEN
      WITH why = ErrorText(c, code) DO
        DISPOSE(c.stream);
        RAISE Error(why);
      END;
    END;
    RETURN c;
  END NewExpander;

PROCEDURE NewCompressor(format: Format; level: Level): Compressor RAISES {Error} =
  VAR
    c := NEW(Compressor, bytes := CompressorBytes, stream := NEW(LibZ.Stream));
    code: int;
  BEGIN
    code := LibZ.deflateInit(c.stream, level, LibZ.DEFLATED, WindowBits[format], MemoryLevel, 0,
                             M3toC.FlatTtoS(LibZ.VERSION), BYTESIZE(c.stream^));
    IF code # LibZ.OK THEN
      WITH why = ErrorText(c, code) DO
        DISPOSE(c.stream);
        RAISE Error(why);
      END;
    END;
    RETURN c;
  END NewCompressor;

PROCEDURE FreeExpander(c: Expander) =
  BEGIN
    EVAL LibZ.inflateEnd(c.stream);
    DISPOSE(c.stream);
  END FreeExpander;

PROCEDURE FreeCompressor(c: Compressor) =
  BEGIN
    EVAL LibZ.deflateEnd(c.stream);
    DISPOSE(c.stream);
  END FreeCompressor;

PROCEDURE ErrorText(c: Codec; code: int): TEXT =
  BEGIN
    IF c.stream.msg # NIL THEN RETURN M3toC.CopyStoT(c.stream.msg) END;
    RETURN M3toC.CopyStoT(LibZ.zError(code));
  END ErrorText;

(* Lets zlib see the two buffers. *)
PROCEDURE Show(c: Codec; READONLY from: ARRAY OF CHAR; VAR to: ARRAY OF CHAR) =
  BEGIN
    c.stream.next_in := NIL;
    IF NUMBER(from) > 0 THEN c.stream.next_in := ADR(from[0]) END;
    c.stream.avail_in := MIN(NUMBER(from), LAST(unsigned_int));
    c.stream.next_out := ADR(to[0]);
    c.stream.avail_out := MIN(NUMBER(to), LAST(unsigned_int));
  END Show;

PROCEDURE ExpandStep(c: Expander; READONLY from: ARRAY OF CHAR; VAR used: CARDINAL;
                     VAR to: ARRAY OF CHAR; VAR made: CARDINAL; <*UNUSED*> mode: Mode): BOOLEAN
  RAISES {CodecRW.Error} =
  VAR code: int;
  BEGIN
    Show(c, from, to);
    code := LibZ.inflate(c.stream, LibZ.NO_FLUSH);
    used := NUMBER(from) - c.stream.avail_in;
    made := NUMBER(to) - c.stream.avail_out;
    (* A buffer error only means that there was nothing to do. *)
    IF code # LibZ.OK AND code # LibZ.STREAM_END AND code # LibZ.BUF_ERROR THEN
      RAISE CodecRW.Error(ErrorText(c, code));
    END;
    RETURN code = LibZ.STREAM_END;
  END ExpandStep;

PROCEDURE Again(c: Expander): BOOLEAN RAISES {CodecRW.Error} =
  VAR code: int;
  BEGIN
    IF c.format # Format.Gzip THEN RETURN FALSE END;
    code := LibZ.inflateReset(c.stream);
    IF code # LibZ.OK THEN RAISE CodecRW.Error(ErrorText(c, code)) END;
    RETURN TRUE;
  END Again;

PROCEDURE CompressStep(c: Compressor; READONLY from: ARRAY OF CHAR; VAR used: CARDINAL;
                       VAR to: ARRAY OF CHAR; VAR made: CARDINAL; mode: Mode): BOOLEAN
  RAISES {CodecRW.Error} =
  CONST Flush = ARRAY Mode OF int{LibZ.NO_FLUSH, LibZ.SYNC_FLUSH, LibZ.FINISH};
  VAR code: int;
  BEGIN
    Show(c, from, to);
    code := LibZ.deflate(c.stream, Flush[mode]);
    used := NUMBER(from) - c.stream.avail_in;
    made := NUMBER(to) - c.stream.avail_out;
    IF code # LibZ.OK AND code # LibZ.STREAM_END AND code # LibZ.BUF_ERROR THEN
      RAISE CodecRW.Error(ErrorText(c, code));
    END;
    IF mode = Mode.End THEN RETURN code = LibZ.STREAM_END END;
    (* Room that is left means that zlib has no more output. *)
    RETURN used = NUMBER(from) AND c.stream.avail_out > 0;
  END CompressStep;

(* --- The interface *)

PROCEDURE NewRd(source: Rd.T; format: Format): Rd.T RAISES {Error} =
  BEGIN
    RETURN CodecRW.NewRd(NewExpander(format), source);
  END NewRd;

PROCEDURE NewWr(target: Wr.T; format: Format; level: Level): Wr.T RAISES {Error} =
  BEGIN
    RETURN CodecRW.NewWr(NewCompressor(format, level), target);
  END NewWr;

PROCEDURE Compress(t: TEXT; format: Format; level: Level): TEXT RAISES {Error} =
  BEGIN
    TRY
      RETURN CodecRW.Whole(NewCompressor(format, level), t, expands := FALSE);
    EXCEPT
    | CodecRW.Error (why) => RAISE Error(why);
    END;
  END Compress;

PROCEDURE Expand(t: TEXT; format: Format; most: CARDINAL): TEXT RAISES {Error} =
  BEGIN
    TRY
      RETURN CodecRW.Whole(NewExpander(format), t, expands := TRUE, most := most);
    EXCEPT
    | CodecRW.Error (why) => RAISE Error(why);
    END;
  END Expand;

BEGIN
END Zlib.
