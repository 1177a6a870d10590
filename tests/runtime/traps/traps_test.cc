#include "runtime/traps/traps.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <csignal>
#include <cstring>

#include "abi/entry_points.h"
#include "base/sanitizers.h"
#include "gc/card_table.h"
#include "runtime/heap/text.h"
#include "runtime/start/runtime.h"
#include "runtime/threads/mutator.h"
#include "tests/runtime/test_program.h"

// The traps are tested here, so a sanitizer must not handle them. Outside of the project's
// namespace, like compiled procedures: traces leave out functions of the namespace.
#define TRAPS __attribute__((noinline, no_sanitize("undefined", "address", "thread")))

static TRAPS int64_t ValueOf(const tenure::runtime::test::Cell* cell) {
  return *const_cast<const volatile int64_t*>(&cell->value);
}

static void DereferenceNil(void*) { ValueOf(nullptr); }

static TRAPS void ReadHeaderOfNil(void*) {
  static_cast<void>(
      *reinterpret_cast<const volatile uint64_t*>(uintptr_t{0} - tenure::abi::kHeaderBytes));
}

static TRAPS void DivideBy(void* divisor) {
  volatile int64_t dividend = 1000;
  volatile int64_t result = dividend / *static_cast<volatile int64_t*>(divisor);
  static_cast<void>(result);
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Winfinite-recursion"
static TRAPS int64_t Recurse(int64_t depth) {
  volatile int64_t frame[64];
  frame[depth % 64] = depth;
  return Recurse(depth + 1) + frame[depth % 64];
}
#pragma GCC diagnostic pop
static void OverflowStack(void*) { Recurse(0); }

static TRAPS void TouchNothing(void*) {
  static_cast<void>(*reinterpret_cast<const volatile char*>(uintptr_t{0x123456789000}));
}

namespace tenure::runtime::test {

using namespace abi;  // the entry points

namespace {

// Runs the body in a TRY for RuntimeError.E and gives the code that came; -1 for none.
int CaughtError(Body body, void* argument = nullptr) {
  void* exception = nullptr;
  if (tn_test_try_runtime_error(body, argument, &exception) == 0) return -1;
  const int code = *static_cast<uint8_t*>(tn_begin_catch(exception));
  tn_end_catch(exception);
  return code;
}

int Code(abi::RuntimeErrorCode code) { return static_cast<int>(code); }

// The stores before the trap have marked their cards.
TEST(TrapsTest, CopyThatTrapsMarksItsCards) {
  int64_t length = 300;
  abi::Ref const array = tn_allocate_array(kArrayType, &length);
  const uint64_t bytes = static_cast<uint64_t>(length) * sizeof(void*);
  gc::CardTable::ClearRange(array, bytes);
  const auto copy = [](void* to) {
    tn_begin_copy(to, 300 * sizeof(void*));
    DereferenceNil(nullptr);
  };
  EXPECT_EQ(CaughtError(copy, array), Code(abi::RuntimeErrorCode::kBadMemoryReference));
  EXPECT_TRUE(gc::CardTable::IsDirty(array));
  EXPECT_TRUE(gc::CardTable::IsDirty(static_cast<char*>(array) + bytes - 1));
  EXPECT_EQ(Mutator::Current()->holds, 0u);
  EXPECT_EQ(Mutator::Current()->copy_bytes, 0u);
}

// Under a limit on address space NIL has no card.
TEST(TrapsTest, CopyToNilMarksNothing) {
  void* const nil = reinterpret_cast<void*>(uintptr_t{64});
  gc::CardTable::ClearRange(nil, 64);
  const auto copy = [](void* to) {
    tn_begin_copy(to, 64);
    tn_begin_stores(0, to, 64, 8);
    DereferenceNil(nullptr);
  };
  EXPECT_EQ(CaughtError(copy, nil), Code(abi::RuntimeErrorCode::kBadMemoryReference));
  EXPECT_FALSE(gc::CardTable::IsDirty(nil));
  EXPECT_EQ(Mutator::Current()->store_ranges, 0u);
}

TEST(TrapsTest, StoresThatAreLeftByATrapOrAnErrorMarkTheirCards) {
  int64_t length = 300;
  abi::Ref const array = tn_allocate_array(kArrayType, &length);
  static const auto begin = [](void* to) {
    EXPECT_EQ(tn_begin_stores(0, to, 10, 8), 1u);
    EXPECT_EQ(tn_begin_stores(1, static_cast<char*>(to) + 1024, 10, 16), 1u);
    // Code that runs in the middle of the loop has barriers.
    EXPECT_EQ(tn_begin_stores(0, to, 10, 8), 0u);
  };
  const auto expect_marked = [&] {
    EXPECT_TRUE(gc::CardTable::IsDirty(array));
    EXPECT_TRUE(gc::CardTable::IsDirty(static_cast<char*>(array) + 1024));
    EXPECT_FALSE(gc::CardTable::IsDirty(static_cast<char*>(array) + 2048));
    EXPECT_EQ(Mutator::Current()->store_ranges, 0u);
    gc::CardTable::ClearRange(array, 2400);
  };
  gc::CardTable::ClearRange(array, 2400);
  const auto trap = [](void* to) {
    begin(to);
    DereferenceNil(nullptr);
  };
  EXPECT_EQ(CaughtError(trap, array), Code(abi::RuntimeErrorCode::kBadMemoryReference));
  expect_marked();
  const auto error = [](void* to) {
    begin(to);
    static const abi::CheckSite site = {
        "F.m3", 1, static_cast<uint16_t>(abi::RuntimeErrorCode::kSubscriptOutOfRange),
        abi::CheckForm::kOpenSubscript, nullptr};
    tn_check_failed(&site, 3, 3, 0);
  };
  EXPECT_EQ(CaughtError(error, array), Code(abi::RuntimeErrorCode::kSubscriptOutOfRange));
  expect_marked();
}

// Like the barrier, marks a card if one of its slots refers to a watched page.
TEST(TrapsTest, EndOfStoresMarksWhatNeedsIt) {
  int64_t length = 500;
  auto* const array = static_cast<abi::Ref*>(tn_allocate_array(kArrayType, &length)) + 1;
  abi::Ref const young = NewCell(1, nullptr);
  for (const uint64_t step : {8, 24, 256}) {
    const uint64_t count = 480 * 8 / step;
    for (int64_t i = 0; i < length; ++i) array[i] = nullptr;
    array[240] = young;  // a slot with each step
    gc::CardTable::ClearRange(array, 4000);
    ASSERT_EQ(tn_begin_stores(0, array, count, step), 1u);
    tn_end_stores();
    for (uint64_t i = 0; i < 480; ++i) {
      const bool same_card = gc::CardTable::CardOf(&array[i]) == gc::CardTable::CardOf(&array[240]);
      const bool is_slot = 240 * 8 % step == 0;
      EXPECT_EQ(gc::CardTable::IsDirty(&array[i]), same_card && is_slot) << step << " " << i;
    }
  }
}

TEST(TrapsTest, DereferenceOfNilCanBeCaught) {
  for (int i = 0; i < 1000; ++i) {
    ASSERT_EQ(CaughtError(DereferenceNil), Code(abi::RuntimeErrorCode::kBadMemoryReference));
    ASSERT_EQ(CaughtError(ReadHeaderOfNil), Code(abi::RuntimeErrorCode::kBadMemoryReference));
  }
}

TEST(TrapsTest, DivisionByZeroCanBeCaught) {
  int64_t zero = 0;
  EXPECT_EQ(CaughtError(DivideBy, &zero), Code(abi::RuntimeErrorCode::kIntegerDivideByZero));
  int64_t two = 2;
  EXPECT_EQ(CaughtError(DivideBy, &two), -1);
}

TEST(TrapsTest, StackOverflowCanBeCaughtMoreThanOnce) {
  EXPECT_EQ(CaughtError(OverflowStack), Code(abi::RuntimeErrorCode::kStackOverflow));
  EXPECT_EQ(Mutator::Current()->interrupted_stack, 0u);
  EXPECT_EQ(CaughtError(OverflowStack), Code(abi::RuntimeErrorCode::kStackOverflow));
}

TEST(TrapsTest, ATrapPassesFinally) {
  int64_t way = 0;
  const auto body = [](void* raw) {
    tn_test_finally(DereferenceNil, nullptr, static_cast<int64_t*>(raw));
  };
  EXPECT_EQ(CaughtError(body, &way), Code(abi::RuntimeErrorCode::kBadMemoryReference));
  EXPECT_EQ(way, 2);
}

TEST(TrapsTest, UncaughtTrapsAreReportedWithTheirPlace) {
  EXPECT_EXIT(tn_test_without_handlers(DereferenceNil, nullptr), testing::ExitedWithCode(4),
              "\\*\\*\\* run-time error: BadMemoryReference: dereference of NIL\n"
              "\\*\\*\\* at .*traps_test.cc:[0-9]+ in .*ValueOf(.|\n)*from .*DereferenceNil");
  EXPECT_EXIT(tn_test_without_handlers(OverflowStack, nullptr), testing::ExitedWithCode(4),
              "\\*\\*\\* run-time error: StackOverflow: stack overflow: the stack of this "
              "thread has [0-9]+ KB.*\n"
              "\\*\\*\\* at .*Recurse(.|\n)* more\n");
}

TEST(TrapsTest, AWildAddressEndsTheProgramAlthoughThereIsAHandler) {
  if (kThreadSanitizer) GTEST_SKIP() << "the sanitizer has memory there";
  EXPECT_EXIT(CaughtError(TouchNothing), testing::ExitedWithCode(4),
              "BadMemoryReference: access to address 0x123456789000");
}

TEST(TrapsTest, ASignalThatWasSentDoesWhatTheSenderWanted) {
  EXPECT_EXIT(raise(SIGSEGV), testing::KilledBySignal(SIGSEGV), "");
}

// --- A fault handler in the place of stabilize/ ---

char* guarded_page = nullptr;
bool last_was_write = false;
FaultAnswer::Kind answer_kind = FaultAnswer::Kind::kResolved;

FaultAnswer AnswerFault(uintptr_t address, bool is_write, void*) {
  const auto page = reinterpret_cast<uintptr_t>(guarded_page);
  if (address - page >= 4096) return {};
  last_was_write = is_write;
  if (answer_kind == FaultAnswer::Kind::kRaise) {
    return {answer_kind, &tn_test_exception_b, "the page is closed"};
  }
  mprotect(guarded_page, 4096, PROT_READ | PROT_WRITE);
  return {answer_kind, nullptr, nullptr};
}

class FaultHandlerTest : public testing::Test {
 protected:
  void SetUp() override {
    guarded_page =
        static_cast<char*>(mmap(nullptr, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    ASSERT_NE(guarded_page, MAP_FAILED);
    SetFaultHandler(AnswerFault);
  }
  void TearDown() override {
    SetFaultHandler(nullptr);
    munmap(guarded_page, 4096);
  }
};

TEST_F(FaultHandlerTest, AResolvedFaultIsNotSeen) {
  answer_kind = FaultAnswer::Kind::kResolved;
  *const_cast<volatile char*>(guarded_page) = 5;
  EXPECT_TRUE(last_was_write);
  EXPECT_EQ(guarded_page[0], 5);
  mprotect(guarded_page, 4096, PROT_NONE);
  EXPECT_EQ(*const_cast<volatile char*>(guarded_page), 5);
  EXPECT_FALSE(last_was_write);
}

TEST_F(FaultHandlerTest, AFaultMayRaiseAnExceptionWithAText) {
  answer_kind = FaultAnswer::Kind::kRaise;
  const auto body = [](void*) { *const_cast<volatile char*>(guarded_page) = 5; };
  void* exception = nullptr;
  ASSERT_EQ(tn_test_try_a_b_any(body, nullptr, &exception), 2);
  abi::Ref text;
  std::memcpy(&text, tn_begin_catch(exception), sizeof text);
  tn_end_catch(exception);
  EXPECT_EQ(CopyOfText(text), "the page is closed");
}

TEST_F(FaultHandlerTest, OtherFaultsAreStillErrors) {
  answer_kind = FaultAnswer::Kind::kResolved;
  EXPECT_EQ(CaughtError(DereferenceNil), Code(abi::RuntimeErrorCode::kBadMemoryReference));
}

}  // namespace
}  // namespace tenure::runtime::test
