#include "dbtool/look/commands.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "base/exit_status.h"
#include "base/shown_text.h"
#include "base/terminal_text.h"
#include "dbtool/look/database_view.h"
#include "dbtool/look/set.h"
#include "dbtool/look/shell.h"
#include "dbtool/look/show.h"
#include "dbtool/look/view_files.h"
#include "dbtool/query/results.h"
#include "dbtool/stored/program_types.h"
#include "dbtool/stored/progress.h"
#include "dbtool/stored/unfinished_output.h"
#include "dbtool/values/json.h"
#include "store/format/status_text.h"

namespace tenure::dbtool {

namespace {

int Failed(const Status& status) {
  fflush(stdout);
  fprintf(stderr, "tenure db: %s\n", ShownText(status.text()).c_str());
  return status.code() == StatusCode::kInvalidArgument ? kExitUsage : kExitEnvironment;
}

int Wrong(const QueryProblem& problem, const std::string& text) {
  fflush(stdout);
  fprintf(stderr, "tenure db: %s\n", ShowProblem(problem, text).c_str());
  return kExitUsage;
}

// Reports the damage, and returns the exit status of the command.
int Told(const DatabaseView& view) {
  if (view.problem_count() == 0) return kExitOk;
  fflush(stdout);
  for (const std::string& problem : view.problems()) {
    fprintf(stderr, "tenure db: damaged, left out: %s\n", ShownText(problem).c_str());
  }
  if (view.problem_count() > view.problems().size()) {
    fprintf(stderr, "tenure db: and %llu more\n",
            static_cast<unsigned long long>(view.problem_count() - view.problems().size()));
  }
  return kExitProblems;
}

// Opens the store and the database, and closes the store behind `use`.
int WithView(const LookArguments& arguments,
             const std::function<int(OpenedStore&, const Views&)>& use) {
  const Result<Views> views = FindViews(arguments.views);
  if (!views.ok()) return Failed(views.status());
  Result<OpenedStore> store = OpenForReading(arguments.store);
  if (!store.ok()) return Failed(store.status());
  const int status = use(*store, *views);
  const Status closed = store->server->Close();
  return status == kExitOk && !closed.ok() ? Failed(closed) : status;
}

bool Write(std::string* text, FILE* to = stdout) {
  const bool good = fwrite(text->data(), 1, text->size(), to) == text->size();
  text->clear();
  return good;
}

// Counts the rows that it passes on, and shows how many there are so far.
class CountedRows final : public RowSink {
 public:
  // `count` null: the rows are to be seen themselves.
  CountedRows(RowSink& to, uint64_t* count) : to_(to), count_(count) {}

  void Begin(const std::vector<std::string>& columns) override { to_.Begin(columns); }
  bool Add(const std::vector<Datum>& row) override {
    if (count_ != nullptr) progress_.Show(++*count_);
    return to_.Add(row);
  }

 private:
  RowSink& to_;
  uint64_t* const count_;
  Progress progress_{"objects exported", 0};
};

}  // namespace

int ShowCommand(const LookArguments& arguments) {
  return WithView(arguments, [&](OpenedStore& store, const Views& views) {
    std::string out;
    int result = kExitOk;
    const Status status = ReadAtOneMoment(store, [&]() -> Status {
      out.clear();
      TN_ASSIGN_OR_RETURN(const std::unique_ptr<DatabaseView> view,
                          DatabaseView::Open(store, arguments.database, views));
      QueryProblem problem;
      const ShowOptions options{arguments.limit, arguments.json};
      const Result<bool> shown = ShowPath(*view, arguments.expression, options, &out, &problem);
      if (shown.status().code() == StatusCode::kConflict) return shown.status();
      if (shown.ok() && !*shown) {
        result = Wrong(problem, arguments.expression);
        return Status::Ok();
      }
      Write(&out);
      result = Told(*view);
      return shown.ok() ? Status::Ok() : shown.status();
    });
    return status.ok() ? result : Failed(status);
  });
}

int QueryCommand(const LookArguments& arguments) {
  const std::optional<RowFormat> format = RowFormatNamed(arguments.format);
  if (!format) {
    fprintf(stderr, "tenure db: --format is table, jsonl or csv, not '%s'\n",
            arguments.format.c_str());
    return kExitUsage;
  }
  return WithView(arguments, [&](OpenedStore& store, const Views& views) {
    const bool shared = store.server->capabilities().shared;
    int result = kExitOk;
    const Status status = ReadAtOneMoment(store, [&]() -> Status {
      TN_ASSIGN_OR_RETURN(const std::unique_ptr<DatabaseView> view,
                          DatabaseView::Open(store, arguments.database, views));
      QueryRun run(view->values(), views, view->beginnings());
      QueryProblem problem;
      if (!run.Prepare(arguments.expression, &problem)) {
        result = Wrong(problem, arguments.expression);
        return Status::Ok();
      }
      // For a served store everything is read before anything is printed: another program's commit
      // may come between, and then all is read again.
      std::string out;
      const std::unique_ptr<RowWriter> writer = RowWriter::Make(
          *format, view->values(), &out,
          shared ? std::function<bool()>() : [&] { return Write(&out); },
          TerminalColumns(STDOUT_FILENO));
      TN_RETURN_IF_ERROR(run.Run(*writer, [&](const Status& damage) { view->Report(damage); }));
      writer->End();
      Write(&out);
      result = Told(*view);
      if (arguments.statistics) {
        fflush(stdout);
        fprintf(stderr, "%s; %llu pages read\n", run.plan().c_str(),
                static_cast<unsigned long long>(view->source().pages_read()));
      }
      return Status::Ok();
    });
    return status.ok() ? result : Failed(status);
  });
}

int SetCommand(const LookArguments& arguments) {
  return WithView(arguments, [&](OpenedStore& store, const Views& views) {
    int result = kExitOk;
    const Status status = ReadAtOneMoment(store, [&]() -> Status {
      TN_ASSIGN_OR_RETURN(const std::unique_ptr<DatabaseView> view,
                          DatabaseView::Open(store, arguments.database, views));
      SetProblem problem;
      TN_ASSIGN_OR_RETURN(const std::optional<SetResult> set,
                          SetValue(store, *view, arguments.expression, arguments.value,
                                   arguments.dry_run, &problem));
      if (!set) {
        result = Wrong(problem.problem, problem.text);
        return Status::Ok();
      }
      if (arguments.json) {
        PrintLine({{"path", arguments.expression},
                   {"before", set->before},
                   {"after", set->after},
                   {"changed", !arguments.dry_run}});
        return Status::Ok();
      }
      printf("%s: %s -> %s%s\n", arguments.expression.c_str(), set->before.c_str(),
             set->after.c_str(), arguments.dry_run ? " (nothing has been changed)" : "");
      return Status::Ok();
    });
    return status.ok() ? result : Failed(status);
  });
}

int ShellCommand(const LookArguments& arguments) {
  return WithView(arguments, [&](OpenedStore& store, const Views& views) {
    return RunShell(store, arguments.store, arguments.database, views, arguments.json);
  });
}

int ExportCsv(const LookArguments& arguments, const std::string& file) {
  FILE* to = stdout;
  UnfinishedOutput output;
  uint64_t rows = 0;
  if (!file.empty()) {
    if (const Status begun = output.Begin(arguments.store, file); !begun.ok()) {
      return Failed(begun);
    }
    to = fopen(output.place().c_str(), "wx");
    if (to == nullptr) return Failed(store::SystemFailure(errno, "cannot make " + file));
  }
  int result = WithView(arguments, [&](OpenedStore& store, const Views& views) {
    if (const Status held = BeginReadOnly(*store.server); !held.ok()) return Failed(held);
    const auto view = DatabaseView::Open(store, arguments.database, views);
    if (!view.ok()) return Failed(view.status());
    QueryRun run((*view)->values(), views, (*view)->beginnings());
    QueryProblem problem;
    const std::string query = "all `" + arguments.expression + "`";
    if (!run.Prepare(query, &problem)) {
      fprintf(stderr, "tenure db: %s\n", problem.what.c_str());
      return static_cast<int>(kExitUsage);
    }
    std::string out;
    bool written = true;
    const auto write = [&] { return written = Write(&out, to) && written; };
    const std::unique_ptr<RowWriter> writer =
        RowWriter::Make(RowFormat::kCsv, (*view)->values(), &out, write);
    CountedRows counted(*writer, file.empty() ? nullptr : &rows);
    const Status status = run.Run(counted, [&](const Status& damage) { (*view)->Report(damage); });
    if (!status.ok()) return Failed(status);
    writer->End();
    write();
    if (!written || fflush(to) != 0) {
      return Failed(store::SystemFailure(errno, "cannot write the export"));
    }
    return Told(**view);
  });
  if (to == stdout) return result;
  if (fclose(to) != 0 && result <= kExitProblems) {
    return Failed(store::SystemFailure(errno, "cannot write the export"));
  }
  if (result > kExitProblems) return result;
  if (const Status finished = output.Finish(); !finished.ok()) return Failed(finished);
  if (arguments.json) {
    PrintLine({{"type", arguments.expression}, {"file", file}, {"objects", rows}});
  }
  return result;
}

}  // namespace tenure::dbtool
