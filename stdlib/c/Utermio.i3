(* Terminals, as in C's <termios.h>. A result of -1 is an error; Cerrno says which. *)
INTERFACE Utermio;

FROM Ctypes IMPORT int, unsigned, unsigned_char;
FROM Utypes IMPORT pid_t;

CONST
  NCCS = 32;
  NCC = 8;

  (* Places in c_cc. *)
  VINTR = 0;
  VQUIT = 1;
  VERASE = 2;
  VKILL = 3;
  VEOF = 4;
  VTIME = 5;
  VMIN = 6;
  VSWTC = 7;
  VSTART = 8;
  VSTOP = 9;
  VSUSP = 10;
  VEOL = 11;
  VREPRINT = 12;
  VDISCARD = 13;
  VWERASE = 14;
  VLNEXT = 15;
  VEOL2 = 16;

  (* c_iflag. *)
  IGNBRK = 1;
  BRKINT = 2;
  IGNPAR = 4;
  PARMRK = 8;
  INPCK = 16;
  ISTRIP = 32;
  INLCR = 64;
  IGNCR = 128;
  ICRNL = 256;
  IUCLC = 512;
  IXON = 1024;
  IXANY = 2048;
  IXOFF = 4096;
  IMAXBEL = 8192;
  IUTF8 = 16384;

  (* c_oflag. *)
  OPOST = 1;
  OLCUC = 2;
  ONLCR = 4;
  OCRNL = 8;
  ONOCR = 16;
  ONLRET = 32;
  OFILL = 64;
  OFDEL = 128;
  NLDLY = 256;
  NL0 = 0;
  NL1 = 256;
  CRDLY = 1536;
  CR0 = 0;
  CR1 = 512;
  CR2 = 1024;
  CR3 = 1536;
  TABDLY = 6144;
  TAB0 = 0;
  TAB1 = 2048;
  TAB2 = 4096;
  TAB3 = 6144;
  XTABS = 6144;
  BSDLY = 8192;
  BS0 = 0;
  BS1 = 8192;
  VTDLY = 16384;
  VT0 = 0;
  VT1 = 16384;
  FFDLY = 32768;
  FF0 = 0;
  FF1 = 32768;

  (* c_cflag. *)
  CBAUD = 4111;
  CSIZE = 48;
  CS5 = 0;
  CS6 = 16;
  CS7 = 32;
  CS8 = 48;
  CSTOPB = 64;
  CREAD = 128;
  PARENB = 256;
  PARODD = 512;
  HUPCL = 1024;
  CLOCAL = 2048;
  CRTSCTS = 2147483648;

  (* c_lflag. *)
  ISIG = 1;
  ICANON = 2;
  XCASE = 4;
  ECHO = 8;
  ECHOE = 16;
  ECHOK = 32;
  ECHONL = 64;
  NOFLSH = 128;
  TOSTOP = 256;
  ECHOCTL = 512;
  ECHOPRT = 1024;
  ECHOKE = 2048;
  FLUSHO = 4096;
  PENDIN = 16384;
  IEXTEN = 32768;

  (* Speeds. *)
  B0 = 0;
  B50 = 1;
  B75 = 2;
  B110 = 3;
  B134 = 4;
  B150 = 5;
  B200 = 6;
  B300 = 7;
  B600 = 8;
  B1200 = 9;
  B1800 = 10;
  B2400 = 11;
  B4800 = 12;
  B9600 = 13;
  B19200 = 14;
  B38400 = 15;
  B57600 = 4097;
  B115200 = 4098;
  B230400 = 4099;
  EXTA = 14;
  EXTB = 15;

  (* Arguments of tcsetattr, tcflush and tcflow. *)
  TCSANOW = 0;
  TCSADRAIN = 1;
  TCSAFLUSH = 2;
  TCIFLUSH = 0;
  TCOFLUSH = 1;
  TCIOFLUSH = 2;
  TCOOFF = 0;
  TCOON = 1;
  TCIOFF = 2;
  TCION = 3;

  (* Requests of Unix.ioctl. *)
  TCGETS = 21505;
  TCSETS = 21506;
  TCSETSW = 21507;
  TCSETSF = 21508;
  TCGETA = 21509;
  TCSETA = 21510;
  TCSETAW = 21511;
  TCSETAF = 21512;
  TCSBRK = 21513;
  TCXONC = 21514;
  TCFLSH = 21515;
  TIOCGWINSZ = 21523;
  TIOCSWINSZ = 21524;

TYPE
  tcflag_t = unsigned;
  cc_t = unsigned_char;
  speed_t = unsigned;
  struct_termios = RECORD
    c_iflag: tcflag_t;
    c_oflag: tcflag_t;
    c_cflag: tcflag_t;
    c_lflag: tcflag_t;
    c_line: cc_t;
    c_cc: ARRAY [0..NCCS - 1] OF cc_t;
    c_ispeed: speed_t;
    c_ospeed: speed_t;
  END;
  termios = struct_termios;
  struct_termios_star = UNTRACED REF struct_termios;
  struct_winsize = RECORD
    ws_row: BITS 16 FOR [0..65535];
    ws_col: BITS 16 FOR [0..65535];
    ws_xpixel: BITS 16 FOR [0..65535];
    ws_ypixel: BITS 16 FOR [0..65535];
  END;

<*EXTERNAL*> PROCEDURE tcgetattr(fd: int; term: struct_termios_star): int;
<*EXTERNAL*> PROCEDURE tcsetattr(fd, actions: int; term: struct_termios_star): int;
<*EXTERNAL*> PROCEDURE tcsendbreak(fd, duration: int): int;
<*EXTERNAL*> PROCEDURE tcdrain(fd: int): int;
<*EXTERNAL*> PROCEDURE tcflush(fd, queue: int): int;
<*EXTERNAL*> PROCEDURE tcflow(fd, action: int): int;
<*EXTERNAL "tn_unix_tcgetpgrp"*> PROCEDURE tcgetpgrp(fd: int): pid_t;
<*EXTERNAL "tn_unix_tcsetpgrp"*> PROCEDURE tcsetpgrp(fd: int; group: pid_t): int;
<*EXTERNAL*> PROCEDURE cfgetospeed(term: struct_termios_star): speed_t;
<*EXTERNAL*> PROCEDURE cfsetospeed(term: struct_termios_star; speed: speed_t): int;
<*EXTERNAL*> PROCEDURE cfgetispeed(term: struct_termios_star): speed_t;
<*EXTERNAL*> PROCEDURE cfsetispeed(term: struct_termios_star; speed: speed_t): int;
<*EXTERNAL*> PROCEDURE cfmakeraw(term: struct_termios_star);

END Utermio.
