#include "dbtool/look/commands.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

#include "base/exit_status.h"
#include "dbtool/look/database_view.h"
#include "dbtool/look/show.h"
#include "dbtool/program_types.h"
#include "dbtool/query/results.h"
#include "store/format/status_text.h"

namespace tenure::dbtool {

namespace {

int Failed(const Status& status) {
  fflush(stdout);
  fprintf(stderr, "tenure db: %s\n", status.text());
  return status.code() == StatusCode::kInvalidArgument ? kExitUsage : kExitEnvironment;
}

int Wrong(const QueryProblem& problem, const std::string& text) {
  fflush(stdout);
  fprintf(stderr, "tenure db: %s\n", ShowProblem(problem, text).c_str());
  return kExitUsage;
}

// Says what is damaged. The status that the command ends with.
int Told(const DatabaseView& view) {
  if (view.problem_count() == 0) return kExitOk;
  fflush(stdout);
  for (const std::string& problem : view.problems()) {
    fprintf(stderr, "tenure db: damaged, left out: %s\n", problem.c_str());
  }
  if (view.problem_count() > view.problems().size()) {
    fprintf(stderr, "tenure db: and %llu more\n",
            static_cast<unsigned long long>(view.problem_count() - view.problems().size()));
  }
  return kExitProblems;
}

Result<Views> ViewsFor(const LookArguments& arguments) {
  Views views = Views::OfLibrary();
  std::vector<std::string> files;
  if (const char* named = std::getenv("TENURE_VIEWS")) {
    std::string_view rest = named;
    while (!rest.empty()) {
      const size_t end = std::min(rest.find(':'), rest.size());
      if (end != 0) files.emplace_back(rest.substr(0, end));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }
  files.insert(files.end(), arguments.views.begin(), arguments.views.end());
  for (const std::string& file : files) {
    FILE* const from = fopen(file.c_str(), "r");
    if (from == nullptr) return store::SystemFailure(errno, "cannot read " + file);
    fclose(from);
    TN_RETURN_IF_ERROR(views.Add(ReadWhole(file), file));
  }
  return views;
}

// Opens the store and the database, and closes the store behind `use`.
int WithView(const LookArguments& arguments,
             const std::function<int(OpenedStore&, const Views&)>& use) {
  const Result<Views> views = ViewsFor(arguments);
  if (!views.ok()) return Failed(views.status());
  Result<OpenedStore> store = OpenForReading(arguments.store);
  if (!store.ok()) return Failed(store.status());
  const int status = use(*store, *views);
  const Status closed = store->server->Close();
  return status == kExitOk && !closed.ok() ? Failed(closed) : status;
}

bool Write(std::string* text) {
  const bool good = fwrite(text->data(), 1, text->size(), stdout) == text->size();
  text->clear();
  return good;
}

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
      // Of a served store nothing is printed before everything has been read: another program's
      // commit may come between, and all is read again.
      std::string out;
      const std::unique_ptr<RowWriter> writer = RowWriter::Make(
          *format, view->values(), &out,
          shared ? std::function<bool()>() : [&] { return Write(&out); });
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

}  // namespace tenure::dbtool
