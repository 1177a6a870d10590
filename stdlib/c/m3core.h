/* Declarations for C sources in packages of Modula-3: the types of Modula-3, the usual headers of
   POSIX, and the macros that such sources use, also those for other systems and compilers. */
#ifndef TENURE_M3CORE_H
#define TENURE_M3CORE_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include <arpa/inet.h>
#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/param.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#ifdef __cplusplus
#define M3EXTERNC_BEGIN extern "C" {
#define M3EXTERNC_END }
#else
#define M3EXTERNC_BEGIN
#define M3EXTERNC_END
#endif
#define M3_EXTERNC_BEGIN M3EXTERNC_BEGIN
#define M3_EXTERNC_END M3EXTERNC_END
#define M3_STATIC_INLINE static __inline

/* Calling conventions and storage classes of other systems: here all procedures are called alike.
 */
#ifndef __cdecl
#define __cdecl
#endif
#ifndef __stdcall
#define __stdcall
#endif
#ifndef __fastcall
#define __fastcall
#endif
#ifndef WINAPI
#define WINAPI
#endif
#define M3_DLL_EXPORT __attribute__((visibility("default")))
#define M3_DLL_IMPORT
#define M3_DLL_LOCAL __attribute__((visibility("hidden")))
#define NO_INLINE __attribute__((noinline))
#define M3_NO_INLINE NO_INLINE

/* A constant that Modula-3 sees: in C++ a const is private to its file without extern. */
#ifdef __cplusplus
#define EXTERN_CONST extern const
#else
#define EXTERN_CONST const
#endif

/* Stops the compilation if the condition is false; stands where a declaration may. */
#if __cplusplus >= 201103L
#define M3_STATIC_ASSERT(condition) static_assert(condition, #condition)
#elif defined(__cplusplus)
#define M3_STATIC_ASSERT(condition) \
  extern char m3_static_assertion[sizeof(char[(condition) ? 1 : -1])]
#else
#define M3_STATIC_ASSERT(condition) _Static_assert(condition, #condition)
#endif

/* Sets all bytes of the variable to 0. */
#define ZERO_MEMORY(variable) ((void)memset(&(variable), 0, sizeof(variable)))
#ifndef ZeroMemory
#define ZeroMemory(address, size) ((void)memset((address), 0, (size)))
#endif
#ifndef NUMBER_OF
#define NUMBER_OF(array) (sizeof(array) / sizeof((array)[0]))
#endif
#define M3_FIELD_SIZE(type, field) (sizeof(((type*)0)->field))
#define M3_SIZE_THROUGH_FIELD(type, field) (offsetof(type, field) + M3_FIELD_SIZE(type, field))
/* Evaluates the call, which answers -1 with errno on failure, until no signal interrupts it. The
   result is in the variable r of the caller. */
#define M3_RETRY(call) \
  do {                 \
    r = (call);        \
  } while (r == -1 && errno == EINTR)

M3EXTERNC_BEGIN

typedef int8_t INT8;
typedef uint8_t UINT8;
typedef int16_t INT16;
typedef uint16_t UINT16;
typedef int32_t INT32;
typedef uint32_t UINT32;
typedef int64_t INT64;
typedef uint64_t UINT64;

typedef ptrdiff_t INTEGER;
typedef size_t CARDINAL;
typedef size_t WORD_T;
typedef int64_t LONGINT;
typedef unsigned char BOOLEAN;
typedef unsigned char CHAR;
typedef float REAL;
typedef double LONGREAL;
typedef double EXTENDED;
typedef void* ADDRESS;
typedef void* REFANY;
typedef void* TEXT;
typedef void* MUTEX;
typedef void* PROC;
typedef int BOOL;
typedef unsigned char UCHAR;
typedef unsigned short USHORT;
typedef unsigned int UINT;
typedef unsigned long ULONG;

typedef INT64 m3_dev_t;
typedef INT64 m3_ino_t;
typedef INT64 m3_nlink_t;
typedef INT64 m3_off_t;
typedef INT64 m3_time_t;
typedef INTEGER m3_gid_t;
typedef INTEGER m3_mode_t;
typedef INTEGER m3_pid_t;
typedef INTEGER m3_uid_t;
typedef WORD_T m3_socklen_t;

#ifndef TRUE
#define TRUE 1
#endif
#ifndef FALSE
#define FALSE 0
#endif

M3EXTERNC_END

#endif
