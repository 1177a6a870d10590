(* Writers that pass their characters on to another writer and flush it soon afterwards by
   themselves. *)
INTERFACE AutoFlushWr;

IMPORT Time, Wr;

TYPE
  T <: Public;
  Public = Wr.T OBJECT METHODS
    (* A writer to ch that flushes ch about p seconds after a write; a tenth of a second after
       it if p is negative. A failure of ch in the background is raised by the next operation
       that reaches ch. Closing the writer closes ch. *)
    init(ch: Wr.T; p: Time.T := -1.0D0): T;
  END;

END AutoFlushWr.
