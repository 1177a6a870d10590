MODULE Pickle EXPORTS Pickle, PickleRep = PickleGraph(PickleRep) END Pickle.
