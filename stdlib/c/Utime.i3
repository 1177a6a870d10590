(* C's procedures for time, as in C. A time_t is a long on this system. *)
INTERFACE Utime;

FROM Ctypes IMPORT char_star, int, long, long_star;

TYPE
  struct_timeval = RECORD
    tv_sec: long;
    tv_usec: long;
  END;
  struct_timezone = RECORD
    tz_minuteswest: int;
    tz_dsttime: int;
  END;
  struct_timeval_star = UNTRACED REF struct_timeval;
  struct_timespec = RECORD
    tv_sec: long;
    tv_nsec: long;
  END;
  struct_timespec_star = UNTRACED REF struct_timespec;
  struct_itimerval = RECORD
    it_interval: struct_timeval;
    it_value: struct_timeval;
  END;
  struct_tm_star = UNTRACED REF struct_tm;
  struct_tm = RECORD
    tm_sec: int;
    tm_min: int;
    tm_hour: int;
    tm_mday: int;
    tm_mon: int;
    tm_year: int;
    tm_wday: int;
    tm_yday: int;
    tm_isdst: int;
    tm_gmtoff: long;
    tm_zone: char_star;
  END;
  time_t = long;
  struct_tms_star = UNTRACED REF struct_tms;
  struct_tms = RECORD
    tms_utime: long;
    tms_stime: long;
    tms_cutime: long;
    tms_cstime: long;
  END;

<*EXTERNAL*> PROCEDURE gettimeofday(VAR t: struct_timeval; VAR z: struct_timezone): int;
<*EXTERNAL*> PROCEDURE settimeofday(VAR t: struct_timeval; VAR z: struct_timezone): int;
<*EXTERNAL*> PROCEDURE adjtime(VAR delta, oldDelta: struct_timeval): int;

CONST
  ITIMER_REAL = 0;
  ITIMER_VIRTUAL = 1;
  ITIMER_PROF = 2;

<*EXTERNAL*> PROCEDURE getitimer(which: int; VAR value: struct_itimerval): int;
<*EXTERNAL*> PROCEDURE setitimer(which: int; VAR value, ovalue: struct_itimerval): int;
<*EXTERNAL*> PROCEDURE clock(): long;
<*EXTERNAL*> PROCEDURE times(buffer: struct_tms_star): long;
<*EXTERNAL*> PROCEDURE time(tloc: long_star): long;
<*EXTERNAL*> PROCEDURE ctime(clock: long_star): char_star;
<*EXTERNAL*> PROCEDURE asctime(tm: struct_tm_star): char_star;
<*EXTERNAL*> PROCEDURE localtime(clock: long_star): struct_tm_star;
<*EXTERNAL*> PROCEDURE gmtime(clock: long_star): struct_tm_star;
<*EXTERNAL*> PROCEDURE mktime(tm: struct_tm_star): time_t;
<*EXTERNAL "tn_unix_ctime_r"*>
PROCEDURE ctime_r(clock: long_star; buf: char_star; buflen: int): char_star;
<*EXTERNAL*> PROCEDURE localtime_r(clock: long_star; res: struct_tm_star): struct_tm_star;
<*EXTERNAL*> PROCEDURE gmtime_r(clock: long_star; res: struct_tm_star): struct_tm_star;
<*EXTERNAL "tn_unix_asctime_r"*>
PROCEDURE asctime_r(tm: struct_tm_star; buf: char_star; buflen: int): char_star;

<*EXTERNAL*> VAR timezone: time_t;
<*EXTERNAL*> VAR daylight: int;
<*EXTERNAL*> VAR tzname: ARRAY [0..1] OF char_star;

<*EXTERNAL*> PROCEDURE tzset();

<*EXTERNAL*> PROCEDURE nanosleep(time, rest: struct_timespec_star): int;

END Utime.
