INTERFACE IntArraySort = ArraySort(Integer) END IntArraySort.
