// Parses the files that are named on standard input, one a line, with the library of tree-sitter.
// Prints PATH:LINE:COLUMN of the first ERROR or MISSING node of each file that has one. Then puts
// one letter behind an identifier in the middle of each file, parses it again with the old tree,
// and prints the path if that tree is not the one of a parse from nothing. The last line says how
// long all took.
//
//   cc -O2 -I ../src parse_files.c ../src/parser.c ../src/scanner.c -ltree-sitter

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <tree_sitter/api.h>

const TSLanguage* tree_sitter_modula3(void);

enum { MAX_PATH = 4096, MAX_FILES = 1 << 16 };

// Of this process: a busy machine changes nothing.
static double processor_us(void) {
  struct timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return (double)time.tv_sec * 1e6 + (double)time.tv_nsec / 1e3;
}

// The caller frees the text, which has room for one more byte.
static char* read_file(const char* path, uint32_t* size) {
  FILE* file = fopen(path, "rb");
  if (file == NULL) {
    perror(path);
    exit(2);
  }
  fseek(file, 0, SEEK_END);
  const long length = ftell(file);
  rewind(file);
  char* text = malloc((size_t)length + 2);
  if (text == NULL || fread(text, 1, (size_t)length, file) != (size_t)length) exit(2);
  fclose(file);
  *size = (uint32_t)length;
  return text;
}

// The first ERROR or MISSING node below `node`, which has one.
static TSNode first_error(TSNode node) {
  for (;;) {
    if (ts_node_is_missing(node) || strcmp(ts_node_type(node), "ERROR") == 0) return node;
    const uint32_t count = ts_node_child_count(node);
    uint32_t i = 0;
    while (i < count && !ts_node_has_error(ts_node_child(node, i))) ++i;
    if (i == count) return node;
    node = ts_node_child(node, i);
  }
}

// The end of the first identifier behind the middle of the text, or of the text.
static uint32_t identifier_end(TSNode root, uint32_t size) {
  for (uint32_t at = size / 2; at < size; ++at) {
    const TSNode node = ts_node_descendant_for_byte_range(root, at, at);
    if (strcmp(ts_node_type(node), "identifier") == 0) return ts_node_end_byte(node);
  }
  return size;
}

static TSPoint point_of(const char* text, uint32_t at) {
  TSPoint point = {0, 0};
  for (uint32_t i = 0; i < at; ++i) {
    if (text[i] == '\n') {
      ++point.row;
      point.column = 0;
    } else {
      ++point.column;
    }
  }
  return point;
}

static int compare(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

int main(void) {
  static char path[MAX_PATH];
  static double edit_us[MAX_FILES];
  unsigned files = 0, wrong = 0;
  double bytes = 0, parse_us = 0;
  TSParser* parser = ts_parser_new();
  if (!ts_parser_set_language(parser, tree_sitter_modula3())) {
    fprintf(stderr, "the library does not know this version of parser.c\n");
    return 2;
  }
  while (files < MAX_FILES && fgets(path, sizeof path, stdin) != NULL) {
    path[strcspn(path, "\n")] = '\0';
    uint32_t size = 0;
    char* text = read_file(path, &size);
    double begin = processor_us();
    TSTree* tree = ts_parser_parse_string(parser, NULL, text, size);
    parse_us += processor_us() - begin;
    bytes += size;
    if (ts_node_has_error(ts_tree_root_node(tree))) {
      const TSNode node = first_error(ts_tree_root_node(tree));
      const TSPoint point = ts_node_start_point(node);
      printf("%s:%u:%u: %s\n", path, point.row + 1, point.column + 1,
             ts_node_is_missing(node) ? "MISSING" : "ERROR");
      ++wrong;
    }

    const uint32_t at = identifier_end(ts_tree_root_node(tree), size);
    memmove(text + at + 1, text + at, size - at);
    text[at] = 'x';
    TSInputEdit edit = {
        at, at, at + 1, point_of(text, at), point_of(text, at), point_of(text, at + 1)};
    begin = processor_us();
    ts_tree_edit(tree, &edit);
    TSTree* edited = ts_parser_parse_string(parser, tree, text, size + 1);
    edit_us[files++] = processor_us() - begin;
    TSTree* fresh = ts_parser_parse_string(parser, NULL, text, size + 1);
    char* edited_text = ts_node_string(ts_tree_root_node(edited));
    char* fresh_text = ts_node_string(ts_tree_root_node(fresh));
    // Where the letter made an error, the two may repair it in different ways.
    if (!ts_node_has_error(ts_tree_root_node(fresh)) && strcmp(edited_text, fresh_text) != 0) {
      printf("%s: another tree after an edit\n", path);
      ++wrong;
    }
    free(edited_text);
    free(fresh_text);
    ts_tree_delete(tree);
    ts_tree_delete(edited);
    ts_tree_delete(fresh);
    free(text);
  }
  ts_parser_delete(parser);
  qsort(edit_us, files, sizeof edit_us[0], compare);
  printf("%u files, %.1f MB/s; an edit of one character: median %.0f us, 99 of 100 below %.0f us\n",
         files, files == 0 ? 0 : bytes / parse_us, files == 0 ? 0 : edit_us[files / 2],
         files == 0 ? 0 : edit_us[files * 99 / 100]);
  return wrong != 0;
}
