// The entry of every compiled program. In a file of its own: tests have another main.

#include "abi/program.h"
#include "runtime/start/start.h"

int main(int argc, char** argv) { tenure::runtime::RunProgram(tn_program, argc, argv); }
