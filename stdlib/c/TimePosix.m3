MODULE TimePosix;

IMPORT Time, Utime;

CONST
  Million = 1.0D6;

PROCEDURE FromUtime(READONLY tv: Utime.struct_timeval): Time.T =
  BEGIN
    RETURN FLOAT(tv.tv_sec, Time.T) + FLOAT(tv.tv_usec, Time.T) / Million;
  END FromUtime;

PROCEDURE ToUtime(t: Time.T): Utime.struct_timeval =
  VAR tv: Utime.struct_timeval;
  BEGIN
    tv.tv_sec := FLOOR(t);
    tv.tv_usec := FLOOR((t - FLOAT(tv.tv_sec, Time.T)) * Million);
    RETURN tv;
  END ToUtime;

BEGIN
END TimePosix.
