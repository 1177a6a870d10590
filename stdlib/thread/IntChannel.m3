MODULE IntChannel = Channel(Integer) END IntChannel.
