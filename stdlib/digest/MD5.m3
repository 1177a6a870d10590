MODULE MD5 = MessageDigest(MD5Block) END MD5.
