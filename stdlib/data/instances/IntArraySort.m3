MODULE IntArraySort = ArraySort(Integer) END IntArraySort.
