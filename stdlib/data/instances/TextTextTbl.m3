MODULE TextTextTbl = Table(Text, Text) END TextTextTbl.
