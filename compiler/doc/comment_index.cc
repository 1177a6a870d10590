#include "compiler/doc/comment_index.h"

#include <algorithm>
#include <cctype>

namespace tenure::compiler {

std::string_view InsideComment(std::string_view comment) {
  comment.remove_prefix(std::min<size_t>(2, comment.size()));
  if (comment.size() >= 2 && comment.substr(comment.size() - 2) == "*)") comment.remove_suffix(2);
  return comment;
}

std::string OneLine(std::string_view text) {
  std::string line;
  for (char c : text) {
    const bool blank = std::isspace(static_cast<unsigned char>(c)) != 0;
    if (!blank || (!line.empty() && line.back() != ' ')) line += blank ? ' ' : c;
  }
  if (!line.empty() && line.back() == ' ') line.pop_back();
  return line;
}

std::vector<CommentText> CommentsOf(const InterfaceSource& source) {
  std::vector<CommentText> comments;
  std::vector<size_t> waiting;  // comments whose name is the next one
  std::string last;             // the name that this line declares
  bool is_first = true;
  for (const Piece& piece : source.pieces()) {
    if (piece.kind == PieceKind::kComment) {
      comments.push_back({last, OneLine(InsideComment(piece.text))});
      if (last.empty() && !is_first) waiting.push_back(comments.size() - 1);
      is_first = false;
    } else if (!piece.declares.empty()) {
      for (size_t i : waiting) comments[i].name = piece.declares;
      waiting.clear();
      last = piece.declares;
    } else if (piece.kind == PieceKind::kBlank && piece.text.find('\n') != std::string_view::npos) {
      last.clear();
    }
  }
  return comments;
}

}  // namespace tenure::compiler
