// The ways in which a database can be reached, as parameters of a test: each fault tier over each
// page server.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <tuple>

#include "stabilize/session/session.h"

namespace tenure::testing {

using Tier = std::tuple<stabilize::FaultTier, store::PageServerKind>;

inline auto AllTiers() {
  using stabilize::FaultTier;
  using store::PageServerKind;
  return ::testing::Combine(::testing::Values(FaultTier::kMprotect, FaultTier::kUserfaultfd),
                            ::testing::Values(PageServerKind::kMemory, PageServerKind::kBdb));
}

inline std::string NameOfTier(stabilize::FaultTier tier, store::PageServerKind server) {
  return std::string(tier == stabilize::FaultTier::kUserfaultfd ? "Uffd" : "Mprotect") +
         (server == store::PageServerKind::kBdb ? "Bdb" : "Memory");
}
// For INSTANTIATE_TEST_SUITE_P.
inline std::string NameOf(const ::testing::TestParamInfo<Tier>& info) {
  return NameOfTier(std::get<0>(info.param), std::get<1>(info.param));
}

}  // namespace tenure::testing
