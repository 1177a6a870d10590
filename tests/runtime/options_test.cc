#include "runtime/options.h"

#include <gtest/gtest.h>

#include "runtime/arguments.h"

namespace tenure::runtime {
namespace {

std::string ErrorOf(std::string_view word) {
  Options options;
  std::string error;
  EXPECT_EQ(ParseOption(word, options, error), OptionVerdict::kBad) << word;
  return error;
}

Options Parsed(std::string_view word) {
  Options options;
  std::string error;
  EXPECT_EQ(ParseOption(word, options, error), OptionVerdict::kTaken) << word << ": " << error;
  return options;
}

TEST(OptionsTest, SizesTakeASuffix) {
  EXPECT_EQ(Parsed("maxheap=4096").heap_bytes_max, 4096u);
  EXPECT_EQ(Parsed("maxheap=64K").heap_bytes_max, 64u << 10);
  EXPECT_EQ(Parsed("maxheap=3m").heap_bytes_max, 3u << 20);
  EXPECT_EQ(Parsed("dbcache=2G").database_cache_bytes, uint64_t{2} << 30);
}

TEST(OptionsTest, ABadValueIsAnErrorThatNamesTheFlag) {
  for (const char* word : {"maxheap",        "maxheap=",         "maxheap=0",
                           "maxheap=12Q",    "maxheap=-1",       "maxheap=99999999999G",
                           "gcstress",       "gcstress=0",       "gcstress=x",
                           "gcstress=1x",    "paranoidgc=1",     "dbbase=fixed",
                           "faults=",        "faults=none",      "pageserver=disk",
                           "dbfail=crash",   "dbfail=:1",        "dbfail=crash:0",
                           "dbfail=crash:x", "dbfail=nothing:1", "recovery=none"}) {
    const std::string_view view = word;
    const std::string name(view.substr(0, view.find('=')));
    EXPECT_NE(ErrorOf(word).find("@M3" + name), std::string::npos) << word;
  }
}

TEST(OptionsTest, TheOthersAreTaken) {
  EXPECT_EQ(Parsed("gcstress=7").gc_stress_interval, 7u);
  EXPECT_TRUE(Parsed("paranoidgc").gc_paranoid);
  EXPECT_TRUE(Parsed("dbbase=random").database_base_random);
  EXPECT_EQ(Parsed("faults=uffd").fault_tier, stabilize::FaultTier::kUserfaultfd);
  EXPECT_EQ(Parsed("faults=mprotect").fault_tier, stabilize::FaultTier::kMprotect);
  EXPECT_EQ(Parsed("pageserver=memory").page_server, stabilize::PageServerKind::kMemory);
  EXPECT_EQ(Parsed("dbfail=crash:3").database_failure.kind, stabilize::FailPointKind::kCrash);
  EXPECT_EQ(Parsed("dbfail=crash:3").database_failure.count, 3u);
}

TEST(OptionsTest, FlagsOfTheCollector) {
  EXPECT_TRUE(Parsed("gcstats").gc_statistics);
  EXPECT_FALSE(Parsed("gcstats").gc_statistics_json);
  EXPECT_TRUE(Parsed("gcstats=json").gc_statistics_json);
  EXPECT_TRUE(Parsed("nogc").gc_disabled);
  EXPECT_FALSE(Parsed("nogenerational").gc_generational);
  EXPECT_EQ(Parsed("nursery=2M").gc_nursery_bytes, 2u << 20);
  EXPECT_EQ(Parsed("gcpause=50").gc_pause_ms, 50u);
  EXPECT_EQ(Parsed("gcremember=card").gc_remembering, gc::Remembering::kCards);
  EXPECT_EQ(Parsed("gcremember=object").gc_remembering, gc::Remembering::kObjects);
  EXPECT_EQ(Parsed("gcinplace=auto").gc_in_place, gc::InPlacePromotion::kWhenMostSurvives);
  EXPECT_EQ(Parsed("gcinplace=always").gc_in_place, gc::InPlacePromotion::kAlways);
  EXPECT_EQ(Parsed("gcinplace=never").gc_in_place, gc::InPlacePromotion::kNever);
  Options options;
  std::string error;
  EXPECT_EQ(ParseOption("gcinplace=often", options, error), OptionVerdict::kBad);
  EXPECT_EQ(ParseOption("gcstats=xml", options, error), OptionVerdict::kBad);
  EXPECT_EQ(ParseOption("nogc=1", options, error), OptionVerdict::kBad);
  EXPECT_EQ(ParseOption("gcpause=0", options, error), OptionVerdict::kBad);
  EXPECT_EQ(ParseOption("gcremember=slot", options, error), OptionVerdict::kBad);
}

TEST(OptionsTest, TheHelpNamesEveryFlagThatIsTaken) {
  const std::string help = OptionsHelp();
  for (const char* name :
       {"gcstress", "paranoidgc", "paranoiddb", "maxheap", "gcstats", "gctrace", "nogc",
        "nogenerational", "nursery", "gcpause", "gcinplace", "gcremember", "dbbase", "faults",
        "pageserver", "dbfail", "dbcache", "recovery", "help"}) {
    EXPECT_NE(help.find(std::string("@M3") + name), std::string::npos) << name;
  }
}

TEST(ArgumentsTest, FlagsAreRemovedAndUnknownOnesLeftForTheProgram) {
  const char* argv[] = {"prog", "a", "@M3gcstress=5", "@M3mine=x", "b", "@M3maxheap=1M"};
  Arguments arguments;
  Options options;
  std::string error;
  ASSERT_TRUE(ParseArguments(6, argv, "gcstress=9  @M3other", arguments, options, error));
  EXPECT_EQ(arguments.program, (std::vector<std::string>{"prog", "a", "b"}));
  EXPECT_EQ(arguments.parameters, (std::vector<std::string>{"gcstress=9", "other", "gcstress=5",
                                                            "mine=x", "maxheap=1M"}));
  EXPECT_EQ(options.gc_stress_interval, 5u);
  EXPECT_EQ(options.heap_bytes_max, 1u << 20);
}

TEST(ArgumentsTest, ABadFlagIsRefused) {
  const char* argv[] = {"prog", "@M3maxheap=much"};
  Arguments arguments;
  Options options;
  std::string error;
  EXPECT_FALSE(ParseArguments(2, argv, nullptr, arguments, options, error));
  EXPECT_NE(error.find("maxheap=much"), std::string::npos);
}

}  // namespace
}  // namespace tenure::runtime
