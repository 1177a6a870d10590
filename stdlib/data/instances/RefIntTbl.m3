MODULE RefIntTbl = Table(Refany, Integer) END RefIntTbl.
