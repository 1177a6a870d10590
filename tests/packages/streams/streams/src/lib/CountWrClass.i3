INTERFACE CountWrClass;
IMPORT CountWr, Wr;
REVEAL CountWr.T <: Private;
TYPE Private = CountWr.Public OBJECT child: Wr.T; chars, lines: CARDINAL := 0 END;
END CountWrClass.
