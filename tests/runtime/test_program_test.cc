// The program of test_program.h and the main of the run time's tests. The name lets the build find
// it.

#include "tests/runtime/test_program.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "runtime/heap/allocation.h"
#include "runtime/sessions/persistence.h"
#include "runtime/start/arguments.h"
#include "runtime/start/options.h"
#include "runtime/start/runtime.h"
#include "runtime/traps/traps.h"

namespace tenure::runtime::test {

using abi::SlotKind;
using abi::SlotRun;
using abi::TypeDescriptor;

namespace {

constexpr SlotRun kCellRuns[] = {{0, 1, 8, SlotKind::kReference}};
constexpr SlotRun kElementRuns[] = {{0, 1, 8, SlotKind::kReference}};

constexpr TypeDescriptor NewType(const char* name, uint32_t typecode, uint32_t last_subtype) {
  TypeDescriptor type = {};
  type.fingerprint = typecode + 9;
  type.typecode = typecode;
  type.last_subtype = last_subtype;
  type.alignment = 8;
  type.name = name;
  return type;
}

constexpr TypeDescriptor CellType() {
  TypeDescriptor type = NewType("Test.Cell", 2, 2);
  type.payload_bytes = sizeof(Cell);
  type.slot_run_count = 1;
  type.slot_runs = kCellRuns;
  type.brand = "cell";
  return type;
}

constexpr TypeDescriptor ArrayType() {
  TypeDescriptor type = NewType("Test.Array", 3, 3);
  type.flags = abi::kTypeOpenArray;
  type.open_dimensions = 1;
  type.element_bytes = 8;
  type.element_run_count = 1;
  type.element_runs = kElementRuns;
  return type;
}

constexpr TypeDescriptor TextType(const char* name, uint32_t typecode, uint32_t character_bytes) {
  TypeDescriptor type = NewType(name, typecode, typecode);
  type.flags = abi::kTypeObject | abi::kTypeOpenArray | abi::kTypePure | abi::kTypeText;
  type.open_dimensions = 1;
  type.element_bytes = character_bytes;
  return type;
}

alignas(16) const TypeDescriptor kNull = NewType("NULL", 0, 0);
alignas(16) const TypeDescriptor kRefany = NewType("REFANY", 1, 5);
alignas(16) const TypeDescriptor kCell = CellType();
alignas(16) const TypeDescriptor kArray = ArrayType();
alignas(16) const TypeDescriptor kText8 = TextType("TextFlat.T8", 4, 1);
alignas(16) const TypeDescriptor kText16 = TextType("TextFlat.T16", 5, 2);

const TypeDescriptor* const kTypes[] = {&kNull, &kRefany, &kCell, &kArray, &kText8, &kText16};

const SlotRun kGlobalRuns[] = {{0, 1, 8, SlotKind::kReference}};
const abi::GlobalRoot kRoots[] = {{&global_reference, kGlobalRuns, 1, 0}};
const SlotRun kTextArgument[] = {{0, 1, 8, SlotKind::kReference}};
const abi::ValueDescriptor kTextValue = {
    abi::ValueKind::kText, 64, 0, 0, nullptr, nullptr, nullptr, 0, 0};
const abi::ValueDescriptor kIntegerValue = {
    abi::ValueKind::kInteger, 64, INT64_MIN, INT64_MAX, nullptr, nullptr, nullptr, 0, 0};

}  // namespace

const TypeDescriptor* const kCellType = &kCell;
const TypeDescriptor* const kArrayType = &kArray;
abi::Ref global_reference = nullptr;

Cell* NewCell(int64_t value, Cell* next) {
  auto* cell = static_cast<Cell*>(AllocateObject(kCell));
  cell->value = value;
  cell->next = next;
  return cell;
}

extern "C" {
const abi::ExceptionDescriptor tn_test_exception_a = {"Test.A", 0, 0, nullptr, 0, 0, nullptr};
const abi::ExceptionDescriptor tn_test_exception_b = {
    "Test.B", 8, abi::kExceptionHasText, kTextArgument, 1, 0, &kTextValue};
const abi::ExceptionDescriptor tn_test_exception_c = {"Test.C",      8, 0, nullptr, 0, 0,
                                                      &kIntegerValue};
const abi::ExceptionDescriptor tn_test_runtime_error = {
    "RuntimeError.E", 1, abi::kExceptionImplicit, nullptr, 0, 0, nullptr};
const abi::ExceptionDescriptor tn_test_not_in_progress = {
    "Transaction.TransactionNotInProgress", 0, abi::kExceptionImplicit, nullptr, 0, 0, nullptr};
}

namespace {

const abi::ExceptionDescriptor* const kAllowedA[] = {&tn_test_exception_a};
const abi::RaisesEntry kRaises[] = {
    {reinterpret_cast<const void*>(tn_test_raises_a), kAllowedA, 1, 0}};
const abi::ProcedureInfo kProcedures[] = {
    {reinterpret_cast<const void*>(tn_test_raises_a), "Test.RaisesA", 77, 1, 0}};
const abi::UnitInfo kUnit = {"Test", "Test.m3", nullptr, kRoots, kRaises, kProcedures, 1, 1, 1, 0};
const abi::UnitInfo* const kUnits[] = {&kUnit};

}  // namespace
}  // namespace tenure::runtime::test

using namespace tenure::runtime::test;

extern "C" const tenure::abi::ProgramInfo tn_program = {
    tenure::abi::kAbiVersion,          1,       kUnits,   kTypes, 6,
    tenure::abi::StoreBarriers::kTrap, &kText8, &kText16, "test"};

// The code that LLVM 19 writes for the procedures of the header, at -O2, not position independent.
__asm__(R"(
        .text
        .globl  tn_test_try_a_b_any
        .type   tn_test_try_a_b_any, @function
tn_test_try_a_b_any:
.Ltest_begin0:
        .cfi_startproc
        .cfi_personality 3, tn_personality
        .cfi_lsda 3, .Ltest_lsda0
        pushq   %rbx
        .cfi_def_cfa_offset 16
        .cfi_offset %rbx, -16
        movq    %rdx, %rbx
        movq    %rdi, %rax
.Ltest_call0:
        movq    %rsi, %rdi
        callq   *%rax
.Ltest_return0:
        xorl    %eax, %eax
        popq    %rbx
        .cfi_def_cfa_offset 8
        retq
.Ltest_pad0:
        .cfi_def_cfa_offset 16
        movq    %rax, (%rbx)
        movl    $1, %eax
        cmpl    $3, %edx
        je      1f
        xorl    %eax, %eax
        cmpl    $2, %edx
        sete    %al
        xorq    $3, %rax
1:      popq    %rbx
        .cfi_def_cfa_offset 8
        retq
        .size   tn_test_try_a_b_any, . - tn_test_try_a_b_any
        .cfi_endproc

        .globl  tn_test_try_b
        .type   tn_test_try_b, @function
tn_test_try_b:
.Ltest_begin1:
        .cfi_startproc
        .cfi_personality 3, tn_personality
        .cfi_lsda 3, .Ltest_lsda1
        pushq   %rbx
        .cfi_def_cfa_offset 16
        .cfi_offset %rbx, -16
        movq    %rdx, %rbx
        movq    %rdi, %rax
.Ltest_call1:
        movq    %rsi, %rdi
        callq   *%rax
.Ltest_return1:
        xorl    %eax, %eax
        popq    %rbx
        .cfi_def_cfa_offset 8
        retq
.Ltest_pad1:
        .cfi_def_cfa_offset 16
        movq    %rax, (%rbx)
        movl    $2, %eax
        popq    %rbx
        .cfi_def_cfa_offset 8
        retq
        .size   tn_test_try_b, . - tn_test_try_b
        .cfi_endproc

        .globl  tn_test_try_runtime_error
        .type   tn_test_try_runtime_error, @function
tn_test_try_runtime_error:
.Ltest_begin2:
        .cfi_startproc
        .cfi_personality 3, tn_personality
        .cfi_lsda 3, .Ltest_lsda2
        pushq   %rbx
        .cfi_def_cfa_offset 16
        .cfi_offset %rbx, -16
        movq    %rdx, %rbx
        movq    %rdi, %rax
.Ltest_call2:
        movq    %rsi, %rdi
        callq   *%rax
.Ltest_return2:
        xorl    %eax, %eax
        popq    %rbx
        .cfi_def_cfa_offset 8
        retq
.Ltest_pad2:
        .cfi_def_cfa_offset 16
        movq    %rax, (%rbx)
        movl    $4, %eax
        popq    %rbx
        .cfi_def_cfa_offset 8
        retq
        .size   tn_test_try_runtime_error, . - tn_test_try_runtime_error
        .cfi_endproc

        .globl  tn_test_finally
        .type   tn_test_finally, @function
tn_test_finally:
.Ltest_begin3:
        .cfi_startproc
        .cfi_personality 3, tn_personality
        .cfi_lsda 3, .Ltest_lsda3
        pushq   %rbx
        .cfi_def_cfa_offset 16
        .cfi_offset %rbx, -16
        movq    %rdx, %rbx
        movq    %rdi, %rax
.Ltest_call3:
        movq    %rsi, %rdi
        callq   *%rax
.Ltest_return3:
        movq    $1, (%rbx)
        popq    %rbx
        .cfi_def_cfa_offset 8
        retq
.Ltest_pad3:
        .cfi_def_cfa_offset 16
        movq    $2, (%rbx)
        movq    %rax, %rdi
        callq   _Unwind_Resume
.Ltest_end3:
        .size   tn_test_finally, . - tn_test_finally
        .cfi_endproc

        .globl  tn_test_raises_a
        .type   tn_test_raises_a, @function
tn_test_raises_a:
        .cfi_startproc
        .cfi_personality 3, tn_personality
        subq    $8, %rsp
        .cfi_def_cfa_offset 16
        movq    %rdi, %rax
        movq    %rsi, %rdi
        callq   *%rax
        addq    $8, %rsp
        .cfi_def_cfa_offset 8
        retq
        .size   tn_test_raises_a, . - tn_test_raises_a
        .cfi_endproc

        # Without unwind tables.
        .globl  tn_test_without_handlers
        .type   tn_test_without_handlers, @function
tn_test_without_handlers:
        subq    $8, %rsp
        movq    %rdi, %rax
        movq    %rsi, %rdi
        callq   *%rax
        addq    $8, %rsp
        retq
        .size   tn_test_without_handlers, . - tn_test_without_handlers

        .section .gcc_except_table, "a", @progbits
        .p2align 2
.Ltest_lsda0:
        .byte   255, 3
        .uleb128 .Ltest_types0 - .Ltest_base0
.Ltest_base0:
        .byte   1
        .uleb128 .Ltest_sites_end0 - .Ltest_sites0
.Ltest_sites0:
        .uleb128 .Ltest_call0 - .Ltest_begin0
        .uleb128 .Ltest_return0 - .Ltest_call0
        .uleb128 .Ltest_pad0 - .Ltest_begin0
        .byte   5
.Ltest_sites_end0:
        .byte   1, 0, 2, 125, 3, 125
        .p2align 2
        .long   tn_test_exception_a
        .long   tn_test_exception_b
        .long   0
.Ltest_types0:

        .p2align 2
.Ltest_lsda1:
        .byte   255, 3
        .uleb128 .Ltest_types1 - .Ltest_base1
.Ltest_base1:
        .byte   1
        .uleb128 .Ltest_sites_end1 - .Ltest_sites1
.Ltest_sites1:
        .uleb128 .Ltest_call1 - .Ltest_begin1
        .uleb128 .Ltest_return1 - .Ltest_call1
        .uleb128 .Ltest_pad1 - .Ltest_begin1
        .byte   1
.Ltest_sites_end1:
        .byte   1, 0
        .p2align 2
        .long   tn_test_exception_b
.Ltest_types1:

        .p2align 2
.Ltest_lsda2:
        .byte   255, 0x1b                       # pcrel sdata4
        .uleb128 .Ltest_types2 - .Ltest_base2
.Ltest_base2:
        .byte   1
        .uleb128 .Ltest_sites_end2 - .Ltest_sites2
.Ltest_sites2:
        .uleb128 .Ltest_call2 - .Ltest_begin2
        .uleb128 .Ltest_return2 - .Ltest_call2
        .uleb128 .Ltest_pad2 - .Ltest_begin2
        .byte   1
.Ltest_sites_end2:
        .byte   1, 0
        .p2align 2
        .long   RuntimeError.E - .
.Ltest_types2:

        .p2align 2
.Ltest_lsda3:
        .byte   255, 255, 1
        .uleb128 .Ltest_sites_end3 - .Ltest_sites3
.Ltest_sites3:
        .uleb128 .Ltest_call3 - .Ltest_begin3
        .uleb128 .Ltest_return3 - .Ltest_call3
        .uleb128 .Ltest_pad3 - .Ltest_begin3
        .byte   0
        .uleb128 .Ltest_return3 - .Ltest_begin3
        .uleb128 .Ltest_end3 - .Ltest_return3
        .byte   0, 0
.Ltest_sites_end3:
        .p2align 2
        .text
)");

// TENURE_OPTIONS works as in any program: the tests pass under gcstress, in both fault tiers, ...
int main(int argc, char** argv) {
  using namespace tenure::runtime;
  testing::InitGoogleTest(&argc, argv);
  Options options;
  options.gc_paranoid = true;
  options.page_server = tenure::store::PageServerKind::kMemory;
  Arguments arguments;
  std::string error;
  if (!ParseArguments(argc, argv, std::getenv("TENURE_OPTIONS"), {}, arguments, options, error)) {
    std::fprintf(stderr, "%s\n", error.c_str());
    return 2;
  }
  tenure::Status status = Runtime::Create(tn_program, options);
  if (status.ok()) {
    InstallTrapHandlers();
    status = StartPersistence();
  }
  if (!status.ok()) {
    std::fprintf(stderr, "cannot start: %s\n", status.text());
    return 3;
  }
  return RUN_ALL_TESTS();
}
