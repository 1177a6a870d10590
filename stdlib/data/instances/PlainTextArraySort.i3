INTERFACE PlainTextArraySort = ArraySort(Text) END PlainTextArraySort.
