INTERFACE TextRefBPlusTree = BPlusTree(Text, Refany, SortedTextRefTbl) END TextRefBPlusTree.
