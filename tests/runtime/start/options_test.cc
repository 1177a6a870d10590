#include "runtime/start/options.h"

#include <gtest/gtest.h>

#include <cctype>
#include <fstream>
#include <initializer_list>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "runtime/start/arguments.h"
#include "store/faults/linked_faults.h"

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
  EXPECT_EQ(Parsed("maxheap=524288").heap_bytes_max, 524288u);
  EXPECT_EQ(Parsed("maxheap=1024K").heap_bytes_max, 1024u << 10);
  EXPECT_EQ(Parsed("maxheap=3m").heap_bytes_max, 3u << 20);
  EXPECT_EQ(Parsed("dbcache=2G").database_cache_bytes, uint64_t{2} << 30);
  EXPECT_EQ(Parsed("memory=128M").memory_bytes, 128u << 20);
  EXPECT_EQ(Parsed("frames=8M").frame_bytes, 8u << 20);
  EXPECT_EQ(Parsed("twins=64K").twin_bytes, 64u << 10);
}

TEST(OptionsTest, ABadValueIsAnErrorThatNamesTheFlag) {
  for (const char* word : {"maxheap",        "maxheap=",         "maxheap=0",
                           "maxheap=12Q",    "maxheap=-1",       "maxheap=99999999999G",
                           "gcstress",       "gcstress=0",       "gcstress=x",
                           "gcstress=1x",    "paranoidgc=1",     "dbbase=fixed",
                           "faults=",        "faults=none",      "pageserver=disk",
                           "dbfail=crash",   "dbfail=:1",        "dbfail=crash:0",
                           "dbfail=crash:x", "dbfail=nothing:1", "recovery=none",
                           "mappings=",      "mappings=63",      "maxheap=1",
                           "maxheap=511K",   "memory=15M",       "frames=0",
                           "twins=some",     "readahead=0",      "readahead=65",
                           "opentogether=0", "stayopen=perhaps", "oneprocessor=2"}) {
    const std::string_view view = word;
    const std::string name(view.substr(0, view.find('=')));
    EXPECT_NE(ErrorOf(word).find("@M3" + name), std::string::npos) << word;
  }
}

TEST(OptionsTest, ASizeThatCannotBeKeptIsAnErrorThatSaysTheLeast) {
  struct Bound {
    const char *refused, *least, *taken;
  };
  for (const Bound& bound :
       {Bound{"dbcache=1535K", "1536K", "dbcache=1536K"},
        Bound{"frames=511K", "512K", "frames=512K"}, Bound{"twins=8191", "8K", "twins=8192"},
        Bound{"nursery=127K", "128K", "nursery=128K"},
        Bound{"maxheap=511K", "512K", "maxheap=512K"}, Bound{"memory=15M", "16M", "memory=16M"},
        Bound{"mappings=63", "64", "mappings=64"}}) {
    EXPECT_NE(ErrorOf(bound.refused).find(std::string("from ") + bound.least), std::string::npos)
        << ErrorOf(bound.refused);
    Parsed(bound.taken);
    // The help says the same.
    EXPECT_NE(OptionsHelp().find(std::string("from ") + bound.least), std::string::npos);
  }
  EXPECT_NE(ErrorOf("gcthreads=9").find("1 to 8"), std::string::npos);
  EXPECT_EQ(Parsed("gcthreads=8").gc_threads, 8u);
}

TEST(OptionsTest, TheOthersAreTaken) {
  EXPECT_EQ(Parsed("gcstress=7").gc_stress_interval, 7u);
  EXPECT_TRUE(Parsed("paranoidgc").gc_paranoid);
  EXPECT_EQ(Parsed("readahead=1").pages_read_ahead, 1u);
  EXPECT_EQ(Parsed("opentogether=64").pages_opened_together, 64u);
  EXPECT_FALSE(Parsed("stayopen=off").pages_stay_open);
  EXPECT_TRUE(Parsed("stayopen=on").shares_processor);
  EXPECT_FALSE(Parsed("oneprocessor=off").shares_processor);
  EXPECT_TRUE(Parsed("dbbase=random").database_base_random);
  EXPECT_EQ(Parsed("faults=uffd").fault_tier, stabilize::FaultTier::kUserfaultfd);
  EXPECT_EQ(Parsed("faults=mprotect").fault_tier, stabilize::FaultTier::kMprotect);
  EXPECT_EQ(Parsed("mappings=64").mappings, 64u);
  EXPECT_EQ(Parsed("pageserver=memory").page_server, store::PageServerKind::kMemory);
  tn_linked_faults();  // so that the linker takes them
  EXPECT_FALSE(Parsed("dbfail=read-io:3").database_faults->PlanFileFault());
  EXPECT_EQ(Parsed("nogc").database_faults, nullptr);
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

// The names that follow @M3 in a text, without repetitions.
std::set<std::string> FlagsIn(const std::string& text) {
  std::set<std::string> flags;
  for (size_t at = text.find("@M3"); at != std::string::npos; at = text.find("@M3", at + 1)) {
    const size_t begin = at + 3;
    size_t end = begin;
    while (end < text.size() && std::isalpha(static_cast<unsigned char>(text[end])) != 0) ++end;
    if (end > begin) flags.insert(text.substr(begin, end - begin));
  }
  return flags;
}

TEST(OptionsTest, TheHelpAndTheDocumentNameTheFlagsThatAreTaken) {
  std::set<std::string> in_help = FlagsIn(OptionsHelp());
  EXPECT_GE(in_help.size(), 20u);
  for (const std::string& flag : in_help) {
    Options options;
    std::string error;
    EXPECT_NE(ParseOption(flag, options, error), OptionVerdict::kUnknown) << flag;
  }
  std::ifstream file("docs/flags.md");
  std::stringstream document;
  document << file.rdbuf();
  std::set<std::string> in_document = FlagsIn(document.str());
  // The errors that the document gives as examples.
  in_document.erase("maxHeap");
  in_document.erase("name");
  EXPECT_EQ(in_document, in_help);
}

TEST(OptionsTest, AFlagThatWasMeantIsNamed) {
  EXPECT_EQ(OptionMeant("maxHeap=1M"), "@M3maxheap");
  EXPECT_EQ(OptionMeant("GCSTATS"), "@M3gcstats");
  EXPECT_EQ(OptionMeant("paranoid"), "@M3paranoidgc");
  EXPECT_EQ(OptionMeant("paraniodgc"), "@M3paranoidgc");
  EXPECT_EQ(OptionMeant("dbcahce=16M"), "@M3dbcache");
  EXPECT_EQ(OptionMeant("nogcc"), "@M3nogc");
  EXPECT_EQ(OptionMeant("mine"), "");
  EXPECT_EQ(OptionMeant(""), "");
}

class ArgumentsTest : public testing::Test {
 protected:
  bool Parse(std::initializer_list<const char*> argv, const char* environment,
             const FlagRules& rules) {
    return ParseArguments(static_cast<int>(argv.size()), argv.begin(), environment, rules,
                          arguments_, options_, error_);
  }

  Arguments arguments_;
  Options options_;
  std::string error_;
};

TEST_F(ArgumentsTest, FlagsAreRemovedAndUnknownOnesLeftForAProgramThatAsks) {
  ASSERT_TRUE(Parse({"prog", "a", "@M3gcstress=5", "@M3mine=x", "b", "@M3maxheap=1M"},
                    "gcstress=9  @M3other", {.program_has_flags = true}));
  EXPECT_EQ(arguments_.program, (std::vector<std::string>{"prog", "a", "b"}));
  EXPECT_EQ(arguments_.parameters, (std::vector<std::string>{"gcstress=9", "other", "gcstress=5",
                                                             "mine=x", "maxheap=1M"}));
  EXPECT_EQ(options_.gc_stress_interval, 5u);
  EXPECT_EQ(options_.heap_bytes_max, 1u << 20);
}

TEST_F(ArgumentsTest, ABadFlagIsRefused) {
  EXPECT_FALSE(Parse({"prog", "@M3maxheap=much"}, nullptr, {}));
  EXPECT_NE(error_.find("maxheap=much"), std::string::npos);
}

TEST_F(ArgumentsTest, AFlagThatNobodyKnowsIsRefused) {
  EXPECT_FALSE(Parse({"prog", "@M3foo"}, nullptr, {}));
  EXPECT_NE(error_.find("@M3foo"), std::string::npos) << error_;
  EXPECT_NE(error_.find("@M3help"), std::string::npos) << error_;
}

TEST_F(ArgumentsTest, AMisspeltFlagIsRefusedAlsoWhereTheProgramHasItsOwn) {
  EXPECT_FALSE(Parse({"prog", "@M3maxHeap=1M"}, nullptr, {.program_has_flags = true}));
  EXPECT_NE(error_.find("did you mean @M3maxheap?"), std::string::npos) << error_;
}

TEST_F(ArgumentsTest, TheEnvironmentMayHaveFlagsOfOtherProgramsButNoSlips) {
  EXPECT_TRUE(Parse({"prog"}, "mine=x gcstress=3", {}));
  EXPECT_EQ(options_.gc_stress_interval, 3u);
  EXPECT_FALSE(Parse({"prog"}, "gcstres=3", {}));
  EXPECT_NE(error_.find("TENURE_OPTIONS; did you mean @M3gcstress?"), std::string::npos) << error_;
}

TEST_F(ArgumentsTest, AProgramWithAnotherUsersRightsTakesNoFlags) {
  EXPECT_FALSE(Parse({"prog", "@M3heapsnapshot=/tmp/x"}, nullptr, {.allowed = false}));
  EXPECT_NE(error_.find("@M3heapsnapshot=/tmp/x"), std::string::npos) << error_;
}

TEST_F(ArgumentsTest, AProgramWithAnotherUsersRightsReadsNoOptionsOfTheEnvironment) {
  ASSERT_TRUE(Parse({"prog", "a"}, "heapsnapshot=/tmp/x", {.allowed = false}));
  EXPECT_EQ(options_.heap_snapshot, "");
  EXPECT_TRUE(arguments_.parameters.empty());
}

}  // namespace
}  // namespace tenure::runtime
