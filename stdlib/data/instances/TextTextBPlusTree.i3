INTERFACE TextTextBPlusTree = BPlusTree(Text, Text, SortedTextTextTbl) END TextTextBPlusTree.
