(* Writers that pass on what is written to another writer, and flush it soon afterwards without being
   asked. *)
INTERFACE AutoFlushWr;

IMPORT Time, Wr;

TYPE
  T <: Public;
  Public = Wr.T OBJECT METHODS
    (* Writes to ch, which is flushed about p seconds after something has been written; if p is
       negative, after a tenth of a second. A failure of ch in the background is raised by the next
       operation that reaches ch. Closing the writer closes ch. *)
    init(ch: Wr.T; p: Time.T := -1.0D0): T;
  END;

END AutoFlushWr.
