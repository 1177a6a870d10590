INTERFACE TextArraySort = ArraySort(Text) END TextArraySort.
