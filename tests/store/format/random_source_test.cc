// The source of the numbers that name stores and commits when the system has no random source.
#include "store/format/random_source.h"

#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "store/server/page_server.h"

namespace tenure::store {
namespace {

// From here on the process has none of these system calls.
bool Deny(std::vector<unsigned> calls) {
  std::vector<sock_filter> code = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
  };
  for (const unsigned call : calls) {
    code.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1));
    code.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS));
  }
  code.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
  const sock_fprog program{static_cast<unsigned short>(code.size()), code.data()};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

void UseDevice() {
  if (!Deny({SYS_getrandom})) std::exit(2);
  const bool good = CheckRandomSource().ok() && NewUuid() != NewUuid() &&
                    NewCommitId().high != NewCommitId().high;
  std::exit(good ? 0 : 1);
}

void UseNothing() {
  if (!Deny({SYS_getrandom, SYS_open, SYS_openat})) std::exit(2);
  const Status status = CheckRandomSource();
  std::fprintf(stderr, "said: %s\n", status.text());
  std::exit(status.ok() ? 1 : 0);
}

TEST(RandomSourceDeathTest, WithoutTheSystemCallTheDeviceIsRead) {
  EXPECT_EXIT(UseDevice(), testing::ExitedWithCode(0), "");
}

TEST(RandomSourceDeathTest, WithoutBothTheFailureNamesThem) {
  EXPECT_EXIT(UseNothing(), testing::ExitedWithCode(0),
              "said: the system gives no random numbers.*getrandom.*/dev/urandom.*Function not");
}

}  // namespace
}  // namespace tenure::store
