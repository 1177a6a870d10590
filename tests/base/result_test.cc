#include "base/result.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <type_traits>

namespace tenure {
namespace {

static_assert(std::is_trivially_destructible_v<Result<int>>);
static_assert(std::is_trivially_copyable_v<Status>);

Status FailIf(bool fail) {
  return fail ? Status(StatusCode::kIo, "cannot read page", 42) : Status::Ok();
}

Status PassOn(bool fail, bool* went_on) {
  TN_RETURN_IF_ERROR(FailIf(fail));
  *went_on = true;
  return Status::Ok();
}

TEST(StatusTest, DefaultIsSuccess) {
  EXPECT_TRUE(Status().ok());
  EXPECT_STREQ(Status().text(), "");
}

TEST(StatusTest, CarriesCodeTextAndNumber) {
  const Status status = FailIf(true);
  EXPECT_FALSE(status.ok());
  EXPECT_EQ(status.code(), StatusCode::kIo);
  EXPECT_STREQ(status.text(), "cannot read page");
  EXPECT_EQ(status.number(), 42);
}

TEST(StatusTest, ReturnIfErrorReturnsOnlyErrors) {
  bool went_on = false;
  EXPECT_EQ(PassOn(true, &went_on).number(), 42);
  EXPECT_FALSE(went_on);
  EXPECT_TRUE(PassOn(false, &went_on).ok());
  EXPECT_TRUE(went_on);
}

TEST(StatusTest, EveryCodeHasItsOwnName) {
  EXPECT_STREQ(StatusCodeName(StatusCode::kNotSupported), "not supported");
  for (int a = 0; a <= static_cast<int>(StatusCode::kReadOnly); ++a) {
    EXPECT_STRNE(StatusCodeName(static_cast<StatusCode>(a)), "unknown status");
    for (int b = 0; b < a; ++b) {
      EXPECT_STRNE(StatusCodeName(static_cast<StatusCode>(a)),
                   StatusCodeName(static_cast<StatusCode>(b)));
    }
  }
}

TEST(ResultTest, HoldsAValue) {
  Result<std::string> result = std::string("page");
  ASSERT_TRUE(result.ok());
  EXPECT_TRUE(result.status().ok());
  EXPECT_EQ(*result, "page");
  EXPECT_EQ(result->size(), 4u);
}

TEST(ResultTest, HoldsAFailure) {
  const Result<int> result = Status(StatusCode::kNotFound, "no such database");
  EXPECT_FALSE(result.ok());
  EXPECT_EQ(result.status().code(), StatusCode::kNotFound);
}

TEST(ResultTest, GivesAwayWhatCanOnlyBeMoved) {
  Result<std::unique_ptr<int>> result = std::make_unique<int>(5);
  const std::unique_ptr<int> owned = *std::move(result);
  EXPECT_EQ(*owned, 5);
}

Result<int> Half(int number) {
  if (number % 2 != 0) return Status(StatusCode::kInvalidArgument, "odd", number);
  return number / 2;
}

Result<int> Quarter(int number, int* calls) {
  TN_ASSIGN_OR_RETURN(const int half, (++*calls, Half(number)));
  int quarter = -1;
  TN_ASSIGN_OR_RETURN(quarter, (++*calls, Half(half)));
  return quarter;
}

TEST(ResultTest, AssignsOrReturns) {
  int calls = 0;
  const Result<int> four = Quarter(16, &calls);
  ASSERT_TRUE(four.ok());
  EXPECT_EQ(*four, 4);
  EXPECT_EQ(calls, 2);
  EXPECT_EQ(Quarter(5, &calls).status().number(), 5);
  EXPECT_EQ(calls, 3);
  EXPECT_EQ(Quarter(6, &calls).status().number(), 3);
  EXPECT_EQ(calls, 5);
}

Result<std::unique_ptr<int>> Pointer(bool good) {
  if (!good) return Status(StatusCode::kNoMemory, "no memory");
  return std::make_unique<int>(7);
}

// Assigns to an existing variable, in a function whose own result is a Status.
Status Keep(bool good, std::unique_ptr<int>* kept) {
  TN_ASSIGN_OR_RETURN(*kept, Pointer(good));
  return Status::Ok();
}

TEST(ResultTest, AssignsWhatCanOnlyBeMoved) {
  std::unique_ptr<int> kept = std::make_unique<int>(1);
  EXPECT_EQ(Keep(false, &kept).code(), StatusCode::kNoMemory);
  EXPECT_EQ(*kept, 1);
  EXPECT_TRUE(Keep(true, &kept).ok());
  EXPECT_EQ(*kept, 7);
}

TEST(ResultDeathTest, ValueOfAFailureStops) {
  Result<int> result = Status(StatusCode::kNotFound, "no such database");
  EXPECT_DEATH(static_cast<void>(result.value()), "check failed: ok\\(\\)");
}

TEST(ResultDeathTest, SuccessWithoutAValueStops) {
  EXPECT_DEATH(static_cast<void>(Result<int>(Status::Ok())), "check failed");
}

}  // namespace
}  // namespace tenure
