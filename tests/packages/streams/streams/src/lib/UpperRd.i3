INTERFACE UpperRd;
IMPORT Rd;
TYPE T <: Public; Public = Rd.T OBJECT METHODS init(src: Rd.T): T END;
END UpperRd.
