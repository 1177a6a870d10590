#include "compiler/doc/interface_page.h"

#include <algorithm>
#include <cctype>
#include <sstream>
#include <string_view>
#include <vector>

#include "compiler/doc/html.h"

namespace tenure::compiler {

Declarations::Declarations(const std::map<std::string, const InterfaceSource*>& sources) {
  for (const auto& [name, source] : sources) {
    known_[name].insert(source->declared().begin(), source->declared().end());
    if (!source->generic().empty()) generics_[name] = source->generic();
  }
}

std::string Declarations::Owner(const std::string& interface, const std::string& name) const {
  if (Has(interface, name)) return interface;
  const auto generic = generics_.find(interface);
  return generic != generics_.end() && Has(generic->second, name) ? generic->second : "";
}

bool Declarations::Has(const std::string& interface, const std::string& name) const {
  const auto found = known_.find(interface);
  return found != known_.end() && found->second.contains(name);
}

namespace {

bool IsWordStart(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }
bool IsWordPart(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// The text of a comment without its brackets.
std::string_view Inside(std::string_view comment) {
  comment.remove_prefix(std::min<size_t>(2, comment.size()));
  if (comment.size() >= 2 && comment.substr(comment.size() - 2) == "*)") comment.remove_suffix(2);
  return comment;
}

class InterfaceWriter {
 public:
  InterfaceWriter(const std::string& name, const InterfaceSource& source,
                  const Declarations& declared)
      : name_(name), source_(source), declared_(declared), pieces_(source.pieces()) {}

  std::string Write() {
    html_ = PageStart(name_) + "<h1>" + Escape(name_) + "</h1>\n";
    bool line_is_empty = true;
    for (size_t i = 0; i < pieces_.size(); ++i) {
      const Piece& piece = pieces_[i];
      if (piece.kind == PieceKind::kComment && line_is_empty && !piece.in_brackets) {
        EndCode();
        WriteProse(Inside(piece.text));
      } else {
        WriteCode(i);
      }
      if (piece.kind == PieceKind::kBlank) {
        line_is_empty = line_is_empty || piece.text.find('\n') != std::string_view::npos;
      } else {
        line_is_empty = false;
      }
    }
    EndCode();
    return html_ + std::string(PageEnd());
  }

 private:
  // `text` as a link to the declaration of the name, if the declaration is known.
  std::string Linked(const std::string& interface, const std::string& name,
                     const std::string& text) const {
    const std::string owner = declared_.Owner(interface, name);
    return owner.empty() ? Escape(text) : Link(owner, name, text);
  }

  // Blank lines between blocks of code begin another block.
  void WriteCode(size_t i) {
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
    if (!piece.declares.empty()) {
      code_ += "<span class=\"d\" id=\"" + piece.declares + "\">" + word + "</span>";
    } else {
      code_ += Reference(i, word);
    }
  }

  // A name as a link, if its declaration is known.
  std::string Reference(size_t i, const std::string& word) const {
    const bool qualified = i >= 2 && pieces_[i - 1].text == ".";
    if (qualified && pieces_[i - 2].kind == PieceKind::kWord) {
      const auto imported = source_.imports().find(std::string(pieces_[i - 2].text));
      return imported == source_.imports().end() ? Escape(word)
                                                 : Linked(imported->second, word, word);
    }
    const auto imported = source_.imports().find(word);
    if (imported != source_.imports().end() && declared_.HasInterface(imported->second)) {
      return Link(imported->second, "", word);
    }
    const auto from = source_.imported_names().find(word);
    return Linked(from == source_.imported_names().end() ? name_ : from->second, word, word);
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
  const InterfaceSource& source_;
  const Declarations& declared_;
  const std::vector<Piece>& pieces_;
  std::string html_;
  std::string code_;
};

}  // namespace

std::string MakeInterfacePage(const std::string& name, const InterfaceSource& source,
                              const Declarations& declared) {
  return InterfaceWriter(name, source, declared).Write();
}

std::string SummaryOf(const InterfaceSource& source) {
  for (const Piece& piece : source.pieces()) {
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

}  // namespace tenure::compiler
