MODULE TextRefBPlusTree = BPlusTree(Text, Refany, TextRefTbl, SortedTextRefTbl) END TextRefBPlusTree.
