MODULE RefTransientList = List(RootTransient, RefanyTransient) END RefTransientList.
