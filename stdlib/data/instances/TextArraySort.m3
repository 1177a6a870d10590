MODULE TextArraySort = ArraySort(Text) END TextArraySort.
