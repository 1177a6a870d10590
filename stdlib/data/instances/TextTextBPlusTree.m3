MODULE TextTextBPlusTree = BPlusTree(Text, Text, TextTextTbl, SortedTextTextTbl) END TextTextBPlusTree.
