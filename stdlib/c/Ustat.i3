(* The status of files. The record is not C's own: the procedures fill it from C's record. *)
INTERFACE Ustat;

FROM Ctypes IMPORT const_char_star, int;

CONST
  S_IFMT = 8_170000;
  S_IFSOCK = 8_140000;
  S_IFLNK = 8_120000;
  S_IFREG = 8_100000;
  S_IFBLK = 8_60000;
  S_IFDIR = 8_40000;
  S_IFCHR = 8_20000;
  S_IFIFO = 8_10000;
  S_ISUID = 8_4000;
  S_ISGID = 8_2000;
  S_ISVTX = 8_1000;
  S_IREAD = 8_400;
  S_IWRITE = 8_200;
  S_IEXEC = 8_100;
  S_GREAD = 8_40;
  S_GWRITE = 8_20;
  S_GEXEC = 8_10;
  S_OREAD = 8_4;
  S_OWRITE = 8_2;
  S_OEXEC = 8_1;

TYPE
  struct_stat = RECORD
    st_dev: LONGINT;
    st_ino: LONGINT;
    st_mtime: LONGINT;
    st_nlink: LONGINT;
    st_rdev: LONGINT;
    st_size: LONGINT;
    st_flags: INTEGER;
    st_gid: INTEGER;
    st_mode: INTEGER;
    st_uid: INTEGER;
  END;
  struct_stat_star = UNTRACED REF struct_stat;

<*EXTERNAL "tn_unix_stat"*> PROCEDURE stat(path: const_char_star; buf: struct_stat_star): int;
<*EXTERNAL "tn_unix_fstat"*> PROCEDURE fstat(fd: int; buf: struct_stat_star): int;
<*EXTERNAL "tn_unix_lstat"*> PROCEDURE lstat(path: const_char_star; buf: struct_stat_star): int;

END Ustat.
