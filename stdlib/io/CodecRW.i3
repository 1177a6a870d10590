(* Readers and writers that compress or expand what passes through them: what Zlib and Zstd share.
   Programs make them by those. *)
INTERFACE CodecRW;

IMPORT Rd, Wr;

TYPE
  Mode = {More, Flush, End};

  (* One direction of a format, used by one thread at a time. Its memory of C is freed by `free`, or
     some time after the last use. *)
  State <: <*TRANSIENT*> ROOT;
  Codec = State OBJECT
    bytes: CARDINAL := 0;  (* about the memory of C that it needs *)
  METHODS
    (* Takes characters of `from` and fills `to`; returns their numbers in `used` and `made`. A
       compressor returns TRUE when all that it was given is in the output, and with End, when its
       end is too. An expander has only More, and returns TRUE when the compressed data have ended. *)
    step(READONLY from: ARRAY OF CHAR; VAR used: CARDINAL; VAR to: ARRAY OF CHAR; VAR made: CARDINAL;
         mode: Mode): BOOLEAN RAISES {Error};

    (* Of an expander that has returned TRUE: whether other compressed data may follow directly, which
       the next step takes. *)
    again(): BOOLEAN RAISES {Error};

    (* Frees the memory of C; only once. *)
    free();
  END;

EXCEPTION
  Error(TEXT);

(* A reader of what the codec, an expander, makes of `source`. *)
PROCEDURE NewRd(c: Codec; source: Rd.T): Rd.T;

(* A writer that sends on what the codec, a compressor, makes of what is put. *)
PROCEDURE NewWr(c: Codec; target: Wr.T): Wr.T;

(* What the codec makes of a text. The result has at most `most` characters, or Error is raised. *)
PROCEDURE Whole(c: Codec; t: TEXT; expands: BOOLEAN; most: CARDINAL := LAST(CARDINAL)): TEXT
  RAISES {Error};

END CodecRW.
