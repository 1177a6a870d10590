#include "dbtool/change/converter.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdio>

#include "dbtool/stored/program_types.h"
#include "store/format/status_text.h"

namespace tenure::dbtool {

namespace {

constexpr size_t kLineMost = 64 << 20;

std::u16string Unescaped(std::string_view text) {
  std::u16string result;
  for (size_t i = 0; i < text.size(); ++i) {
    unsigned unit = 0;
    if (text[i] == '\\' && text.size() - i >= 6 && text[i + 1] == 'u' &&
        std::from_chars(text.data() + i + 2, text.data() + i + 6, unit, 16).ptr ==
            text.data() + i + 6) {
      i += 5;
    } else {
      unit = static_cast<unsigned char>(text[i]);
    }
    result += static_cast<char16_t>(unit);
  }
  return result;
}

}  // namespace

std::string Escaped(const std::u16string& text) {
  std::string result;
  for (const char16_t unit : text) {
    if (unit >= ' ' && unit <= '~' && unit != '\\') {
      result += static_cast<char>(unit);
      continue;
    }
    char escape[8];
    snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(unit));
    result += escape;
  }
  return result;
}

std::u16string Widened(const std::string& text) {
  std::u16string result;
  for (const char c : text) result += static_cast<char16_t>(static_cast<unsigned char>(c));
  return result;
}

std::string Narrowed(const std::u16string& text) {
  std::string result;
  for (const char16_t unit : text) result += unit < 256 ? static_cast<char>(unit) : '?';
  return result;
}

Result<std::unique_ptr<Converter>> Converter::Start(const std::string& program) {
  const Status none =
      store::Failure(StatusCode::kInvalidArgument,
                     program + " is not a converter: it does not call DatabaseConverter.Run");
  // The program is examined before it is run.
  if (access(program.c_str(), R_OK) != 0) {
    return store::SystemFailure(errno, "cannot read " + program);
  }
  if (ReadWhole(program).find("DatabaseConverter") == std::string::npos) return none;
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    return store::SystemFailure(errno, "cannot run " + program);
  }
  std::unique_ptr<Converter> converter(new Converter(program));
  converter->fd_ = ends[0];
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  std::string name = program;
  char* const arguments[] = {name.data(), nullptr};
  pid_t child = 0;
  const int error = posix_spawn(&child, program.c_str(), &actions, nullptr, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  if (error != 0) return store::SystemFailure(error, "cannot run " + program);
  converter->child_ = child;
  const Result<std::vector<std::u16string>> types = converter->ReadLine();
  if (!types.ok() || types->front() != u"types") return none;
  for (size_t i = 1; i < types->size(); ++i) converter->types_.insert(Narrowed((*types)[i]));
  return converter;
}

Converter::~Converter() {
  if (fd_ >= 0) close(fd_);  // which ends Run
  if (child_ == 0) return;
  for (int i = 0; i < 100; ++i) {
    if (waitpid(child_, nullptr, WNOHANG) != 0) return;
    usleep(10000);
  }
  kill(child_, SIGKILL);
  (void)waitpid(child_, nullptr, 0);
}

Status Converter::Broken() const {
  return store::Failure(StatusCode::kTypeMismatch,
                        "the converter " + program_ + " has ended without an answer");
}

Result<std::vector<std::u16string>> Converter::ReadLine() {
  size_t end;
  for (size_t looked_at = 0; (end = received_.find('\n', looked_at)) == std::string::npos;) {
    looked_at = received_.size();
    if (looked_at > kLineMost) return Broken();
    char buffer[8192];
    const ssize_t count = recv(fd_, buffer, sizeof buffer, 0);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return Broken();
    received_.append(buffer, static_cast<size_t>(count));
  }
  std::vector<std::u16string> items;
  std::string_view line(received_.data(), end);
  while (true) {
    const size_t tab = std::min(line.find('\t'), line.size());
    items.push_back(Unescaped(line.substr(0, tab)));
    if (tab == line.size()) break;
    line.remove_prefix(tab + 1);
  }
  received_.erase(0, end + 1);
  return items;
}

Result<FieldValues> Converter::Convert(const std::string& type, const FieldValues& old) {
  std::string line = Escaped(Widened(type));
  for (const auto& [name, value] : old) {
    line += "\t" + Escaped(Widened(name)) + "\t" + Escaped(value);
  }
  line += "\n";
  for (size_t done = 0; done < line.size();) {
    const ssize_t count = send(fd_, line.data() + done, line.size() - done, MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return Broken();
    done += static_cast<size_t>(count);
  }
  Result<std::vector<std::u16string>> items = ReadLine();
  for (; items.ok() && items->front() == u"read"; items = ReadLine()) {
    for (size_t i = 1; i < items->size(); ++i) read_.insert({type, Narrowed((*items)[i])});
  }
  if (!items.ok()) return items.status();
  if (items->front() == u"refused") {
    return store::Failure(
        StatusCode::kTypeMismatch,
        "the converter refuses it: " + (items->size() > 1 ? Narrowed((*items)[1]) : std::string()));
  }
  if (items->front() != u"put" || items->size() % 2 == 0) return Broken();
  FieldValues values;
  for (size_t i = 1; i < items->size(); i += 2) {
    values.emplace_back(Narrowed((*items)[i]), (*items)[i + 1]);
  }
  return values;
}

}  // namespace tenure::dbtool
