INTERFACE TextTextTbl = Table(Text, Text) END TextTextTbl.
