INTERFACE RefIntTbl = Table(Refany, Integer) END RefIntTbl.
