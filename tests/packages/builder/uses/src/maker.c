#include "m3core.h"

int main(void) { return puts("#include <m3core.h>\nINT32 held(void) { return (INTEGER)ANSWER; }") < 0; }
