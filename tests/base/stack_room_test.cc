#include "base/stack_room.h"

#include <gtest/gtest.h>
#include <pthread.h>

namespace tenure {
namespace {

// Returns the room that the deepest call has found.
__attribute__((noinline)) size_t RoomIn(int calls) {
  volatile char used[1000];
  used[0] = static_cast<char>(calls);
  const size_t room = calls == 0 ? StackRoom() : RoomIn(calls - 1);
  return used[0] == static_cast<char>(calls) ? room : 0;
}

TEST(StackRoom, ShrinksWithEachCall) {
  const size_t here = StackRoom();
  EXPECT_GT(here, size_t{100} << 10);
  const size_t used = here - RoomIn(100);
  EXPECT_GT(used, 100'000u);
  EXPECT_LT(used, 400'000u);
}

TEST(StackRoom, IsOfTheCallingThread) {
  size_t room = 0;
  pthread_attr_t attributes;
  ASSERT_EQ(pthread_attr_init(&attributes), 0);
  ASSERT_EQ(pthread_attr_setstacksize(&attributes, 1 << 20), 0);
  pthread_t thread;
  const auto look = [](void* result) -> void* {
    *static_cast<size_t*>(result) = StackRoom();
    return nullptr;
  };
  ASSERT_EQ(pthread_create(&thread, &attributes, look, &room), 0);
  ASSERT_EQ(pthread_join(thread, nullptr), 0);
  pthread_attr_destroy(&attributes);
  EXPECT_GT(room, size_t{1} << 19);
  EXPECT_LE(room, size_t{1} << 20);
}

}  // namespace
}  // namespace tenure
