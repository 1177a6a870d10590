INTERFACE TextChannel = Channel(Text) END TextChannel.
