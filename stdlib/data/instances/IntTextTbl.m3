MODULE IntTextTbl = Table(Integer, Text) END IntTextTbl.
