(* Some of the C library curl, and the C library's streams in memory. For programs there is Http. *)
<*LIBRARY "curl", "libcurl4-openssl-dev"*>
UNSAFE INTERFACE LibCurl;

FROM Ctypes IMPORT char_star, const_char_star, int, long;

TYPE
  (* A CURLMsg. *)
  Message = UNTRACED REF RECORD
    msg: int;
    easy: ADDRESS;
    result: int;
  END;

CONST
  GLOBAL_ALL = 3;

  (* Options; the value is a number below 10000, an address below 20000, and a number of 64 bits from
     30000 on. *)
  NOBODY = 44;
  FOLLOWLOCATION = 52;
  MAXREDIRS = 68;
  NOSIGNAL = 99;
  TIMEOUT_MS = 155;
  WRITEDATA = 10001;
  URL = 10002;
  ERRORBUFFER = 10010;  (* ERROR_SIZE characters *)
  USERAGENT = 10018;
  HTTPHEADER = 10023;
  HEADERDATA = 10029;
  CUSTOMREQUEST = 10036;
  ACCEPT_ENCODING = 10102;
  COPYPOSTFIELDS = 10165;
  PROTOCOLS_STR = 10318;
  REDIR_PROTOCOLS_STR = 10319;
  POSTFIELDSIZE_LARGE = 30120;

  ERROR_SIZE = 256;

  INFO_EFFECTIVE_URL = 16_100001;  (* a char_star *)
  INFO_RESPONSE_CODE = 16_200002;  (* a long *)

  DONE = 1;  (* a message's msg *)

(* Results are 0 or an error, which strerror explains; those of multi_ by multi_strerror. *)
<*EXTERNAL "curl_global_init"*> PROCEDURE global_init(flags: long): int;
<*EXTERNAL "curl_easy_init"*> PROCEDURE easy_init(): ADDRESS;
<*EXTERNAL "curl_easy_cleanup"*> PROCEDURE easy_cleanup(easy: ADDRESS);
<*EXTERNAL "curl_easy_setopt"*> PROCEDURE set_number(easy: ADDRESS; option: int; value: long): int;
<*EXTERNAL "curl_easy_setopt"*> PROCEDURE set_address(easy: ADDRESS; option: int; value: ADDRESS): int;
<*EXTERNAL "curl_easy_getinfo"*> PROCEDURE getinfo(easy: ADDRESS; info: int; to: ADDRESS): int;
<*EXTERNAL "curl_easy_strerror"*> PROCEDURE strerror(error: int): const_char_star;
<*EXTERNAL "curl_slist_append"*> PROCEDURE slist_append(list: ADDRESS; text: const_char_star): ADDRESS;
<*EXTERNAL "curl_slist_free_all"*> PROCEDURE slist_free_all(list: ADDRESS);

<*EXTERNAL "curl_multi_init"*> PROCEDURE multi_init(): ADDRESS;
<*EXTERNAL "curl_multi_cleanup"*> PROCEDURE multi_cleanup(multi: ADDRESS): int;
<*EXTERNAL "curl_multi_add_handle"*> PROCEDURE multi_add(multi, easy: ADDRESS): int;
<*EXTERNAL "curl_multi_remove_handle"*> PROCEDURE multi_remove(multi, easy: ADDRESS): int;
<*EXTERNAL "curl_multi_perform"*> PROCEDURE multi_perform(multi: ADDRESS; VAR running: int): int;
<*EXTERNAL "curl_multi_poll"*>
PROCEDURE multi_poll(multi, extra: ADDRESS; extraCount, milliseconds: int; ready: ADDRESS): int;
<*EXTERNAL "curl_multi_info_read"*> PROCEDURE multi_info_read(multi: ADDRESS; VAR left: int): Message;
<*EXTERNAL "curl_multi_strerror"*> PROCEDURE multi_strerror(error: int): const_char_star;

(* A FILE that grows in memory: after fflush or fclose, `text` and `size` are what was written. The
   memory is freed by the caller, and both stay where they are until then. *)
<*EXTERNAL*> PROCEDURE open_memstream(VAR text: char_star; VAR size: INTEGER): ADDRESS;
<*EXTERNAL*> PROCEDURE fclose(file: ADDRESS): int;
<*EXTERNAL*> PROCEDURE ftell(file: ADDRESS): long;

END LibCurl.
