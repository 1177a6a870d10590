INTERFACE PickleRep = PickleRep(Pickle, PickleName) END PickleRep.
