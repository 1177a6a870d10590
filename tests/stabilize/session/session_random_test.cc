// Random programs over a database against a model (tests/support/random_session.h), in both fault
// tiers and over both page servers. TENURE_LONG runs many more.
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <string>
#include <tuple>

#include "stabilize/frames/fault_tiers.h"
#include "tests/support/random_session.h"
#include "tests/support/tiers.h"

namespace tenure::testing {
namespace {

using stabilize::FaultTier;
using store::PageServerKind;

class SessionRandom : public ::testing::TestWithParam<std::tuple<FaultTier, PageServerKind, bool>> {
 protected:
  void Run(uint64_t first_seed, uint64_t seeds, int steps) {
    const auto [tier, server, failures] = GetParam();
    if (tier == FaultTier::kUserfaultfd && !stabilize::ProbeUserfaultfd().ok()) {
      GTEST_SKIP() << stabilize::ProbeUserfaultfd().text();
    }
    RandomSessionResult sum;
    for (uint64_t seed = first_seed; seed < first_seed + seeds; ++seed) {
      std::string pattern =
          (std::filesystem::temp_directory_path() / "tenure-random-XXXXXX").string();
      ASSERT_NE(mkdtemp(pattern.data()), nullptr);
      const RandomSessionResult result =
          RunRandomSession({.seed = seed,
                            .steps = steps,
                            .tier = tier,
                            .server = server,
                            .directory = pattern,
                            // Every second program has hardly any memory for pages.
                            .frame_bytes = seed % 2 == 0 ? 2 * abi::kPageBytes : 0,
                            .twin_bytes = seed % 3 == 0 ? abi::kPageBytes : 0,
                            .cluster = static_cast<stabilize::ClusterOrder>(seed % 3),
                            .failures = failures});
      std::filesystem::remove_all(pattern);
      ASSERT_EQ(result.wrong, "") << "seed " << seed << ", " << steps << " steps";
      sum.commits += result.commits;
      sum.aborts += result.aborts;
      sum.failed_commits += result.failed_commits;
      sum.went_home += result.went_home;
      sum.child_aborts += result.child_aborts;
      sum.pages_dropped += result.pages_dropped;
      sum.pages_spilled += result.pages_spilled;
    }
    // The run had the events that the test is for.
    EXPECT_GT(sum.commits, 0u);
    EXPECT_GT(sum.aborts, 0u);
    EXPECT_GT(sum.went_home, 0u);
    EXPECT_GT(sum.child_aborts, 0u);
    EXPECT_GT(sum.pages_dropped, 0u);
    if (seeds > 2) {
      EXPECT_GT(sum.pages_spilled, 0u);
    }
    EXPECT_EQ(sum.failed_commits > 0, failures);
  }
};

TEST_P(SessionRandom, SeesWhatTheModelSees) {
  const bool durable = std::get<1>(GetParam()) == PageServerKind::kBdb;
  const bool all = getenv("TENURE_LONG") != nullptr;
  // A store on disk takes a third of a second to make: one long run says as much as several short
  // ones.
  if (durable) {
    Run(1, all ? 40 : 2, all ? 3000 : 1500);
  } else {
    Run(1, all ? 2000 : 100, all ? 1000 : 500);
  }
}

std::string NameOf(const ::testing::TestParamInfo<SessionRandom::ParamType>& info) {
  const auto [tier, server, failures] = info.param;
  return NameOfTier(tier, server) + (failures ? "WithFailures" : "");
}

INSTANTIATE_TEST_SUITE_P(
    Tiers, SessionRandom,
    ::testing::Combine(::testing::Values(FaultTier::kMprotect, FaultTier::kUserfaultfd),
                       ::testing::Values(PageServerKind::kMemory, PageServerKind::kBdb),
                       ::testing::Bool()),
    NameOf);

}  // namespace
}  // namespace tenure::testing
