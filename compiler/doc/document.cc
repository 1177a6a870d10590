#include "compiler/doc/document.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string_view>

#include "compiler/lex/lexer.h"
#include "compiler/source/output_file.h"

namespace tenure::compiler {

namespace {

namespace fs = std::filesystem;

// --- The source as pieces ---

enum class PieceKind : uint8_t { kBlank, kWord, kKeyword, kLiteral, kComment, kPragma, kOther };

struct Piece {
  PieceKind kind;
  std::string_view text;
};

bool IsWordStart(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }
bool IsWordPart(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// One past the comment or pragma that begins at `at`.
size_t EndOfNested(std::string_view text, size_t at, std::string_view open,
                   std::string_view close) {
  size_t depth = 0;
  while (at < text.size()) {
    if (text.substr(at, 2) == open) {
      ++depth;
      at += 2;
    } else if (text.substr(at, 2) == close) {
      at += 2;
      if (--depth == 0) return at;
    } else {
      ++at;
    }
  }
  return text.size();
}

size_t EndOfLiteral(std::string_view text, size_t at) {
  const char quote = text[at++];
  while (at < text.size() && text[at] != quote && text[at] != '\n') at += text[at] == '\\' ? 2 : 1;
  return std::min(at + 1, text.size());
}

std::vector<Piece> Split(std::string_view text) {
  std::vector<Piece> pieces;
  size_t at = 0;
  while (at < text.size()) {
    const char c = text[at];
    size_t end = at + 1;
    PieceKind kind = PieceKind::kOther;
    if (std::isspace(static_cast<unsigned char>(c)) != 0) {
      while (end < text.size() && std::isspace(static_cast<unsigned char>(text[end])) != 0) ++end;
      kind = PieceKind::kBlank;
    } else if (IsWordStart(c)) {
      while (end < text.size() && IsWordPart(text[end])) ++end;
      kind = FindKeyword(text.substr(at, end - at)) == TokenKind::kIdentifier ? PieceKind::kWord
                                                                              : PieceKind::kKeyword;
    } else if (text.substr(at, 2) == "(*") {
      end = EndOfNested(text, at, "(*", "*)");
      kind = PieceKind::kComment;
    } else if (text.substr(at, 2) == "<*") {
      end = EndOfNested(text, at, "<*", "*>");
      kind = PieceKind::kPragma;
    } else if (c == '"' || c == '\'') {
      end = EndOfLiteral(text, at);
      kind = PieceKind::kLiteral;
    }
    pieces.push_back({kind, text.substr(at, end - at)});
    at = end;
  }
  return pieces;
}

bool IsCode(const Piece& piece) {
  return piece.kind != PieceKind::kBlank && piece.kind != PieceKind::kComment &&
         piece.kind != PieceKind::kPragma;
}

// --- What is declared ---

// Follows the pieces of an interface and says of each whether it is the name of a declaration.
class DeclarationReader {
 public:
  // The full name ("T", "T.method") that the piece declares, or an empty string.
  std::string Read(const Piece& piece) {
    if (!IsCode(piece)) return "";
    std::string declared;
    if (piece.kind == PieceKind::kKeyword) {
      ReadKeyword(piece.text);
    } else if (piece.kind == PieceKind::kWord) {
      if (expects_name_) declared = ReadName(std::string(piece.text));
    } else if (piece.text == "(" || piece.text == "[" || piece.text == "{") {
      ++brackets_;
      expects_name_ = false;
    } else if (piece.text == ")" || piece.text == "]" || piece.text == "}") {
      --brackets_;
    } else if (piece.text == ";") {
      if (brackets_ == 0 && AtTop()) in_type_ = false;
      expects_name_ = brackets_ == 0 && (AtTop() ? section_ != "" : InMethods());
    } else if (piece.text == ",") {
      expects_name_ = brackets_ == 0 && AtTop() && in_list_;
    } else if (piece.text != "." || !after_name_) {
      expects_name_ = false;
    }
    if (brackets_ == 0 && AtTop() && (piece.text == ":" || piece.text == "=" || piece.text == ":="))
      in_list_ = false;
    after_name_ = !declared.empty();
    return declared;
  }

  bool AtTop() const { return nested_.empty(); }
  bool InBrackets() const { return brackets_ > 0 || !nested_.empty(); }

 private:
  void ReadKeyword(std::string_view word) {
    expects_name_ = false;
    if (word == "RECORD" || word == "OBJECT") {
      nested_.push_back(std::string(word));
    } else if (word == "METHODS" || word == "OVERRIDES") {
      if (!nested_.empty()) nested_.back() = word;
      expects_name_ = InMethods();
    } else if (word == "END") {
      if (!nested_.empty()) nested_.pop_back();
    } else if (AtTop() && brackets_ == 0) {
      ReadSection(word);
    }
  }

  void ReadSection(std::string_view word) {
    if (word == "PROCEDURE" && section_ == "TYPE" && in_type_) return;
    if (word == "TYPE" || word == "CONST" || word == "VAR" || word == "EXCEPTION" ||
        word == "REVEAL" || word == "PROCEDURE") {
      section_ = word;
      expects_name_ = true;
      in_list_ = true;
      in_type_ = false;
    } else if (word == "IMPORT" || word == "FROM" || word == "INTERFACE") {
      section_ = "";
    }
  }

  std::string ReadName(const std::string& name) {
    expects_name_ = false;
    if (!AtTop()) return type_ + "." + name;
    in_list_ = section_ != "PROCEDURE";
    in_type_ = section_ != "PROCEDURE";
    type_ = name;
    if (section_ == "PROCEDURE") section_ = "";
    if (section_ == "REVEAL") return "";  // of another interface, as a rule
    return name;
  }

  bool InMethods() const { return nested_.size() == 1 && nested_.back() == "METHODS"; }

  std::string section_;
  std::string type_;
  std::vector<std::string> nested_;  // RECORD, OBJECT, METHODS, OVERRIDES
  int brackets_ = 0;
  bool expects_name_ = false;
  bool in_list_ = false;  // a, b: T
  bool in_type_ = false;
  bool after_name_ = false;
};

// The interfaces that each name of an interface's imports stands for.
struct Imports {
  std::map<std::string, std::string> interfaces;  // local name to interface
  std::map<std::string, std::string> names;       // FROM X IMPORT: local name to X
};

Imports ReadImports(const std::vector<Piece>& pieces) {
  Imports imports;
  std::vector<std::string> words;
  for (const Piece& piece : pieces) {
    if (!IsCode(piece)) continue;
    words.emplace_back(piece.text);
  }
  for (size_t i = 0; i + 1 < words.size(); ++i) {
    if (words[i] == "FROM" && i + 2 < words.size()) {
      imports.interfaces.emplace(words[i + 1], words[i + 1]);
      for (size_t k = i + 3; k < words.size() && words[k] != ";"; ++k) {
        imports.names[words[k]] = words[i + 1];
      }
    } else if (words[i] == "IMPORT" && (i < 2 || words[i - 2] != "FROM")) {
      for (size_t k = i + 1; k < words.size() && words[k] != ";"; ++k) {
        if (k + 2 < words.size() && words[k + 1] == "AS") {
          imports.interfaces[words[k + 2]] = words[k];
          k += 2;
        } else if (words[k] != ",") {
          imports.interfaces[words[k]] = words[k];
        }
      }
    }
  }
  return imports;
}

// What the interfaces declare.
class Declarations {
 public:
  explicit Declarations(const std::vector<DocumentedInterface>& interfaces) {
    for (const DocumentedInterface& interface : interfaces) {
      std::vector<std::string>& names = names_[interface.name];
      std::set<std::string>& known = known_[interface.name];
      DeclarationReader reader;
      std::string before[3];  // the last words of the code
      for (const Piece& piece : Split(interface.text)) {
        const std::string name = reader.Read(piece);
        if (!name.empty() && known.insert(name).second) names.push_back(name);
        if (!IsCode(piece)) continue;
        if (before[0] == "INTERFACE" && before[2] == "=") {
          generics_[interface.name] = piece.text;
        }
        std::rotate(before, before + 1, before + 3);
        before[2] = piece.text;
      }
    }
  }

  bool HasInterface(const std::string& interface) const { return names_.count(interface) != 0; }
  // In their order.
  const std::vector<std::string>& Of(const std::string& interface) const {
    return names_.at(interface);
  }
  // Where the name is declared: in the interface, or in the generic one of which it is an instance;
  // empty if in neither.
  std::string Owner(const std::string& interface, const std::string& name) const {
    if (Has(interface, name)) return interface;
    const auto generic = generics_.find(interface);
    return generic != generics_.end() && Has(generic->second, name) ? generic->second : "";
  }

 private:
  bool Has(const std::string& interface, const std::string& name) const {
    const auto found = known_.find(interface);
    return found != known_.end() && found->second.count(name) != 0;
  }

  std::map<std::string, std::vector<std::string>> names_;
  std::map<std::string, std::set<std::string>> known_;
  std::map<std::string, std::string> generics_;  // of instances
};

// --- HTML ---

std::string Escape(std::string_view text) {
  std::string escaped;
  for (char c : text) {
    switch (c) {
      case '&': escaped += "&amp;"; break;
      case '<': escaped += "&lt;"; break;
      case '>': escaped += "&gt;"; break;
      case '"': escaped += "&quot;"; break;
      default:
        if (static_cast<unsigned char>(c) < 0x80) {
          escaped += c;
        } else {  // Latin-1
          escaped += "&#" + std::to_string(static_cast<unsigned char>(c)) + ";";
        }
    }
  }
  return escaped;
}

std::string Link(const std::string& interface, const std::string& name, std::string_view text) {
  return "<a href=\"" + interface + ".html" + (name.empty() ? "" : "#" + name) + "\">" +
         Escape(text) + "</a>";
}

std::string Span(const char* style, std::string_view text) {
  return std::string("<span class=\"") + style + "\">" + Escape(text) + "</span>";
}

std::string PageStart(const std::string& title) {
  return "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n<title>" +
         Escape(title) +
         "</title>\n<meta name=\"viewport\" content=\"width=device-width\">\n"
         "<link rel=\"stylesheet\" href=\"style.css\">\n</head><body>\n"
         "<nav><a href=\"index.html\">Interfaces</a> <input id=\"search\" type=\"search\" "
         "placeholder=\"Search names\" autocomplete=\"off\"><ul id=\"found\"></ul></nav>\n<main>\n";
}

constexpr const char* kPageEnd =
    "</main>\n<script src=\"names.js\"></script>\n<script src=\"search.js\"></script>\n"
    "</body></html>\n";

constexpr const char* kStyle = R"(body { font: 16px/1.45 sans-serif; margin: 0; color: #222; }
nav { background: #234; color: #fff; padding: .5em 1.5em; position: sticky; top: 0; }
nav a { color: #fff; margin-right: 1em; text-decoration: none; font-weight: bold; }
nav input { font: inherit; width: 20em; max-width: 60%; }
#found { list-style: none; margin: 0; padding: 0; background: #fff; position: absolute; }
#found a { color: #036; display: block; padding: .1em .6em; font-weight: normal; }
main { max-width: 54em; padding: 0 1.5em 4em; }
pre { background: #f4f5f7; padding: .6em .9em; overflow-x: auto; font-size: 14px; }
pre a, p a, td a, li a { color: #036; text-decoration: none; }
pre a:hover, p a:hover { text-decoration: underline; }
.k { color: #758; } .c { color: #586; } .l { color: #a50; } .d { font-weight: bold; }
:target { background: #fe8; }
td { vertical-align: top; padding: .1em .8em .1em 0; }
)";

constexpr const char* kSearch = R"(const input = document.getElementById('search');
const list = document.getElementById('found');
// Names that begin with what is typed come first, then those that contain it; case is ignored.
function rank(entry, wanted) {
  const name = entry[0].toLowerCase(), last = name.slice(name.lastIndexOf('.') + 1);
  if (name === wanted || last === wanted) return 0;
  if (name.startsWith(wanted)) return 1;
  if (last.startsWith(wanted)) return 2;
  return name.includes(wanted) ? 3 : -1;
}
input.addEventListener('input', () => {
  const wanted = input.value.trim().toLowerCase();
  list.textContent = '';
  if (wanted === '') return;
  names.map(entry => [rank(entry, wanted), entry]).filter(found => found[0] >= 0)
    .sort((a, b) => a[0] - b[0]).slice(0, 20).forEach(([, [name, place]]) => {
      const item = document.createElement('li'), link = document.createElement('a');
      link.href = place;
      link.textContent = name;
      item.append(link);
      list.append(item);
    });
});
input.addEventListener('keydown', event => {
  if (event.key === 'Enter' && list.firstChild) location = list.firstChild.firstChild.href;
  if (event.key === 'Escape') { input.value = ''; list.textContent = ''; }
});
)";

// The text of a comment without its brackets.
std::string_view Inside(std::string_view comment) {
  comment.remove_prefix(std::min<size_t>(2, comment.size()));
  if (comment.size() >= 2 && comment.substr(comment.size() - 2) == "*)") comment.remove_suffix(2);
  return comment;
}

class InterfaceWriter {
 public:
  InterfaceWriter(const DocumentedInterface& interface, const Declarations& declared)
      : name_(interface.name),
        declared_(declared),
        pieces_(Split(interface.text)),
        imports_(ReadImports(pieces_)) {}

  std::string Write() {
    html_ = PageStart(name_) + "<h1>" + Escape(name_) + "</h1>\n";
    DeclarationReader reader;
    bool line_is_empty = true;
    for (size_t i = 0; i < pieces_.size(); ++i) {
      const Piece& piece = pieces_[i];
      if (piece.kind == PieceKind::kComment && line_is_empty && !reader.InBrackets()) {
        EndCode();
        WriteProse(Inside(piece.text));
      } else {
        WriteCode(i, reader.Read(piece));
      }
      if (piece.kind == PieceKind::kBlank) {
        line_is_empty = line_is_empty || piece.text.find('\n') != std::string_view::npos;
      } else {
        line_is_empty = false;
      }
    }
    EndCode();
    return html_ + kPageEnd;
  }

 private:
  // `text` as a link to where the name is declared, if that is known.
  std::string Linked(const std::string& interface, const std::string& name,
                     const std::string& text) const {
    const std::string owner = declared_.Owner(interface, name);
    return owner.empty() ? Escape(text) : Link(owner, name, text);
  }

  // Blank lines between blocks of code begin another block.
  void WriteCode(size_t i, const std::string& declared) {
    const Piece& piece = pieces_[i];
    switch (piece.kind) {
      case PieceKind::kBlank:
        if (std::count(piece.text.begin(), piece.text.end(), '\n') > 1) EndCode();
        code_ += piece.text;
        return;
      case PieceKind::kKeyword: code_ += Span("k", piece.text); return;
      case PieceKind::kLiteral: code_ += Span("l", piece.text); return;
      case PieceKind::kComment:
      case PieceKind::kPragma: code_ += Span("c", piece.text); return;
      case PieceKind::kOther: code_ += Escape(piece.text); return;
      case PieceKind::kWord: break;
    }
    const std::string word(piece.text);
    if (!declared.empty()) {
      code_ += "<span class=\"d\" id=\"" + declared + "\">" + word + "</span>";
    } else {
      code_ += Reference(i, word);
    }
  }

  // A name as a link, if it is known where it is declared.
  std::string Reference(size_t i, const std::string& word) const {
    const bool qualified = i >= 2 && pieces_[i - 1].text == ".";
    if (qualified && pieces_[i - 2].kind == PieceKind::kWord) {
      const auto imported = imports_.interfaces.find(std::string(pieces_[i - 2].text));
      return imported == imports_.interfaces.end() ? Escape(word)
                                                   : Linked(imported->second, word, word);
    }
    const auto imported = imports_.interfaces.find(word);
    if (imported != imports_.interfaces.end() && declared_.HasInterface(imported->second)) {
      return Link(imported->second, "", word);
    }
    const auto from = imports_.names.find(word);
    return Linked(from == imports_.names.end() ? name_ : from->second, word, word);
  }

  void EndCode() {
    const size_t first = code_.find_first_not_of(" \n\r\t");
    if (first != std::string::npos) {
      const size_t line = code_.rfind('\n', first);
      const size_t last = code_.find_last_not_of(" \n\r\t");
      const size_t start = line == std::string::npos ? 0 : line + 1;
      html_ += "<pre>" + code_.substr(start, last + 1 - start) + "</pre>\n";
    }
    code_.clear();
  }

  // Blank lines end paragraphs.
  void WriteProse(std::string_view text) {
    std::istringstream lines{std::string(text)};
    std::string line;
    std::string paragraph;
    auto end_paragraph = [&] {
      if (!paragraph.empty()) html_ += "<p>" + Prose(paragraph) + "</p>\n";
      paragraph.clear();
    };
    while (std::getline(lines, line)) {
      const size_t first = line.find_first_not_of(" \t*");
      if (first == std::string::npos) {
        end_paragraph();
      } else {
        const size_t last = line.find_last_not_of(" \t\r");
        paragraph += (paragraph.empty() ? "" : " ") + line.substr(first, last + 1 - first);
      }
    }
    end_paragraph();
  }

  std::string Prose(std::string_view text) const {
    std::string result;
    size_t at = 0;
    while (at < text.size()) {
      if (!IsWordStart(text[at])) {
        result += Escape(text.substr(at++, 1));
        continue;
      }
      size_t end = at;
      while (end < text.size() && IsWordPart(text[end])) ++end;
      const std::string word(text.substr(at, end - at));
      size_t member_end = end;
      if (end + 1 < text.size() && text[end] == '.' && IsWordStart(text[end + 1])) {
        member_end = end + 1;
        while (member_end < text.size() && IsWordPart(text[member_end])) ++member_end;
      }
      const std::string member =
          member_end > end ? std::string(text.substr(end + 1, member_end - end - 1)) : "";
      if (!member.empty() && declared_.HasInterface(word)) {
        result += Linked(word, member, word + "." + member);
        at = member_end;
      } else {
        // Names that are words of English as well, like "Wait" at the start of a sentence, would
        // make too many links: only those of which the case says that they are names.
        const bool is_name = std::any_of(word.begin() + 1, word.end(), [](char c) {
          return std::isupper(static_cast<unsigned char>(c)) != 0;
        });
        result += is_name ? Linked(name_, word, word) : Escape(word);
        at = end;
      }
    }
    return result;
  }

  const std::string& name_;
  const Declarations& declared_;
  const std::vector<Piece> pieces_;
  const Imports imports_;
  std::string html_;
  std::string code_;
};

// The first sentence of the first comment.
std::string Summary(const DocumentedInterface& interface) {
  for (const Piece& piece : Split(interface.text)) {
    if (piece.kind != PieceKind::kComment) continue;
    std::string text;
    for (char c : Inside(piece.text)) {
      const bool blank = std::isspace(static_cast<unsigned char>(c)) != 0;
      if (!blank || (!text.empty() && text.back() != ' ')) text += blank ? ' ' : c;
    }
    const size_t end = text.find(". ");
    return end == std::string::npos ? text : text.substr(0, end + 1);
  }
  return "";
}

std::string MakeIndex(const std::vector<DocumentedInterface>& interfaces) {
  std::map<std::string, std::vector<const DocumentedInterface*>> groups;
  for (const DocumentedInterface& interface : interfaces) {
    groups[interface.group].push_back(&interface);
  }
  std::string html = PageStart("Interfaces") + "<h1>Interfaces</h1>\n";
  for (const auto& [group, members] : groups) {
    html += "<h2>" + Escape(group) + "</h2>\n<table>\n";
    for (const DocumentedInterface* interface : members) {
      html += "<tr><td>" + Link(interface->name, "", interface->name) + "</td><td>" +
              Escape(Summary(*interface)) + "</td></tr>\n";
    }
    html += "</table>\n";
  }
  return html + kPageEnd;
}

std::string ReadFile(const fs::path& path, std::string* text) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream contents;
  contents << file.rdbuf();
  *text = contents.str();
  return file.good() || file.eof() ? "" : "cannot read '" + path.string() + "'";
}

}  // namespace

std::string FindInterfaces(const std::string& directory, const std::string& group,
                           std::vector<DocumentedInterface>* interfaces) {
  std::error_code error;
  std::vector<fs::path> paths;
  fs::recursive_directory_iterator entry(directory, error);
  for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
    const fs::path& path = entry->path();
    if (path.filename().string()[0] == '.') {
      if (entry->is_directory(error)) entry.disable_recursion_pending();
    } else if (path.extension() == ".i3" || path.extension() == ".ig") {
      paths.push_back(path);
    }
  }
  if (error) return "cannot read '" + directory + "': " + error.message();
  std::sort(paths.begin(), paths.end(),
            [](const fs::path& a, const fs::path& b) { return a.filename() < b.filename(); });
  for (const fs::path& path : paths) {
    const std::string name = path.stem().string();
    if (std::any_of(interfaces->begin(), interfaces->end(),
                    [&](const DocumentedInterface& other) { return other.name == name; })) {
      continue;
    }
    std::string folder = path.parent_path().filename().string();
    DocumentedInterface interface{name, group.empty() ? folder : group, ""};
    if (std::string problem = ReadFile(path, &interface.text); !problem.empty()) return problem;
    interfaces->push_back(std::move(interface));
  }
  return "";
}

std::vector<DocumentationPage> MakeDocumentation(
    const std::vector<DocumentedInterface>& interfaces) {
  const Declarations declared(interfaces);
  std::string names = "const names = [\n";
  for (const DocumentedInterface& interface : interfaces) {
    names += "['" + interface.name + "', '" + interface.name + ".html'],\n";
    for (const std::string& name : declared.Of(interface.name)) {
      names +=
          "['" + interface.name + "." + name + "', '" + interface.name + ".html#" + name + "'],\n";
    }
  }
  std::vector<DocumentationPage> pages;
  for (const DocumentedInterface& interface : interfaces) {
    pages.push_back({interface.name + ".html", InterfaceWriter(interface, declared).Write()});
  }
  pages.push_back({"index.html", MakeIndex(interfaces)});
  pages.push_back({"names.js", names + "];\n"});
  pages.push_back({"search.js", kSearch});
  pages.push_back({"style.css", kStyle});
  return pages;
}

std::string WriteDocumentation(const std::string& library_directory, const std::string& package,
                               const std::string& output) {
  std::vector<DocumentedInterface> interfaces;
  std::string problem;
  // A package's interface hides the library's.
  if (!package.empty()) problem = FindInterfaces(package, "The package", &interfaces);
  if (problem.empty()) problem = FindInterfaces(library_directory, "", &interfaces);
  if (!problem.empty()) return problem;
  std::error_code error;
  fs::create_directories(output, error);
  if (error) return "cannot make '" + output + "': " + error.message();
  for (const DocumentationPage& page : MakeDocumentation(interfaces)) {
    const fs::path path = fs::path(output) / page.file;
    problem = WriteWholeFile(path.string(), page.contents);
    if (!problem.empty()) return problem;
  }
  return "";
}

}  // namespace tenure::compiler
