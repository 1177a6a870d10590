INTERFACE RefRefTbl = Table(Refany, Refany) END RefRefTbl.
