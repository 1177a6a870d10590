INTERFACE IntTextTbl = Table(Integer, Text) END IntTextTbl.
