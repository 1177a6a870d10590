// Procedures that CM3's Quake offers beyond the old ones: texts, lists, names of files, and files.
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "compiler/quake/interpreter.h"
#include "compiler/source/output_file.h"
#include "compiler/source/source_file.h"

namespace tenure::compiler::quake {

namespace fs = std::filesystem;

namespace {

constexpr const char* kBlanks = " \t\r\n";

std::string WithoutLeft(const std::string& text) {
  const size_t begin = text.find_first_not_of(kBlanks);
  return begin == std::string::npos ? "" : text.substr(begin);
}

std::string WithoutRight(const std::string& text) {
  return text.substr(0, text.find_last_not_of(kBlanks) + 1);
}

// Copies a file over one that is not newer: whole, or the target stays as it was.
std::error_code CopyIfNewer(const std::string& source, const std::string& target) {
  std::error_code error;
  fs::create_directories(fs::path(target).parent_path(), error);
  const fs::file_type type = fs::symlink_status(target, error).type();
  if (type != fs::file_type::not_found) {
    const fs::file_time_type written = fs::last_write_time(source, error);
    if (error || fs::last_write_time(target, error) >= written) return error;
  }
  const bool in_place = type != fs::file_type::not_found && type != fs::file_type::regular;
  const std::string copy = in_place ? target : target + ".new" + std::to_string(getpid());
  fs::copy_file(source, copy, fs::copy_options::overwrite_existing, error);
  if (!error && !in_place) fs::rename(copy, target, error);
  std::error_code ignored;
  if (error && !in_place) fs::remove(copy, ignored);
  return error;
}

// Runs of blanks become one.
std::string Squeezed(const std::string& text) {
  std::string result;
  for (const char c : text) {
    const bool blank = std::isspace(static_cast<unsigned char>(c)) != 0;
    if (!blank || result.empty() || result.back() != ' ') result += blank ? ' ' : c;
  }
  return result;
}

// Replaces `from` by `to`, `count` times at most; negative: always.
std::string Replaced(std::string text, const std::string& from, const std::string& to, long count) {
  if (from.empty()) return text;
  for (size_t at = text.find(from); at != std::string::npos && count != 0; --count) {
    text.replace(at, from.size(), to);
    at = text.find(from, at + to.size());
  }
  return text;
}

long NumberAt(const Call& call, size_t index) {
  const std::string& text = call.Text(index);
  char* end = nullptr;
  const long number = std::strtol(text.c_str(), &end, 10);
  if (text.empty() || *end != '\0') call.Fail("'" + text + "' is not a number");
  return number;
}

std::string Now(const char* format) {
  const std::time_t now = std::time(nullptr);
  char text[64];
  std::tm local;
  localtime_r(&now, &local);
  return std::strftime(text, sizeof text, format, &local) != 0 ? text : "";
}

// $NAME in a text.
std::string WithEnvironment(Interpreter& interpreter, const std::string& text) {
  std::string result;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '$') {
      result += text[i];
      continue;
    }
    std::string name;
    while (i + 1 < text.size() &&
           (std::isalnum(static_cast<unsigned char>(text[i + 1])) != 0 || text[i + 1] == '_')) {
      name += text[++i];
    }
    result += name.empty() ? "$" : interpreter.Environment(name);
  }
  return result;
}

}  // namespace

void Interpreter::DefineTextProcedures() {
  using Function = std::function<Value(const Call&)>;
  const auto define = [&](const char* name, size_t least, size_t most, Function function) {
    Define(name, {least, most, std::move(function)});
  };
  define("skipl", 1, 1, [](const Call& c) { return Value(WithoutLeft(c.Text(0))); });
  define("skipr", 1, 1, [](const Call& c) { return Value(WithoutRight(c.Text(0))); });
  define("compress", 1, 1,
         [](const Call& c) { return Value(WithoutLeft(WithoutRight(c.Text(0)))); });
  define("squeeze", 1, 1, [](const Call& c) { return Value(Squeezed(c.Text(0))); });
  define("subst", 3, 4, [](const Call& c) {
    return Value(
        Replaced(c.Text(0), c.Text(1), c.Text(2), c.arguments.size() > 3 ? NumberAt(c, 3) : -1));
  });
  define("subst_env", 1, 1,
         [this](const Call& c) { return Value(WithEnvironment(*this, c.Text(0))); });
  define("del_chars", 2, 2, [](const Call& c) {
    std::string text = c.Text(0);
    std::erase_if(text, [&](char ch) { return c.Text(1).find(ch) != std::string::npos; });
    return Value(text);
  });
  define("sub", 3, 3, [](const Call& c) {
    const std::string& text = c.Text(0);
    const long from = NumberAt(c, 1), count = NumberAt(c, 2);
    if (from < 0 || count < 0 || static_cast<size_t>(from) >= text.size()) return Value();
    return Value(text.substr(static_cast<size_t>(from), static_cast<size_t>(count)));
  });
  // The place of a text or element, from 0; -1: it is not there.
  define("pos", 2, 2, [](const Call& c) {
    if (c.arguments[0].kind() != Value::Kind::kArray) {
      const size_t at = c.Text(0).find(c.Text(1));
      return Value(at == std::string::npos ? "-1" : std::to_string(at));
    }
    const std::vector<std::string> all = c.Texts(0);
    const auto at = std::find(all.begin(), all.end(), c.Text(1));
    return Value(at == all.end() ? "-1" : std::to_string(at - all.begin()));
  });
  define("tcontains", 2, 2, [](const Call& c) {
    return Value::OfBool(c.Text(0).find(c.Text(1)) != std::string::npos);
  });
  define("bool", 1, 1,
         [this](const Call& c) { return Value::OfBool(TruthOf(c.arguments[0], c.span)); });
  define("upper", 1, 1, [](const Call& c) {
    std::string text = c.Text(0);
    std::ranges::transform(text, text.begin(), [](unsigned char ch) { return std::toupper(ch); });
    return Value(text);
  });
  define("lower", 1, 1, [](const Call& c) {
    std::string text = c.Text(0);
    std::ranges::transform(text, text.begin(), [](unsigned char ch) { return std::tolower(ch); });
    return Value(text);
  });
  for (const bool before : {true, false}) {
    define(before ? "add_prefix" : "add_suffix", 2, 2, [before](const Call& c) {
      Value::Array words;
      for (const std::string& word : c.Texts(0)) {
        words.emplace_back(before ? c.Text(1) + word : word + c.Text(1));
      }
      return Value::OfArray(std::move(words));
    });
  }
  define("quote", 1, 1, [](const Call& c) { return Value("\"" + c.Text(0) + "\""); });
  const auto now = [&](const char* name, const char* format) {
    define(name, 0, 0, [this, format](const Call&) {
      had_effects_ = true;
      return Value(Now(format));
    });
  };
  now("date", "%Y-%m-%d");
  now("datetime", "%Y-%m-%d %H:%M:%S");
  now("datestamp", "%Y-%m-%d-%H-%M-%S");
  define("hostname", 0, 0, [](const Call&) {
    char name[256] = "";
    return Value(gethostname(name, sizeof name - 1) == 0 ? name : "");
  });
}

void Interpreter::DefinePathProcedures() {
  // Names of files, in the words of CM3's Pathname interface.
  const auto path = [&](const char* name, auto function) {
    Define(name, {1, 1, [function](const Call& c) {
                    return Value(std::string(function(fs::path(c.Text(0))).string()));
                  }});
  };
  for (const char* name : {"pn_prefix", "pn_parent", "head"}) {
    path(name, [](const fs::path& p) { return p.parent_path(); });
  }
  for (const char* name : {"pn_last", "tail"}) {
    path(name, [](const fs::path& p) { return p.filename(); });
  }
  path("pn_base", [](const fs::path& p) { return p.parent_path() / p.stem(); });
  for (const char* name : {"pn_lastbase", "basename"}) {
    path(name, [](const fs::path& p) { return p.stem(); });
  }
  path("pn_lastext", [](const fs::path& p) {
    const std::string extension = p.extension().string();
    return fs::path(extension.empty() ? extension : extension.substr(1));
  });
  Define("pn_absolute",
         {1, 1, [](const Call& c) { return Value::OfBool(fs::path(c.Text(0)).is_absolute()); }});
  Define("pn_valid", {1, 1, [](const Call& c) {
                        return Value::OfBool(c.Text(0).find('\0') == std::string::npos);
                      }});
  Define("pn_current", {0, 0, [](const Call&) { return Value("."); }});
  Define("pn_join", {1, kAnyNumber, [](const Call& c) {
                       fs::path whole;
                       for (size_t i = 0; i < c.arguments.size(); ++i) {
                         for (const std::string& part : c.Texts(i)) whole /= part;
                       }
                       return Value(whole.string());
                     }});
  Define("pn_join2", {3, 3, [](const Call& c) {
                        const std::string& extension = c.Text(2);
                        const fs::path whole = fs::path(c.Text(0)) / c.Text(1);
                        return Value(whole.string() + (extension.empty() ? "" : "." + extension));
                      }});
  // The root, or an empty text, and then the arcs.
  Define("pn_decompose", {1, 1, [](const Call& c) {
                            const fs::path whole(c.Text(0));
                            Value::Array parts = {Value(whole.root_path().string())};
                            for (const fs::path& arc : whole.relative_path()) {
                              parts.push_back(Value(arc.string()));
                            }
                            return Value::OfArray(std::move(parts));
                          }});
  Define("pn_compose", {1, 1, [](const Call& c) {
                          fs::path whole;
                          for (const std::string& part : c.Texts(0)) whole /= part;
                          return Value(whole.string());
                        }});
  Define("pn_replace_ext",
         {2, 2, [](const Call& c) {
            return Value(fs::path(c.Text(0)).replace_extension(c.Text(1)).string());
          }});
  // Change the folder in which generated files go and commands run; the new folder must exist.
  for (const char* name : {"cd", "pushd"}) {
    Define(name, {1, 1, [this](const Call& c) {
                    if (!MakeOwnDirectory(c)) return Value();
                    const fs::path directory = fs::path(working_directory_) / c.Text(0);
                    std::error_code error;
                    if (!fs::is_directory(directory, error)) {
                      c.Fail("cannot change to '" + directory.lexically_normal().string() +
                             "': " + (error ? error.message() : "Not a directory"));
                      return Value();
                    }
                    if (c.name == "pushd") former_directories_.push_back(working_directory_);
                    working_directory_ = directory.string();
                    return Value();
                  }});
  }
  Define("popd", {0, 0, [this](const Call& c) {
                    if (former_directories_.empty()) {
                      c.Fail("popd without a pushd before");
                    } else {
                      working_directory_ = former_directories_.back();
                      former_directories_.pop_back();
                    }
                    return Value();
                  }});
  Define("getwd", {0, 0, [this](const Call&) { return Value(working_directory_); }});
  Define("file", {0, 0, [this](const Call&) {
                    return Value(files_.empty() ? "" : std::string(files_.back()->path()));
                  }});
}

void Interpreter::DefineCalls() {
  // eval_func("name", arguments...)
  for (const char* name : {"eval_func", "eval_proc"}) {
    Define(name, {1, kAnyNumber, [this](const Call& c) {
                    const std::string& procedure = c.Text(0);
                    if (failed_) return Value();
                    return CallByName(procedure, {c.arguments.begin() + 1, c.arguments.end()},
                                      c.span);
                  }});
  }
}

void Interpreter::DefineFileProcedures() {
  const auto define = [&](const char* name, size_t arguments, auto function) {
    Define(name, {arguments, arguments, function});
  };
  // Generated files are below the working directory.
  const auto made = [this](const Call& c, size_t index) {
    return fs::path(Made(c.Text(index))).lexically_normal().string();
  };
  const auto check = [](const Call& c, const std::error_code& error) {
    if (error) c.Fail(c.name + " of '" + c.Text(0) + "' failed: " + error.message());
    return Value();
  };
  define("fs_writable", 1, [this](const Call& c) {
    return Value::OfBool(access(Input(c.Text(0)).c_str(), W_OK) == 0);
  });
  define("fs_executable", 1, [this](const Call& c) {
    return Value::OfBool(access(Input(c.Text(0)).c_str(), X_OK) == 0);
  });
  define("fs_contents", 1, [this](const Call& c) {
    std::string text;
    if (ReadWholeFile(Input(c.Text(0)), text) != 0) c.Fail("cannot read '" + c.Text(0) + "'");
    return Value(text);
  });
  define("fs_putfile", 2, [made](const Call& c) {
    const std::string problem = WriteWholeFile(made(c, 0), c.Text(1));
    if (!problem.empty()) c.Fail(problem);
    return Value();
  });
  define("fs_touch", 1, [made](const Call& c) {
    std::ofstream file(made(c, 0), std::ios::app);
    std::error_code ignored;
    fs::last_write_time(made(c, 0), fs::file_time_type::clock::now(), ignored);
    return Value();
  });
  define("fs_mkdir", 1, [made, check](const Call& c) {
    std::error_code error;
    fs::create_directories(made(c, 0), error);
    return check(c, error);
  });
  for (const char* name : {"fs_rmfile", "fs_rmdir"}) {
    define(name, 1, [made, check](const Call& c) {
      std::error_code error;
      fs::remove(made(c, 0), error);
      return check(c, error);
    });
  }
  define("fs_rmrec", 1, [made, check](const Call& c) {
    std::error_code error;
    fs::remove_all(made(c, 0), error);
    return check(c, error);
  });
  const auto copy = [this, made, check](const Call& c) {
    std::error_code error;
    std::string target = made(c, 1);
    if (fs::is_directory(target, error)) target += "/" + fs::path(c.Text(0)).filename().string();
    return check(c, CopyIfNewer(Input(c.Text(0)), target));
  };
  for (const char* name : {"fs_cp", "cp_if", "copy_if"}) define(name, 2, copy);
  define("link_file", 2, [this, made, check](const Call& c) {
    std::error_code error;
    const fs::path link = made(c, 1);
    fs::create_directories(link.parent_path(), error);
    fs::remove(link, error);
    const fs::path target = fs::absolute(Input(c.Text(0)), error);
    if (!error) fs::create_symlink(target, link, error);
    return check(c, error);
  });
  for (const bool directories : {true, false}) {
    const auto list = [this, directories](const Call& c) {
      std::vector<std::string> names;
      std::error_code error;
      const std::string where = Input(c.Text(0));
      had_effects_ = true;
      for (fs::directory_iterator it(where, error), end; !error && it != end; it.increment(error)) {
        if (it->is_directory(error) == directories) {
          names.push_back(it->path().filename().string());
        }
      }
      std::sort(names.begin(), names.end());
      return Value::OfArray(Value::Array(names.begin(), names.end()));
    };
    Define(directories ? "fs_lsdirs" : "fs_lsfiles", {1, 2, list});
  }
}

}  // namespace tenure::compiler::quake
