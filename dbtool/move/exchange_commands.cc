#include "dbtool/move/exchange_commands.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <map>
#include <memory>
#include <vector>

#include "base/exit_status.h"
#include "base/shown_text.h"
#include "dbtool/move/exchange.h"
#include "dbtool/stored/unfinished_output.h"
#include "dbtool/values/json.h"
#include "dbtool/values/object_json.h"
#include "store/format/status_text.h"

namespace tenure::dbtool {

namespace {

namespace fs = std::filesystem;

constexpr const char* kSuffix = ".jsonl";  // of the files of --all

int Failed(const Status& status) {
  fflush(stdout);
  fprintf(stderr, "tenure db: %s\n", ShownText(status.text()).c_str());
  return kExitEnvironment;
}

int Usage(const std::string& what) {
  fprintf(stderr, "tenure db: %s\n", ShownText(what).c_str());
  return kExitUsage;
}

void Note(const std::string& note) {
  fprintf(stderr, "tenure db: note: %s\n", ShownText(note).c_str());
}

std::string Joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

// Says which other databases this one's references lead to: they need an export of their own.
Status NoteReferencesBetween(store::PageServer& server, const std::string& database,
                             const std::vector<std::string>& exported) {
  TN_ASSIGN_OR_RETURN(const store::DatabaseId id,
                      server.OpenDatabase(database, store::OpenMode::kOpen));
  const Result<std::vector<store::ImportEntry>> imports = server.Imports(id);
  if (!imports.ok()) return Status::Ok();  // the export has reported it
  std::map<std::string, uint64_t> targets;
  for (const store::ImportEntry& entry : *imports) {
    const bool here = entry.store.empty();
    if (here && std::ranges::find(exported, entry.name) != exported.end()) continue;
    ++targets["database " + entry.name + (here ? "" : " of the store " + entry.store)];
  }
  for (const auto& [target, count] : targets) {
    Note("database " + database + " refers to " + std::to_string(count) + " objects of " + target +
         ", which this export does not have");
  }
  return Status::Ok();
}

// Reports damage; then the command ends with kExitProblems.
class DamageReport {
 public:
  void Tell(const std::string& database, const Status& status) {
    constexpr uint64_t kMostTold = 10;
    if (++count_ > kMostTold) return;
    fprintf(stderr, "tenure db: database %s: damaged, left out: %s\n", database.c_str(),
            status.text());
    told_ = count_;
  }
  uint64_t count() const { return count_; }
  int End() const {
    if (count_ > told_) {
      fprintf(stderr, "tenure db: and %llu more\n",
              static_cast<unsigned long long>(count_ - told_));
    }
    return count_ == 0 ? kExitOk : kExitProblems;
  }

 private:
  uint64_t count_ = 0, told_ = 0;
};

// The file is there when the export is whole, or there is none.
Status ExportToFile(OpenedStore& store, const std::string& database, const std::string& name,
                    const ProblemSink& problem, uint64_t* objects) {
  FILE* const file = fopen(name.c_str(), "wx");
  if (file == nullptr) return store::SystemFailure(errno, "cannot make " + name);
  Status status = Export(store, database, file, problem, objects);
  if (fclose(file) != 0 && status.ok()) {
    status = store::SystemFailure(errno, "cannot write the export");
  }
  return status;
}

int ExportFrom(OpenedStore& store, const ExchangeArguments& arguments) {
  const Result<std::vector<std::string>> names = store.server->ListDatabases();
  if (!names.ok()) return Failed(names.status());
  const std::vector<std::string> exported =
      arguments.all ? *names : std::vector{arguments.database};
  if (!arguments.all && !arguments.named && names->size() > 1) {
    std::vector<std::string> others = *names;
    std::erase(others, arguments.database);
    Note("this is database " + arguments.database + "; the store also has " + Joined(others) +
         " (--all exports all of them)");
  }
  UnfinishedOutput output;
  if (!arguments.file.empty()) {
    if (const Status begun = output.Begin(arguments.store, arguments.file); !begun.ok()) {
      return Failed(begun);
    }
  }
  if (arguments.all) {
    std::error_code error;
    if (!fs::create_directory(output.place(), error)) {
      return Failed(store::SystemFailure(error ? error.value() : EEXIST,
                                         "cannot make the directory " + arguments.file));
    }
  }
  DamageReport report;
  Json made = Json::array();
  for (const std::string& database : exported) {
    const ProblemSink problem = [&](const Status& status) { report.Tell(database, status); };
    const std::string file =
        arguments.all ? output.place() + "/" + database + kSuffix : output.place();
    uint64_t objects = 0;
    const Status status = file.empty() ? Export(store, database, stdout, problem, &objects)
                                       : ExportToFile(store, database, file, problem, &objects);
    if (!status.ok()) return Failed(status);
    if (const Status noted = NoteReferencesBetween(*store.server, database, exported);
        !noted.ok()) {
      return Failed(noted);
    }
    made.push_back({{"name", database},
                    {"file", arguments.file + (arguments.all ? "/" + database + kSuffix : "")},
                    {"objects", objects}});
  }
  if (!arguments.file.empty()) {
    if (const Status finished = output.Finish(); !finished.ok()) return Failed(finished);
  }
  if (arguments.json) PrintLine({{"databases", std::move(made)}, {"damaged", report.count()}});
  return report.End();
}

struct CloseFile {
  void operator()(FILE* file) const { fclose(file); }
};

// `names`: of the files of these databases; empty: standard input.
int ImportFiles(const ExchangeArguments& arguments, const std::vector<std::string>& databases,
                const std::vector<std::string>& names) {
  std::vector<ImportSource> sources;
  std::vector<std::unique_ptr<FILE, CloseFile>> files;
  for (size_t i = 0; i < databases.size(); ++i) {
    const std::string& name = names[i];
    if (name.empty()) {
      sources.push_back({databases[i], stdin, "standard input"});
      continue;
    }
    files.emplace_back(fopen(name.c_str(), "r"));
    if (files.back() == nullptr) return Failed(store::SystemFailure(errno, "cannot read " + name));
    sources.push_back({databases[i], files.back().get(), name});
  }
  const Result<std::vector<ImportTotals>> totals = Import(arguments.store, sources);
  if (!totals.ok()) return Failed(totals.status());
  Json made = Json::array();
  for (size_t i = 0; i < totals->size(); ++i) {
    const ImportTotals& of = (*totals)[i];
    if (arguments.json) {
      made.push_back({{"name", databases[i]},
                      {"objects", of.objects},
                      {"pages", of.pages},
                      {"notes", of.notes}});
      continue;
    }
    for (const std::string& note : of.notes) Note(note);
    if (arguments.all) printf("%s: ", databases[i].c_str());
    printf("%llu objects on %llu pages\n", static_cast<unsigned long long>(of.objects),
           static_cast<unsigned long long>(of.pages));
  }
  if (arguments.json) PrintLine({{"databases", std::move(made)}});
  return kExitOk;
}

}  // namespace

int ExportCommand(const ExchangeArguments& arguments) {
  if (arguments.all && (arguments.named || arguments.file.empty())) {
    return Usage(arguments.named ? "--all exports all databases: name none"
                                 : "--all needs the name of a new directory");
  }
  if (arguments.json && arguments.file.empty()) {
    return Usage("--json says what was written to FILE: name one; the export itself is JSON lines");
  }
  Result<OpenedStore> store = OpenForReading(arguments.store);
  if (!store.ok()) return Failed(store.status());
  if (const Status held = BeginReadOnly(*store->server); !held.ok()) return Failed(held);
  const int status = ExportFrom(*store, arguments);
  const Status closed = store->server->Close();
  return status == kExitOk && !closed.ok() ? Failed(closed) : status;
}

int ImportCommand(const ExchangeArguments& arguments) {
  if (!arguments.all) {
    return ImportFiles(arguments, {arguments.database}, {arguments.file});
  }
  if (arguments.named || arguments.file.empty()) {
    return Usage(arguments.named ? "--all imports all databases: name none"
                                 : "--all needs the directory that an export --all has made");
  }
  std::vector<std::string> files, databases;
  std::error_code error;
  for (fs::directory_iterator entry(arguments.file, error), end; !error && entry != end;
       entry.increment(error)) {
    if (entry->path().extension() == kSuffix) files.push_back(entry->path().string());
  }
  if (error) {
    return Failed(store::SystemFailure(error.value(), "cannot read " + arguments.file));
  }
  if (files.empty()) return Usage(arguments.file + " has no file NAME" + kSuffix);
  std::ranges::sort(files);
  for (const std::string& file : files) databases.push_back(fs::path(file).stem().string());
  return ImportFiles(arguments, databases, files);
}

}  // namespace tenure::dbtool
