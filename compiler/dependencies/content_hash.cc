#include "compiler/dependencies/content_hash.h"

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/SHA256.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <system_error>

namespace tenure::compiler {

namespace fs = std::filesystem;

namespace {

std::string TextOf(const std::array<uint8_t, 32>& sum) {
  return llvm::toHex(llvm::ArrayRef<uint8_t>(sum.data(), sum.size()), /*LowerCase=*/true);
}

std::string Sha256(const std::string& text) {
  const auto* bytes = reinterpret_cast<const uint8_t*>(text.data());
  return TextOf(llvm::SHA256::hash(llvm::ArrayRef<uint8_t>(bytes, text.size())));
}

// Hashes a file of any size. Returns 0, or the number of the error.
int Sha256OfFile(const std::string& path, std::string* sum) {
  std::FILE* file = std::fopen(path.c_str(), "rb");
  if (file == nullptr) return errno;
  llvm::SHA256 hash;
  std::array<uint8_t, 65536> part;
  size_t count;
  while ((count = std::fread(part.data(), 1, part.size(), file)) > 0) {
    hash.update(llvm::ArrayRef<uint8_t>(part.data(), count));
  }
  const int error = std::ferror(file) != 0 ? errno : 0;
  std::fclose(file);
  *sum = TextOf(hash.final());
  return error;
}

bool IsLeftOut(const fs::path& name) { return name == ".git" || name == ".tenure"; }

}  // namespace

Problem FilesOfPackage(const std::string& directory, std::vector<std::string>* files) {
  std::error_code error;
  fs::recursive_directory_iterator it(directory, error);
  for (; !error && it != fs::recursive_directory_iterator(); it.increment(error)) {
    if (IsLeftOut(it->path().filename())) {
      it.disable_recursion_pending();
      continue;
    }
    const fs::file_status status = it->symlink_status(error);
    if (error) break;
    if (fs::is_directory(status)) continue;
    if (!fs::is_regular_file(status) && !fs::is_symlink(status)) {
      return Problem(StatusCode::kNotSupported,
                     "'" + it->path().string() + "' is not a file, folder or link");
    }
    files->push_back(it->path().lexically_relative(directory).generic_string());
  }
  if (error) return Problem::OfSystem("cannot read the directory '" + directory + "'", error);
  std::ranges::sort(*files);
  return {};
}

Problem HashPackage(const std::string& directory, std::string* hash) {
  std::vector<std::string> files;
  TN_RETURN_IF_PROBLEM(FilesOfPackage(directory, &files));
  std::string list;
  for (const std::string& file : files) {
    const std::string path = directory + "/" + file;
    std::error_code error;
    std::string sum;
    if (fs::is_symlink(path, error)) {
      sum = Sha256("link to " + fs::read_symlink(path, error).string());
      if (error) return Problem::OfSystem("cannot read '" + path + "'", error);
    } else if (const int failure = Sha256OfFile(path, &sum); failure != 0) {
      return Problem::OfSystem("cannot read '" + path + "'", failure);
    }
    // A line break in a path cannot make the list of other files.
    list += sum + "  " + std::to_string(file.size()) + " " + file + "\n";
  }
  *hash = "sha256:" + Sha256(list);
  return {};
}

}  // namespace tenure::compiler
