MODULE RefIntBPlusTree = BPlusTree(Refany, Integer, RefIntTbl, SortedRefIntTbl) END RefIntBPlusTree.
