#include "dbtool/look/view_files.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string_view>

#include "dbtool/stored/program_types.h"
#include "store/format/status_text.h"

namespace tenure::dbtool {

namespace {

namespace fs = std::filesystem;

// The files in a list with colons between them.
std::vector<std::string> FilesIn(const char* variable) {
  std::vector<std::string> files;
  const char* const list = std::getenv(variable);
  std::string_view rest = list == nullptr ? "" : list;
  while (!rest.empty()) {
    const size_t end = std::min(rest.find(':'), rest.size());
    if (end != 0) files.emplace_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return files;
}

std::vector<std::string> FilesOfUser() {
  const char* const data = std::getenv("XDG_DATA_HOME");
  const char* const home = std::getenv("HOME");
  fs::path folder;
  if (data != nullptr && *data == '/') {
    folder = data;
  } else if (home != nullptr && *home == '/') {
    folder = fs::path(home) / ".local/share";
  } else {
    return {};
  }
  std::vector<std::string> files;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder / "tenure/views", error)) {
    if (entry.path().extension() == ".json") files.push_back(entry.path().string());
  }
  std::ranges::sort(files);
  return files;
}

Status AddFile(const std::string& file, Views* views) {
  FILE* const from = fopen(file.c_str(), "r");
  if (from == nullptr) return store::SystemFailure(errno, "cannot read " + file);
  fclose(from);
  return views->Add(ReadWhole(file), file);
}

}  // namespace

Result<Views> FindViews(const std::vector<std::string>& named) {
  Views views = Views::OfLibrary();
  std::vector<std::string> found = FilesOfUser();
  for (std::string& file : FilesIn("TENURE_PACKAGE_VIEWS")) found.push_back(std::move(file));
  for (const std::string& file : found) {
    if (const Status status = AddFile(file, &views); !status.ok()) {
      fprintf(stderr, "tenure db: left out: %s\n", status.text());
    }
  }
  for (const std::string& file : FilesIn("TENURE_VIEWS")) {
    TN_RETURN_IF_ERROR(AddFile(file, &views));
  }
  for (const std::string& file : named) TN_RETURN_IF_ERROR(AddFile(file, &views));
  return views;
}

}  // namespace tenure::dbtool
