MODULE RefTextTbl = Table(Refany, Text) END RefTextTbl.
