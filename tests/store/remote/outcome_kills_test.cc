// Programs that lose answers to commits: a server that remembers few commits is killed, cuts its
// programs off, or gives way to a program that uses the store alone, and a program asks for the
// outcome of its commit when many others have committed. A page of the program tells the truth.

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "base/check.h"
#include "store/bdb/bdb_page_server.h"
#include "store/remote/remote_page_server.h"
#include "store/serve/page_service.h"
#include "tests/support/crashing_page_server.h"
#include "tests/support/page_samples.h"
#include "tests/support/random.h"
#include "tests/support/served_store.h"

namespace tenure::store {
namespace {

using std::chrono::milliseconds;
using testing::CommitBuilder;
using testing::Holds;
using testing::MakePage;
using testing::ReadPage;
using testing::ServiceAtSocket;

// The server is a child of a process with one thread, which starts and kills it as it is told.
class Servers {
 public:
  Servers(const std::string& directory, const BdbOptions& options)
      : directory_(directory), options_(options) {
    int commands[2], answers[2];
    TN_CHECK(pipe(commands) == 0 && pipe(answers) == 0);
    helper_ = fork();
    TN_CHECK(helper_ >= 0);
    in_ = commands[0];
    out_ = answers[1];
    if (helper_ == 0) {
      close(commands[1]);
      Help();
    }
    in_ = answers[0];
    out_ = commands[1];
  }
  ~Servers() {
    Tell('Q');
    waitpid(helper_, nullptr, 0);
  }

  void Serve() { Tell('S'); }
  void Kill() { Tell('K'); }
  // The server loses all connections, and goes on.
  void CutOff() { Tell('C'); }
  // A process that uses the store alone commits.
  void CommitAlone() { Tell('D'); }

 private:
  void Tell(char command) {
    char done = 0;
    TN_CHECK(write(out_, &command, 1) == 1);
    if (command != 'Q') TN_CHECK(read(in_, &done, 1) == 1 && done == command);
  }

  [[noreturn]] void Help() {
    int server[2] = {-1, -1}, ready[2] = {-1, -1};
    pid_t child = -1;
    char command = 'Q', done = 0;
    while (read(in_, &command, 1) == 1 && command != 'Q') {
      switch (command) {
        case 'S':
          TN_CHECK(pipe(server) == 0 && pipe(ready) == 0);
          child = fork();
          if (child == 0) {
            for (const int end : {server[1], in_, out_}) close(end);
            RunServer(server[0], ready[1]);
          }
          close(server[0]);
          close(ready[1]);
          TN_CHECK(read(ready[0], &done, 1) == 1);
          break;
        case 'C':
          TN_CHECK(write(server[1], &command, 1) == 1 && read(ready[0], &done, 1) == 1);
          break;
        case 'K':
          kill(child, SIGKILL);
          waitpid(child, nullptr, 0);
          for (const int end : {server[1], ready[0]}) close(end);
          break;
        default: {
          const pid_t alone = fork();
          if (alone == 0) UseAlone();
          int status = 0;
          waitpid(alone, &status, 0);
          TN_CHECK(status == 0);
        }
      }
      TN_CHECK(write(out_, &command, 1) == 1);
    }
    _exit(0);
  }

  [[noreturn]] static void Die(const Status& status) {
    fprintf(stderr, "the store cannot be opened: %s\n", status.text());
    _exit(1);
  }

  [[noreturn]] void RunServer(int in, int out) {
    const auto store = BdbPageServer::Open(directory_, OpenMode::kOpenOrCreate, options_);
    if (!store.ok()) Die(store.status());
    PageService service(**store, directory_);
    service.TrustContents();
    TN_CHECK(service.Start().ok());
    while (true) {
      ServiceAtSocket socket(service, directory_);
      char command = 'S';
      TN_CHECK(write(out, &command, 1) == 1);
      if (read(in, &command, 1) != 1) _exit(0);  // the test has ended
    }
  }

  [[noreturn]] void UseAlone() {
    const auto store = BdbPageServer::Open(directory_, OpenMode::kOpen, options_);
    if (!store.ok()) Die(store.status());
    const DatabaseId db = *(*store)->OpenDatabase("alone", OpenMode::kOpenOrCreate);
    for (uint32_t i = 0; i < 2 * options_.latest_outcomes; ++i) {
      const PageId page = (*store)->AllocatePages(db, 1)->first;
      TN_CHECK(CommitBuilder(**store, db).Whole(page, 0, MakePage(1)).Commit().outcome ==
               CommitOutcome::kCommitted);
    }
    TN_CHECK((*store)->Close().ok());
    _exit(0);
  }

  const std::string directory_;
  const BdbOptions options_;
  pid_t helper_ = -1;
  int in_ = -1, out_ = -1;
};

struct Counts {
  std::atomic<uint64_t> commits{0};
  std::atomic<int> happened{0}, did_not{0}, unknown{0};  // answers to questions
};

// A program with one page, whose contents are the number of its last commit.
class Program {
 public:
  Program(const std::string& directory, int number, uint64_t seed, Counts& counts)
      : directory_(directory),
        name_("program" + std::to_string(number)),
        random_(seed + static_cast<uint64_t>(number)),
        counts_(counts) {
    Connect();
    page_ = server_->AllocatePages(db_, 1)->first;
    version_ = CommitBuilder(*server_, db_).Whole(page_, 0, MakePage(0)).Commit().version;
    TN_CHECK(version_ != 0);
  }

  void Run(const std::atomic<bool>& stop) {
    while (!stop && !::testing::Test::HasFailure()) {
      if (random_.OneIn(4)) {
        OrderSome();
      } else {
        CommitOne();
      }
    }
  }

 private:
  void Connect() {
    for (int tries = 0; server_ == nullptr; ++tries) {
      TN_CHECK(tries < 1000);
      auto server = RemotePageServer::Connect(directory_);
      if (!server.ok()) {
        std::this_thread::sleep_for(milliseconds(20));
        continue;
      }
      const auto db = (*server)->OpenDatabase(name_, OpenMode::kOpenOrCreate);
      if (!db.ok()) continue;
      server_ = *std::move(server);
      db_ = *db;
    }
  }

  // A transaction has begun, and the page has this version.
  void Begin() {
    while (true) {
      if (server_ == nullptr) Connect();
      const Result<bool> begun = server_->StartTransaction();
      const auto reply = begun.ok() ? ReadPage(*server_, db_, page_) : std::unique_ptr<PageReply>();
      if (reply && reply->status.ok()) {
        version_ = reply->record.version;
        return;
      }
      if (begun.ok()) server_->EndTransaction();
      // Commits that were ordered are lost: what the program knows of the store is void.
      if (!server_->failed().ok()) server_.reset();
    }
  }
  bool Has(uint64_t number) {
    Begin();
    const auto reply = ReadPage(*server_, db_, page_);
    server_->EndTransaction();
    return reply && reply->status.ok() ? Holds(*reply, MakePage(number)) : Has(number);
  }
  // For some time, in which others commit.
  void Pause() {
    const uint64_t until = counts_.commits + random_.Below(60);
    for (int i = 0; i < 100 && counts_.commits < until; ++i) {
      std::this_thread::sleep_for(milliseconds(5));
    }
  }

  void CommitOne() {
    Begin();
    const CommitId id = NewCommitId();
    const CommitAnswer answer =
        CommitBuilder(*server_, db_).Whole(page_, version_, MakePage(number_ + 1)).Commit(id);
    server_->EndTransaction();
    bool happened = answer.outcome == CommitOutcome::kCommitted;
    ++counts_.commits;
    if (answer.outcome == CommitOutcome::kUnknown) {
      Pause();
      const auto outcome = server_->Outcome({.id = id, .above = answer.version});
      if (!outcome.ok()) {
        EXPECT_EQ(outcome.status().code(), StatusCode::kUnknownOutcome) << outcome.status().text();
        ++counts_.unknown;
        number_ += Has(number_ + 1);
        return;
      }
      happened = outcome->has_value();
      ++(happened ? counts_.happened : counts_.did_not);
    }
    number_ += happened;
    EXPECT_TRUE(Has(number_)) << name_ << " was told that commit " << number_ + !happened
                              << (happened ? " took place" : " did not");
  }

  void OrderSome() {
    Begin();
    const uint64_t before = number_, first = version_;
    uint64_t ordered = number_, last = version_;
    for (uint64_t i = 1 + random_.Below(20); i > 0; --i) {
      const CommitAnswer answer =
          CommitBuilder(*server_, db_).Whole(page_, last, MakePage(ordered + 1)).Order();
      if (answer.outcome == CommitOutcome::kUnknown) {
        // As a program whose commit is lost for good.
        server_->EndTransaction();
        server_.reset();
        Resync(before, ordered + 1);
        return;
      }
      if (answer.outcome != CommitOutcome::kCommitted) break;
      ++counts_.commits;
      ++ordered;
      last = answer.version;
    }
    server_->EndTransaction();
    if (last == first) return;
    if (!server_->AwaitDurable(last).ok()) {
      Pause();
      // The server is asked for each of them.
      while (server_->failed().ok()) {
        if (server_->StartTransaction().ok()) {
          server_->EndTransaction();
          break;
        }
      }
      if (const Status lost = server_->failed(); !lost.ok()) {
        server_.reset();
        const uint64_t there = Resync(before, ordered);
        if (std::string_view(lost.text()).find("without knowing") != std::string_view::npos) {
          ++counts_.unknown;
        } else {
          EXPECT_LT(there, ordered) << name_ << " was told that ordered commits are lost";
        }
        return;
      }
      ++counts_.happened;
    }
    number_ = ordered;
    EXPECT_TRUE(Has(number_)) << name_ << " was told that commits were durable";
  }

  // The page has one of these numbers.
  uint64_t Resync(uint64_t from, uint64_t to) {
    for (number_ = to; number_ > from; --number_) {
      if (Has(number_)) return number_;
    }
    EXPECT_TRUE(Has(number_));
    return number_;
  }

  const std::string directory_, name_;
  Random random_;
  Counts& counts_;
  std::unique_ptr<RemotePageServer> server_;
  DatabaseId db_{};
  PageId page_;
  uint64_t number_ = 0, version_ = 0;
};

struct Kills {
  bool redo;
  uint32_t older_outcomes;
};

class OutcomeKills : public ::testing::TestWithParam<Kills> {};

TEST_P(OutcomeKills, NoProgramIsToldThatACommitThatTookPlaceDidNot) {
  const uint64_t seed = NewCommitId().high;
  SCOPED_TRACE("seed " + std::to_string(seed));
  signal(SIGPIPE, SIG_IGN);
  testing::TemporaryDirectory directory;
  BdbOptions options;
  options.redo = GetParam().redo;
  options.redo_apply_seconds = 0.02;
  options.latest_outcomes = 4;
  options.older_outcomes = GetParam().older_outcomes;
  Servers servers(directory.path(), options);
  servers.Serve();
  Counts counts;
  std::vector<std::unique_ptr<Program>> programs;
  for (int i = 0; i < 5; ++i) {
    programs.push_back(std::make_unique<Program>(directory.path(), i, seed, counts));
  }
  std::atomic<bool> stop{false};
  std::vector<std::thread> threads;
  for (auto& program : programs) threads.emplace_back([&] { program->Run(stop); });
  Random random(seed);
  for (int round = 0; round < 8 && !HasFailure(); ++round) {
    std::this_thread::sleep_for(milliseconds(20 + random.Below(120)));
    if (random.OneIn(3)) {
      servers.CutOff();
      continue;
    }
    servers.Kill();
    if (random.OneIn(3)) servers.CommitAlone();
    servers.Serve();
  }
  stop = true;
  for (std::thread& thread : threads) thread.join();
  programs.clear();
  servers.Kill();
  RecordProperty("commits", std::to_string(counts.commits));
  printf("%llu commits; outcomes asked for: %d took place, %d did not, %d unknown\n",
         static_cast<unsigned long long>(counts.commits.load()), counts.happened.load(),
         counts.did_not.load(), counts.unknown.load());
  EXPECT_GT(counts.happened + counts.did_not + counts.unknown, 0);
  if (GetParam().older_outcomes > 100) {
    EXPECT_EQ(counts.unknown, 0);
  }
}

INSTANTIATE_TEST_SUITE_P(Stores, OutcomeKills,
                         ::testing::Values(Kills{true, kOlderOutcomesMost},
                                           Kills{false, kOlderOutcomesMost}, Kills{true, 1}),
                         [](const auto& info) {
                           return std::string(info.param.redo ? "Redo" : "Diff") +
                                  (info.param.older_outcomes > 100 ? "" : "Forgets");
                         });

}  // namespace
}  // namespace tenure::store
