// A program made by hand, as a compiler would emit it for these tests.
#pragma once

#include <cstdint>

#include "abi/object_header.h"
#include "abi/program.h"

namespace tenure::runtime::test {

// REF RECORD next: REFANY; value: INTEGER END.
struct Cell {
  Cell* next;
  int64_t value;
};
extern const abi::TypeDescriptor* const kCellType;
// REF ARRAY OF REFANY.
extern const abi::TypeDescriptor* const kArrayType;

// A global variable of the program, of type REFANY.
extern abi::Ref global_reference;

Cell* NewCell(int64_t value, Cell* next);

extern "C" {
// EXCEPTION A; EXCEPTION B(TEXT); EXCEPTION C(INTEGER), in an interface Test.
extern const abi::ExceptionDescriptor tn_test_exception_a;
extern const abi::ExceptionDescriptor tn_test_exception_b;
extern const abi::ExceptionDescriptor tn_test_exception_c;
// With the symbols that the run time looks for.
extern const abi::ExceptionDescriptor tn_test_runtime_error __asm__("RuntimeError.E");
extern const abi::ExceptionDescriptor tn_test_not_in_progress __asm__(
    "Transaction.TransactionNotInProgress");
}

// A statement body of TRY, as compiled code calls it.
using Body = void (*)(void* argument);

extern "C" {
// TRY body(argument) EXCEPT A => 1 | B => 2 ELSE 3 END; 0 when no exception came. `exception` is
// the landing pad's argument.
int64_t tn_test_try_a_b_any(Body body, void* argument, void** exception);
// TRY body(argument) EXCEPT B => 2 END.
int64_t tn_test_try_b(Body body, void* argument, void** exception);
// TRY body(argument) EXCEPT RuntimeError.E => 4 END.
int64_t tn_test_try_runtime_error(Body body, void* argument, void** exception);
// TRY body(argument) FINALLY way := 1 (normal) or 2 (exception) END.
void tn_test_finally(Body body, void* argument, int64_t* way);
// Calls body(argument) as the start of a thread does: the search for a handler ends here, and does
// not see those of GoogleTest.
void tn_test_without_handlers(Body body, void* argument);
// PROCEDURE RaisesA() RAISES {A} = BEGIN body(argument) END.
void tn_test_raises_a(Body body, void* argument);
}

}  // namespace tenure::runtime::test
