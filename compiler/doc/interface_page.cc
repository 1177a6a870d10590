#include "compiler/doc/interface_page.h"

#include <algorithm>
#include <cctype>
#include <sstream>
#include <string_view>
#include <vector>

#include "compiler/doc/comment_index.h"
#include "compiler/doc/source_page.h"

namespace tenure::compiler {

namespace {

bool IsWordStart(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }
bool IsWordPart(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

size_t IndentationOf(const std::string& line) {
  const size_t first = line.find_first_not_of(" \t");
  return first == std::string::npos ? 0 : first;
}

class InterfaceWriter {
 public:
  InterfaceWriter(const std::string& name, const Declarations& declared, const Site& site)
      : name_(name),
        source_(declared.Contents(name)),
        declared_(declared),
        site_(site),
        generic_(declared.GenericOf(name)),
        actuals_(declared.Actuals(name)),
        imports_(declared.Imports(name)),
        pieces_(source_.pieces()) {}

  std::string Write() {
    html_ = PageStart(name_, site_) + "<h1>" + Escape(name_) + "</h1>\n";
    WriteSources();
    if (!generic_.empty()) WriteInstance();
    WritePieces();
    WriteUsers();
    return html_ + PageEnd();
  }

 private:
  void WriteSources() {
    const std::vector<std::string> files = declared_.Files(name_);
    if (files.empty()) return;
    html_ += "<p class=\"s\">Source:";
    for (const std::string& file : files) {
      html_ += " <a href=\"" + SourceAddress(file) + "\">" + Escape(file) + "</a>";
    }
    html_ += "</p>\n";
  }

  void WriteInstance() {
    html_ += "<p>An instance of the generic " + Link(generic_, "", generic_);
    const char* before = " with ";
    for (const std::string& formal : source_.formals()) {
      const auto actual = actuals_.find(formal);
      if (actual == actuals_.end()) continue;
      html_ += before + Escape(formal) + " = " +
               (declared_.HasInterface(actual->second) ? Link(actual->second, "", actual->second)
                                                       : Escape(actual->second));
      before = ", ";
    }
    html_ += ". It has these declarations:</p>\n";
  }

  void WritePieces() {
    bool line_is_empty = true;
    // A generic's heading and end, which name the generic, are not those of its instance.
    const bool is_instance = !generic_.empty();
    bool in_heading = is_instance;
    for (size_t i = 0; i < pieces_.size(); ++i) {
      const Piece& piece = pieces_[i];
      if (piece.kind == PieceKind::kComment && line_is_empty && !piece.in_brackets) {
        EndCode();
        WriteProse(InsideComment(piece.text));
      } else if (is_instance && i >= end_) {
        continue;
      } else if (!in_heading) {
        WriteCode(i);
      } else if (piece.text == ";") {
        in_heading = false;
      }
      if (piece.kind == PieceKind::kBlank) {
        line_is_empty = line_is_empty || piece.text.find('\n') != std::string_view::npos;
      } else {
        line_is_empty = false;
      }
    }
    EndCode();
  }

  // The index of the END of the unit.
  static size_t LastEnd(const std::vector<Piece>& pieces) {
    for (size_t i = pieces.size(); i > 0; --i) {
      if (pieces[i - 1].kind == PieceKind::kKeyword && pieces[i - 1].text == "END") return i - 1;
    }
    return pieces.size();
  }

  void WriteUsers() {
    const std::vector<std::string> interfaces = declared_.UsingInterfaces(name_);
    const std::vector<std::string> modules = declared_.UsingModules(name_);
    if (interfaces.empty() && modules.empty()) return;
    html_ += "<h2 id=\"used-by\">Used by</h2>\n<p>";
    const char* before = "";
    for (const std::string& user : interfaces) {
      html_ += before + Link(user, "", user);
      before = ", ";
    }
    if (!interfaces.empty() && !modules.empty()) html_ += "; ";
    before = modules.size() == 1 ? "module " : "modules ";
    for (const std::string& file : modules) {
      html_ += before + std::string("<a href=\"") + SourceAddress(file) + "\">" +
               Escape(file.substr(0, file.find('.'))) + "</a>";
      before = ", ";
    }
    html_ += "</p>\n";
  }

  // Writes the members that the types declared in the block of code inherit.
  void WriteInherited() {
    for (const std::string& type : types_) {
      const char* before = " inherits ";
      std::string text;
      for (const InheritedMethods& from : declared_.Inherited(name_, type)) {
        for (const std::string& method : from.methods) {
          text += before + Link(from.interface, from.type + "." + method, method);
          before = ", ";
        }
        const std::string full = (from.interface == name_ ? "" : from.interface + ".") + from.type;
        text += " (of " + Link(from.interface, from.type, full) + ")";
      }
      if (!text.empty()) html_ += "<p class=\"i\">" + Escape(type) + text + "</p>\n";
    }
    types_.clear();
  }

  // `text` as a link to the declaration of the name, if the declaration is known.
  std::string Linked(const std::string& interface, const std::string& name,
                     const std::string& text) const {
    return declared_.Has(interface, name) ? Link(interface, name, text) : Escape(text);
  }

  // Blank lines between blocks of code begin another block.
  void WriteCode(size_t i) {
    const Piece& piece = pieces_[i];
    switch (piece.kind) {
      case PieceKind::kBlank:
        if (std::count(piece.text.begin(), piece.text.end(), '\n') > 1) EndCode(piece.in_brackets);
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
    if (!piece.declares.empty()) {
      if (source_.types().contains(piece.declares)) types_.push_back(piece.declares);
      code_ += "<span class=\"d\" id=\"" + piece.declares + "\">" + Declared(piece.declares, word) +
               "</span>";
    } else {
      code_ += Reference(i, word);
    }
  }

  // A declared name, as a link to the source.
  std::string Declared(const std::string& full_name, const std::string& word) const {
    const SourceLine place = declared_.Find(name_, full_name);
    if (place.file.empty()) return Escape(word);
    return "<a href=\"" + SourceAddress(place.file, place.line) + "\">" + Escape(word) + "</a>";
  }

  // A name as a link, if its declaration is known.
  std::string Reference(size_t i, const std::string& word) const {
    const bool qualified = i >= 2 && pieces_[i - 1].text == ".";
    if (qualified && pieces_[i - 2].kind == PieceKind::kWord) {
      const auto imported = imports_.find(std::string(pieces_[i - 2].text));
      return imported == imports_.end() ? Escape(word) : Linked(imported->second, word, word);
    }
    const auto imported = imports_.find(word);
    if (imported != imports_.end()) {
      const std::string& shown = actuals_.contains(word) ? imported->second : word;
      return declared_.HasInterface(imported->second) ? Link(imported->second, "", shown)
                                                      : Escape(shown);
    }
    const auto from = source_.imported_names().find(word);
    return Linked(from == source_.imported_names().end() ? name_ : from->second, word, word);
  }

  // `in_type`: the declaration goes on.
  void EndCode(bool in_type = false) {
    const size_t first = code_.find_first_not_of(" \n\r\t");
    if (first != std::string::npos) {
      const size_t line = code_.rfind('\n', first);
      const size_t last = code_.find_last_not_of(" \n\r\t");
      const size_t start = line == std::string::npos ? 0 : line + 1;
      html_ += "<pre>" + code_.substr(start, last + 1 - start) + "</pre>\n";
    }
    code_.clear();
    if (!in_type) WriteInherited();
  }

  // Blank lines end paragraphs. Lines that begin with a bar, or are indented by four columns more
  // than the others, are code.
  void WriteProse(std::string_view text) {
    std::vector<std::string> lines;
    std::istringstream input{std::string(text)};
    for (std::string line; std::getline(input, line);) lines.push_back(line);
    size_t indentation = std::string::npos;  // of the first line it is not known
    for (size_t i = 1; i < lines.size(); ++i) {
      if (lines[i].find_first_not_of(" \t*\r") != std::string::npos) {
        indentation = std::min(indentation, IndentationOf(lines[i]));
      }
    }
    std::string paragraph, code;
    auto end_paragraph = [&] {
      if (!paragraph.empty()) html_ += "<p>" + Prose(paragraph) + "</p>\n";
      paragraph.clear();
    };
    auto end_code = [&] {
      const size_t last = code.find_last_not_of(" \n\r\t");
      if (!code.empty()) html_ += "<pre>" + Escape(code.substr(0, last + 1)) + "</pre>\n";
      code.clear();
    };
    for (size_t i = 0; i < lines.size(); ++i) {
      const std::string& line = lines[i];
      const size_t first = line.find_first_not_of(" \t*");
      const bool is_empty = first == std::string::npos || line[first] == '\r';
      if (is_empty) {
        end_paragraph();
        if (!code.empty()) code += '\n';
      } else if (line[first] == '|' && (first + 1 == line.size() || line[first + 1] == ' ')) {
        end_paragraph();
        code += line.substr(std::min(first + 2, line.size())) + "\n";
      } else if (i > 0 && paragraph.empty() && IndentationOf(line) >= indentation + 4) {
        code += line.substr(indentation + 4) + "\n";
      } else {
        end_code();
        const size_t last = line.find_last_not_of(" \t\r");
        paragraph += (paragraph.empty() ? "" : " ") + line.substr(first, last + 1 - first);
      }
    }
    end_paragraph();
    end_code();
  }

  std::string Prose(std::string_view text) const {
    std::string result;
    size_t at = 0;
    while (at < text.size()) {
      size_t end = at;
      while (end < text.size() && !IsWordStart(text[end])) ++end;
      if (end > at) {
        result += Escape(text.substr(at, end - at));
        at = end;
        continue;
      }
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
        // Names that are also English words, like "Wait" at the start of a sentence, would make too
        // many links. Only words whose upper and lower case shows a name become links.
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
  const InterfaceSource& source_;  // the generic's for an instance
  const Declarations& declared_;
  const Site& site_;
  const std::string generic_;  // of an instance; else empty
  const std::map<std::string, std::string> actuals_, imports_;
  const std::vector<Piece>& pieces_;
  const size_t end_ = LastEnd(pieces_);
  std::vector<std::string> types_;  // that the present block of code declares
  std::string html_;
  std::string code_;
};

}  // namespace

std::string MakeInterfacePage(const std::string& name, const Declarations& declared,
                              const Site& site) {
  return InterfaceWriter(name, declared, site).Write();
}

std::string SummaryOf(const InterfaceSource& source) {
  for (const Piece& piece : source.pieces()) {
    if (piece.kind != PieceKind::kComment) continue;
    const std::string text = OneLine(InsideComment(piece.text));
    const size_t end = text.find(". ");
    return end == std::string::npos ? text : text.substr(0, end + 1);
  }
  if (source.generic().empty()) return "";
  std::string text = source.generic() + "(";
  for (const std::string& actual : source.actuals()) {
    text += (text.back() == '(' ? "" : ", ") + actual;
  }
  return "An instance: " + text + ").";
}

}  // namespace tenure::compiler
