MODULE RefRefTbl = Table(Refany, Refany) END RefRefTbl.
