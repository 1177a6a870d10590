#include "compiler/driver/linker.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <functional>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/machine_limits.h"
#include "base/removed_by_signals.h"
#include "compiler/driver/build_record.h"
#include "compiler/source/source_file.h"

extern char** environ;

namespace tenure::compiler {

namespace {

// Runs a command and collects its output. Returns its exit status, or -1 with `output` saying why
// it did not start. A signal that ends this process ends the command, too: gcc runs other programs,
// which have files in TMPDIR, so the command is a group of its own.
int Run(const std::vector<std::string>& command, std::string* output) {
  int pipe_ends[2];
  if (pipe2(pipe_ends, O_CLOEXEC) != 0) {
    *output = std::strerror(errno);
    return -1;
  }
  std::vector<char*> argv;
  for (const std::string& word : command) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, pipe_ends[1], 1);
  posix_spawn_file_actions_adddup2(&actions, pipe_ends[1], 2);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setpgroup(&attributes, 0);
  RemovedBySignals::HandleEnd();
  pid_t child = 0;
  const int error = posix_spawnp(&child, argv[0], &actions, &attributes, argv.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  close(pipe_ends[1]);
  if (error != 0) {
    close(pipe_ends[0]);
    *output = std::strerror(error);
    return -1;
  }
  const EndedBySignals ended(child);
  char buffer[4096];
  ssize_t count;
  while ((count = read(pipe_ends[0], buffer, sizeof buffer)) > 0 || (count < 0 && errno == EINTR)) {
    if (count > 0) output->append(buffer, static_cast<size_t>(count));
  }
  close(pipe_ends[0]);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

// The output comes into being under this name.
std::string TemporaryName(const std::string& output) {
  return output + ".new" + std::to_string(getpid());
}

// The files of a rule for make, "it: FILE...", as gcc writes one.
std::set<std::string> FilesInRule(std::string_view rule) {
  std::set<std::string> files;
  std::string file;
  for (size_t i = std::min(rule.find(':') + 1, rule.size()); i <= rule.size(); ++i) {
    const char c = i < rule.size() ? rule[i] : '\n';
    const char next = i + 1 < rule.size() ? rule[i + 1] : '\0';
    if (c == '\\' && next == '\n') continue;
    if (c == ' ' || c == '\n') {
      if (!file.empty()) files.insert(file);
      file.clear();
    } else if ((c == '\\' && (next == ' ' || next == '#' || next == ':')) ||
               (c == '$' && next == '$')) {
      file += rule[++i];
    } else {
      file += c;
    }
  }
  return files;
}

}  // namespace

Problem CompileForeign(const ForeignInputs& inputs, std::vector<std::string>* objects,
                       std::set<std::string>* files_read) {
  const Package& package = inputs.package;
  const std::string& directory = inputs.directory;
  namespace fs = std::filesystem;
  std::error_code error;
  if (!package.c_sources.empty() && !fs::create_directories(directory, error) && error) {
    return Problem("cannot make the directory '" + directory + "': " + error.message());
  }
  for (const std::string& source : package.c_sources) {
    std::vector<std::string> command = {"gcc", "-O2", "-g", "-c", source};
    command.insert(command.end(), package.c_options.begin(), package.c_options.end());
    for (const std::string& include : package.include_directories) {
      command.push_back("-I" + include);
    }
    command.push_back("-I" + HeaderDirectory(inputs.installation));
    // A package may have files of one name in several folders, and there may be two such packages.
    std::string compiled_as;
    for (const std::string& word : command) compiled_as += word + " ";
    char place[24];
    std::snprintf(place, sizeof place, "%016zx", std::hash<std::string>()(compiled_as));
    const std::string object = directory + "/" + package.name + "." +
                               fs::path(source).stem().string() + "-" + place + ".c.o";
    objects->push_back(object);
    const ObjectRecord record(object);
    if (record.IsUpToDate(files_read)) continue;
    if (inputs.verbose) std::fprintf(stderr, "compile %s\n", source.c_str());
    const std::string temporary = TemporaryName(object), rule = temporary + ".d";
    const RemovedBySignals removed(temporary), removed_rule(rule);
    command.insert(command.end(), {"-MD", "-MT", "it", "-MF", rule, "-o", temporary});
    std::string said, dependencies;
    const int status = Run(command, &said);
    if (status == 0) ReadWholeFile(rule, dependencies);  // the assembler's sources have none
    unlink(rule.c_str());
    if (status < 0) return Problem("cannot run the C compiler gcc: " + said + " (install gcc)");
    if (status != 0) {
      unlink(temporary.c_str());
      return Problem("compiling '" + source + "' failed:\n" + said);
    }
    fs::rename(temporary, object, error);
    if (error) return Problem("cannot write '" + object + "': " + error.message());
    std::set<std::string> read = FilesInRule(dependencies);
    read.insert(source);
    record.Write(read);
    files_read->merge(read);
    if (!said.empty()) std::fputs(said.c_str(), stderr);
  }
  return Problem();
}

namespace {

// Where the linker makes its output. In the path that lld is given, it puts random digits in the
// place of each '%', which is how LLVM makes temporary files, also in the names of directories: so
// there the output gets another name, and its directory is reached by a link.
class LinkerOutput {
 public:
  explicit LinkerOutput(const std::string& output) : made_(TemporaryName(output)), told_(made_) {
    namespace fs = std::filesystem;
    if (made_.find('%') == std::string::npos) return;
    std::error_code error;
    const fs::path directory = fs::absolute(fs::path(output), error).parent_path();
    char place[24];
    std::snprintf(place, sizeof place, "%016zx", std::hash<std::string>()(output));
    const std::string name = TemporaryName(std::string(".linked-") + place);
    made_ = (directory / name).string();
    told_ = made_;
    if (made_.find('%') == std::string::npos) return;
    const char* const temporary = std::getenv("TMPDIR");
    std::string links = temporary != nullptr && *temporary != '\0' ? temporary : "/tmp";
    if (links.find('%') != std::string::npos) links = "/tmp";
    links += "/tenure-link.XXXXXX";
    if (mkdtemp(links.data()) == nullptr) return;  // The linker says that it cannot write.
    links_ = links;
    fs::create_directory_symlink(directory, links_ + "/to", error);
    told_ = links_ + "/to/" + name;
  }
  ~LinkerOutput() {
    if (links_.empty()) return;
    unlink((links_ + "/to").c_str());
    rmdir(links_.c_str());
  }
  LinkerOutput(const LinkerOutput&) = delete;
  LinkerOutput& operator=(const LinkerOutput&) = delete;

  const std::string& made() const { return made_; }
  // What the linker is told.
  const std::string& told() const { return told_; }

 private:
  std::string made_, told_, links_;
};

std::vector<std::string> LinkerCommand(const Installation& installation,
                                       const LinkerOutput& output) {
  std::vector<std::string> command = {"g++", "-no-pie", "-o", output.told()};
  if (!installation.linker_directory.empty()) {
    command.push_back("-fuse-ld=lld");
    command.push_back("-B" + installation.linker_directory);
    // lld checks its writes; but when the disk is full, a write to a mapped file kills it.
    command.push_back("-Wl,--no-mmap-output-file");
    // lld does not know the limits of control groups.
    command.push_back("-Wl,--threads=" + std::to_string(std::min<size_t>(ProcessorCount(), 16)));
  }
  return command;
}

// Which package to install, if the linker does not find one of the libraries; otherwise empty.
std::string MissingPackage(const std::string& said, std::vector<SystemLibrary> libraries) {
  libraries.insert(libraries.end(),
                   {{"db", "libdb5.3-dev"}, {"backtrace", "g++"}, {"gc", "libgc-dev"}});
  for (const auto& [library, package] : libraries) {
    for (const char* const before : {"unable to find library -l", "cannot find -l"}) {
      const std::string words = before + library;
      const size_t found = said.find(words);
      if (found == std::string::npos) continue;
      const size_t end = found + words.size();
      // Not the beginning of another library's name.
      if (end < said.size() && std::isalnum(static_cast<unsigned char>(said[end]))) continue;
      return "install " + package + " (Debian's name)";
    }
  }
  return "";
}

// Makes the output completely or not at all. `what` names it in messages; `libraries` are those of
// the command that interfaces name.
Problem RunLinker(const std::vector<std::string>& command, const LinkerOutput& made,
                  const std::string& output, const std::string& what,
                  const std::vector<SystemLibrary>& libraries) {
  const std::string& temporary = made.made();
  const RemovedBySignals removed(temporary);
  std::string said;
  const int status = Run(command, &said);
  if (status < 0) return Problem("cannot run the linker driver g++: " + said + " (install g++)");
  if (status != 0) {
    unlink(temporary.c_str());
    return Problem("linking " + what + " failed:\n" + said + (said.ends_with('\n') ? "" : "\n") +
                   MissingPackage(said, libraries));
  }
  std::error_code error;
  std::filesystem::rename(temporary, output, error);
  if (error) {
    unlink(temporary.c_str());
    return Problem("cannot write '" + output + "': " + error.message());
  }
  return Problem();
}

}  // namespace

Problem LinkParts(const std::vector<std::string>& parts, const Installation& installation,
                  const std::string& path) {
  const LinkerOutput made(path);
  std::vector<std::string> command = LinkerCommand(installation, made);
  command.insert(command.end(), {"-r", "-nostdlib"});
  command.insert(command.end(), parts.begin(), parts.end());
  Problem problem = RunLinker(command, made, path, "the parts of '" + path + "'", {});
  for (const std::string& part : parts) unlink(part.c_str());
  return problem;
}

Problem LinkProgram(const LinkInputs& inputs, const Installation& installation,
                    const std::string& output, bool verbose) {
  const LinkerOutput made(output);
  std::vector<std::string> command = LinkerCommand(installation, made);
  command.insert(command.end(), inputs.objects.begin(), inputs.objects.end());
  command.insert(command.end(), inputs.arguments.begin(), inputs.arguments.end());
  // The run time defines some functions of Berkeley DB and of the C library anew. Its own
  // definitions come first, and count.
  if (inputs.is_static) command.insert(command.end(), {"-static", "-Wl,-z,muldefs"});
  // Behind the objects, before the libraries that these archives need. The first definition of a
  // symbol counts. The symbols are named before the archives, so that a linker that reads each
  // archive once takes them, too.
  if (inputs.boehm) command.push_back("-Wl,--undefined=tn_linked_collector");
  if (inputs.faults) command.push_back("-Wl,--undefined=tn_linked_faults");
  if (inputs.boehm) command.push_back(installation.boehm_archive);
  if (inputs.faults) command.push_back(installation.faults_archive);
  command.push_back(installation.runtime_archive);
  if (inputs.boehm) command.push_back("-lgc");
  // A program that uses no database does not load libdb.
  command.push_back("-Wl,--as-needed");
  for (const SystemLibrary& library : inputs.libraries) command.push_back("-l" + library.name);
  for (const char* word : {"-ldb", "-lbacktrace", "-lpthread", "-ldl", "-lm"}) {
    command.push_back(word);
  }
  if (verbose) {
    for (const std::string& word : command) std::fprintf(stderr, "%s ", word.c_str());
    std::fputc('\n', stderr);
  }
  return RunLinker(command, made, output, "'" + output + "'", inputs.libraries);
}

}  // namespace tenure::compiler
