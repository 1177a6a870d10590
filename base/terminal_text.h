// How much room a text takes on a terminal. All carets and tables are measured here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tenure {

// The cells that a character takes: 2 for Chinese, Japanese and Korean ones and for emoji, 0 for
// marks that stand on the character before them and for characters without a form, else 1.
size_t CellsOf(uint32_t code_point);

// The cells of the character at *at, which goes behind it. A byte that is not UTF-8 takes one.
size_t TakeCells(std::string_view text, size_t* at);

// The cells of a text in UTF-8, without tabs and line ends.
size_t CellsOf(std::string_view text);

// The longest beginning, of whole characters with their marks, that takes at most `cells` cells.
std::string_view BeginningWithin(size_t cells, std::string_view text);

// Breaks the lines of `text` at blanks, so that each takes at most `cells` cells if possible. The
// rest of a broken line is indented like the column of explanations (behind the last two or more
// blanks in the line's first half), or else like the line.
std::string WithLinesWithin(size_t cells, std::string_view text);

// The columns of the terminal that the descriptor refers to; 0: it is no terminal, or the terminal
// does not tell.
size_t TerminalColumns(int descriptor);

// The text as it is printed to the descriptor: WithLinesWithin for the columns of a terminal.
std::string ForTerminal(int descriptor, std::string text);

}  // namespace tenure
