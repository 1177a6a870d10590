INTERFACE RefTextTbl = Table(Refany, Text) END RefTextTbl.
