MODULE IntList = List(Integer) END IntList.
