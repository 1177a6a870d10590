INTERFACE IntList = List(Integer) END IntList.
