#include "store/remote/serving_report.h"

#include <gtest/gtest.h>

namespace tenure::store {
namespace {

using std::chrono::milliseconds;

ServingReport Sample() {
  ServingReport report;
  report.process = 7;
  report.serving = milliseconds(95000);
  report.commits = 12;
  report.syncs = 5;
  report.largest_group = 4;
  report.host = "north";
  report.term = 3;
  report.behind_bytes = 8192;
  report.clients = {
      {{17, "audit", false}, milliseconds(100), true, milliseconds(50), 3, 2, 1},
      {{18, "", false, "alice", "db4:7000"}, milliseconds(10), false, {}, 0, 0, 0},
  };
  ServingReport::Wait wait;
  wait.party = {18, "", false};
  wait.database = "main";
  wait.page = 3;
  wait.write = true;
  wait.waited = milliseconds(10020);
  wait.holders = {{{17, "audit", false}, false, milliseconds(12000), milliseconds(10010), true},
                  {{0, "", true}, true, milliseconds(12000), {}, false}};
  wait.before = {{19, "x", false}};
  report.waits = {wait};
  return report;
}

TEST(ServingReport, ComesBackFromAMessage) {
  Writer out;
  PutReport(out, Sample());
  Reader in(out.bytes());
  const ServingReport report = GetReport(in);
  EXPECT_TRUE(in.AtEnd());
  Writer again;
  PutReport(again, report);
  EXPECT_EQ(out.text(), again.text());
  EXPECT_EQ(report.host, "north");
  EXPECT_EQ(report.term, 3u);
  EXPECT_EQ(report.behind_bytes, 8192u);
  ASSERT_EQ(report.clients.size(), 2u);
  EXPECT_EQ(report.clients[0].transaction, milliseconds(50));
  EXPECT_FALSE(report.clients[1].transaction.has_value());
  EXPECT_EQ(TextOf(report.clients[0].party), "process 17 (audit)");
  EXPECT_EQ(TextOf(report.clients[1].party), "process 18 of 'alice' at db4:7000");
  EXPECT_EQ(TextOf(ServingReport::Party{0, "", false, "bob", "db5:7001"}),
            "a program of 'bob' at db5:7001");
  ASSERT_EQ(report.waits.size(), 1u);
  EXPECT_EQ(report.waits[0].holders.size(), 2u);
}

// A server is not trusted either.
TEST(ServingReport, EachPartOfAMessageIsNone) {
  Writer out;
  PutReport(out, Sample());
  for (size_t bytes = 0; bytes < out.bytes().size(); ++bytes) {
    Reader in(out.bytes().first(bytes));
    (void)GetReport(in);
    EXPECT_FALSE(in.AtEnd()) << bytes;
  }
}

TEST(ServingReport, SaysWhyAProgramWaits) {
  const ServingReport::Wait wait = Sample().waits[0];
  EXPECT_EQ(TextOf(wait.party), "process 18");
  EXPECT_EQ(WantedText(wait), "page 3 of database main, for writing");
  const std::vector<std::string> reasons = ReasonTexts(wait);
  ASSERT_EQ(reasons.size(), 3u);
  EXPECT_EQ(
      reasons[0],
      "process 17 (audit) has had it for reading for 12.0 s, and was asked for it 10.0 s ago: "
      "it is in a transaction");
  EXPECT_EQ(reasons[1],
            "a commit of several stores whose outcome is not known yet has had it for writing for "
            "12.0 s");
  EXPECT_EQ(reasons[2], "process 19 (x) came first");
}

}  // namespace
}  // namespace tenure::store
