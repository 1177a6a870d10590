"""Csv against Python's csv, on random tables and mutated ones."""

import csv
import io
import re

import witness
from witness import Witness

COUNT = 500_000 if witness.LONG else 20_000


def is_strict(table: str, separator: str) -> bool:
    """The grammar: Python allows double quotes in fields that do not begin with one."""
    field = r'(?:"(?:[^"]|"")*"|[^"\r\n%s]*)' % re.escape(separator)
    row = "%s(?:%s%s)*" % (field, re.escape(separator), field)
    return bool(re.fullmatch(r"%s(?:(?:\r\n|\r|\n)%s)*" % (row, row), table))


def rows_of(table: str, separator: str):
    """The rows, with the lines in which they begin."""
    reader = csv.reader(io.StringIO(table, newline=""), delimiter=separator, strict=True)
    line, rows = 1, []
    for row in reader:
        rows.append((line, row))
        line = reader.line_num + 1
    return rows


class CsvTest(Witness):
    def field(self) -> str:
        return "".join(self.random.choice(["a", "b", " ", '"', ",", ";", "\n", "\r\n", "\r", "\xe9", "\0", "word"])
                       for _ in range(self.random.randrange(4)))

    def table(self) -> str:
        out = io.StringIO()
        writer = csv.writer(out, delimiter=self.separator, lineterminator=self.random.choice(["\r\n", "\n", "\r"]),
                            quoting=self.random.choice([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]))
        width = self.random.randrange(1, 4)
        for _ in range(self.random.randrange(4)):
            writer.writerow([self.field() for _ in range(width if self.random.randrange(8) else width + 1)])
        table = out.getvalue()
        for _ in range(self.random.choice([0, 0, 0, 1, 2])):
            at = self.random.randrange(len(table) + 1)
            table = table[:at] + self.random.choice(['"', ",", "", "\n", "\r", "a"]) + table[at + self.random.randrange(2):]
        return table

    def test_tables(self):
        questions, expected = [], []
        refused = 0
        for _ in range(COUNT):
            self.separator, ragged = self.random.choice(",;"), self.random.randrange(2)
            table = self.table()
            questions.append(("csv.rows", table.encode("latin-1"), self.random.choice([0, 1, 2, 7]), self.separator, ragged))
            try:
                rows = rows_of(table, self.separator)
                if not is_strict(table, self.separator) or not ragged and len({len(row) for _, row in rows}) > 1:
                    raise csv.Error
                expected.append([text.encode("latin-1") for line, row in rows for text in [str(line), str(len(row)), *row]])
            except csv.Error:
                expected.append(ValueError)
                refused += 1
        self.compare(questions, expected)
        self.assertGreater(refused, COUNT // 20)
        self.assertLess(refused, COUNT // 2)

    def test_rows(self):
        questions, expected = [], []
        for _ in range(COUNT):
            fields = [self.field() for _ in range(self.random.randrange(4))]
            out = io.StringIO()
            csv.writer(out).writerow(fields)
            questions.append(("csv.put", *[field.encode("latin-1") for field in fields]))
            expected.append([out.getvalue().encode("latin-1")])
        self.compare(questions, expected)
