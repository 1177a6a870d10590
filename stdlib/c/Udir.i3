(* Folders, as in C's <dirent.h>. *)
INTERFACE Udir;

FROM Ctypes IMPORT char, const_char_star, int, long, unsigned_char, unsigned_long, unsigned_short;

CONST
  MAXNAMLEN = 255;
  DT_UNKNOWN = 0;
  DT_FIFO = 1;
  DT_CHR = 2;
  DT_DIR = 4;
  DT_BLK = 6;
  DT_REG = 8;
  DT_LNK = 10;
  DT_SOCK = 12;

TYPE
  struct_dirent = RECORD
    d_ino: unsigned_long;
    d_off: long;
    d_reclen: unsigned_short;
    d_type: unsigned_char;
    d_name: ARRAY [0..MAXNAMLEN] OF char;
  END;
  struct_dirent_star = UNTRACED REF struct_dirent;
  dirent = struct_dirent;
  DIR_star = ADDRESS;

<*EXTERNAL*> PROCEDURE opendir(path: const_char_star): DIR_star;
(* NIL at the end. The record lies in memory of the folder, up to the next call. *)
<*EXTERNAL*> PROCEDURE readdir(dir: DIR_star): struct_dirent_star;
<*EXTERNAL*> PROCEDURE telldir(dir: DIR_star): long;
<*EXTERNAL*> PROCEDURE seekdir(dir: DIR_star; place: long);
<*EXTERNAL*> PROCEDURE rewinddir(dir: DIR_star);
<*EXTERNAL*> PROCEDURE closedir(dir: DIR_star): int;

END Udir.
