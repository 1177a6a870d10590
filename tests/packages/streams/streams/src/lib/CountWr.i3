INTERFACE CountWr;
IMPORT Wr;
TYPE T <: Public; Public = Wr.T OBJECT METHODS init(ch: Wr.T): T RAISES {} END;
PROCEDURE New(ch: Wr.T): T;
PROCEDURE Count(t: T): CARDINAL;
PROCEDURE Lines(t: T): CARDINAL;
END CountWr.
