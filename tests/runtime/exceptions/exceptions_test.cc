#include "runtime/exceptions/exceptions.h"

#include <gtest/gtest.h>

#include <cstring>

#include "abi/entry_points.h"
#include "runtime/heap/text.h"
#include "runtime/start/runtime.h"
#include "runtime/threads/mutator.h"
#include "tests/runtime/test_program.h"

// Outside of the project's namespace, like compiled procedures: traces leave out functions of the
// namespace.
static void RaiseA(void*) {
  tenure::abi::tn_raise(&tenure::runtime::test::tn_test_exception_a, nullptr, "Test.m3", 7);
}
static void RaiseB(void* text) {
  tenure::abi::tn_raise(&tenure::runtime::test::tn_test_exception_b, &text, "Test.m3", 8);
}
static void RaiseC(void*) {
  const int64_t value = 42;
  tenure::abi::tn_raise(&tenure::runtime::test::tn_test_exception_c, &value, "Test.m3", 9);
}
static void RaiseRange(void*) {
  using namespace tenure::abi;
  static const ValueDescriptor range = {
      ValueKind::kInteger, 64, 1, 10, nullptr, nullptr, nullptr, 0, 0};
  static const CheckSite site = {"Test.m3", 10,
                                 static_cast<uint16_t>(RuntimeErrorCode::kValueOutOfRange),
                                 CheckForm::kRange, &range};
  tn_check_failed(&site, 11, 0, 0);
}

namespace tenure::runtime::test {

using namespace abi;  // the entry points

namespace {

void Nothing(void*) {}

// The frames between a raise and its handler.
struct Deep {
  int depth;
  Body body;
  void* argument;
};
__attribute__((noinline)) void Descend(void* raw) {
  const Deep* deep = static_cast<Deep*>(raw);
  if (deep->depth == 0) {
    deep->body(deep->argument);
  } else {
    Deep next = {deep->depth - 1, deep->body, deep->argument};
    Descend(&next);
  }
  __asm__ volatile("" ::: "memory");  // not a tail call
}

class ExceptionsTest : public testing::Test {
 protected:
  void TearDown() override { EXPECT_EQ(Mutator::Current()->exceptions, nullptr); }
};

TEST_F(ExceptionsTest, NormalReturnRunsNoHandler) {
  void* exception = nullptr;
  EXPECT_EQ(tn_test_try_a_b_any(Nothing, nullptr, &exception), 0);
}

TEST_F(ExceptionsTest, TheFirstMatchingClauseTakesIt) {
  void* exception = nullptr;
  ASSERT_EQ(tn_test_try_a_b_any(RaiseA, nullptr, &exception), 1);
  tn_end_catch(exception);
  ASSERT_EQ(tn_test_try_a_b_any(RaiseB, nullptr, &exception), 2);
  tn_end_catch(exception);
  ASSERT_EQ(tn_test_try_a_b_any(RaiseC, nullptr, &exception), 3);
  tn_end_catch(exception);
}

TEST_F(ExceptionsTest, TheHandlerGetsACopyOfTheArgument) {
  void* exception = nullptr;
  ASSERT_EQ(tn_test_try_a_b_any(RaiseC, nullptr, &exception), 3);
  int64_t argument = 0;
  std::memcpy(&argument, tn_begin_catch(exception), sizeof argument);
  EXPECT_EQ(argument, 42);
  tn_end_catch(exception);
}

TEST_F(ExceptionsTest, PassesHandlersOfOtherExceptionsAndManyFrames) {
  Deep deep = {200, RaiseA, nullptr};
  struct Outer {
    Deep* deep;
    void* inner_exception;
  } outer = {&deep, nullptr};
  const auto body = [](void* raw) {
    auto* o = static_cast<Outer*>(raw);
    tn_test_try_b(Descend, o->deep, &o->inner_exception);
  };
  void* exception = nullptr;
  ASSERT_EQ(tn_test_try_a_b_any(body, &outer, &exception), 1);
  EXPECT_EQ(outer.inner_exception, nullptr);
  tn_end_catch(exception);
}

TEST_F(ExceptionsTest, FinallyRunsOnBothWays) {
  int64_t way = 0;
  tn_test_finally(Nothing, nullptr, &way);
  EXPECT_EQ(way, 1);

  const auto body = [](void* raw) { tn_test_finally(RaiseA, nullptr, static_cast<int64_t*>(raw)); };
  void* exception = nullptr;
  ASSERT_EQ(tn_test_try_a_b_any(body, &way, &exception), 1);
  EXPECT_EQ(way, 2);
  tn_end_catch(exception);
}

TEST_F(ExceptionsTest, AnAbandonedExceptionIsFreedAtALaterRaise) {
  // The handler of the first one is left by raising the second, as a FINALLY part would.
  const auto inner = [](void*) {
    void* exception = nullptr;
    tn_test_try_a_b_any(RaiseA, nullptr, &exception);
    RaiseC(nullptr);
  };
  Deep deep = {20, inner, nullptr};
  void* exception = nullptr;
  ASSERT_EQ(tn_test_try_a_b_any(Descend, &deep, &exception), 3);
  EXPECT_NE(Mutator::Current()->exceptions->next, nullptr);
  tn_end_catch(exception);
  ASSERT_EQ(tn_test_try_a_b_any(RaiseA, nullptr, &exception), 1);
  tn_end_catch(exception);
}

TEST_F(ExceptionsTest, ACaughtArgumentSurvivesACollection) {
  abi::Ref text = NewText("kept only by the exception");
  void* exception = nullptr;
  ASSERT_EQ(tn_test_try_b(RaiseB, text, &exception), 2);
  text = nullptr;
  Runtime::Get().heap().CollectMajor();
  std::memcpy(&text, tn_begin_catch(exception), sizeof text);
  EXPECT_EQ(CopyOfText(text), "kept only by the exception");
  tn_end_catch(exception);
}

TEST_F(ExceptionsTest, ARunTimeErrorIsAnExceptionWhereItHasAHandler) {
  void* exception = nullptr;
  ASSERT_EQ(tn_test_try_runtime_error(RaiseRange, nullptr, &exception), 4);
  EXPECT_EQ(*static_cast<uint8_t*>(tn_begin_catch(exception)),
            static_cast<uint8_t>(abi::RuntimeErrorCode::kValueOutOfRange));
  tn_end_catch(exception);
}

TEST_F(ExceptionsTest, ARaisesSetLetsItsMembersAndImplicitOnesPass) {
  void* exception = nullptr;
  const auto raise_a = [](void*) { tn_test_raises_a(RaiseA, nullptr); };
  ASSERT_EQ(tn_test_try_a_b_any(raise_a, nullptr, &exception), 1);
  tn_end_catch(exception);
  const auto raise_range = [](void*) { tn_test_raises_a(RaiseRange, nullptr); };
  ASSERT_EQ(tn_test_try_runtime_error(raise_range, nullptr, &exception), 4);
  tn_end_catch(exception);
}

TEST_F(ExceptionsTest, ABlockedExceptionIsARunTimeError) {
  const auto raise_b = [](void*) { tn_test_raises_a(RaiseB, nullptr); };
  void* exception = nullptr;
  ASSERT_EQ(tn_test_try_runtime_error(raise_b, nullptr, &exception), 4);
  EXPECT_EQ(*static_cast<uint8_t*>(tn_begin_catch(exception)),
            static_cast<uint8_t>(abi::RuntimeErrorCode::kBlockedException));
  tn_end_catch(exception);
  EXPECT_EXIT(
      tn_test_without_handlers(raise_b, nullptr), testing::ExitedWithCode(4),
      "\\*\\*\\* run-time error: BlockedException: exception Test.B may not leave procedure "
      "tn_test_raises_a\n\\*\\*\\* at Test.m3:8 in ");
}

TEST_F(ExceptionsTest, WithoutAHandlerNothingIsUnwoundAndTheReportSaysWhere) {
  const auto body = [](void*) {
    int64_t way = 0;
    tn_test_finally(
        [](void*) {
          abi::Ref text = NewText("no such thing");
          RaiseB(text);
        },
        nullptr, &way);
  };
  EXPECT_EXIT(
      tn_test_without_handlers(body, nullptr), testing::ExitedWithCode(4),
      "\\*\\*\\* unhandled exception: Test.B: no such thing\n\\*\\*\\* at Test.m3:8 in .*RaiseB");
  EXPECT_EXIT(tn_test_without_handlers(RaiseA, nullptr), testing::ExitedWithCode(4),
              "\\*\\*\\* unhandled exception: Test.A\n\\*\\*\\* at Test.m3:7 in .*RaiseA");
}

TEST_F(ExceptionsTest, AnUnhandledRunTimeErrorNamesIt) {
  EXPECT_EXIT(tn_test_without_handlers(RaiseRange, nullptr), testing::ExitedWithCode(4),
              "\\*\\*\\* run-time error: ValueOutOfRange: value out of range: 11 is not in "
              "\\[1..10\\]\n"
              "\\*\\*\\* at Test.m3:10 in .*RaiseRange");
}

TEST_F(ExceptionsTest, AFailedAssertionShowsItsConditionAndValues) {
  static const ValueDescriptor integer = {
      ValueKind::kInteger, 64, INT64_MIN, INT64_MAX, nullptr, nullptr, nullptr, 0, 0};
  static const AssertedValue values[] = {{"x", &integer}};
  static const AssertionDescriptor assertion = {"x MOD 2 = 0", values, 1};
  static const CheckSite site = {"Test.m3", 11,
                                 static_cast<uint16_t>(RuntimeErrorCode::kAssertFailed),
                                 CheckForm::kAssertion, &assertion};
  const auto fail = [](void*) {
    const uint64_t x = 7;
    tn_assertion_failed(&site, NewText("x is odd"), &x);
  };
  EXPECT_EXIT(tn_test_without_handlers(fail, nullptr), testing::ExitedWithCode(4),
              "\\*\\*\\* run-time error: AssertFailed: x is odd: x MOD 2 = 0 \\(x = 7\\)\n"
              "\\*\\*\\* at Test.m3:11 in ");
}

TEST_F(ExceptionsTest, AnUnhandledExceptionShowsItsArgument) {
  EXPECT_EXIT(tn_test_without_handlers(RaiseC, nullptr), testing::ExitedWithCode(4),
              "\\*\\*\\* unhandled exception: Test.C: 42\n\\*\\*\\* at Test.m3:9 in ");
}

TEST_F(ExceptionsTest, AnExplanationIsForTheNextExceptionOnly) {
  const auto explained = [](void*) {
    ExplainNext("the reason");
    RaiseA(nullptr);
  };
  EXPECT_EXIT(tn_test_without_handlers(explained, nullptr), testing::ExitedWithCode(4),
              "\\*\\*\\* unhandled exception: Test.A: the reason\n");
}

}  // namespace
}  // namespace tenure::runtime::test
