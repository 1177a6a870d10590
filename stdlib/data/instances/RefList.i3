INTERFACE RefList = List(Refany) END RefList.
