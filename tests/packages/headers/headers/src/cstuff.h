typedef struct {
  int a;
  char b;
  short c;
  double d;
  unsigned char bits;
} stuff_t;
typedef int (*cmp_t)(void*, void*);
