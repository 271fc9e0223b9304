// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/linalg/matrix_market.hpp"

#include <fstream>

#include "support/sparse.hpp"
#include "support/temporary_folder.hpp"

namespace {

const std::string general = "%%MatrixMarket matrix coordinate real general\n";
const std::string symmetric = "%%MatrixMarket matrix coordinate real symmetric\n";

linalg::CsrMatrix<double> parse(const std::string& text) { return linalg::parse_matrix_market(text, "a.mtx"); }
Rows rows_of(const std::string& text) { return to_rows(parse(text)); }
void refuses(const std::string& text, const std::string& message) {
  CHECK_THROWS_AS(parse(text), InputError);
  CHECK_THROWS_WITH(parse(text), contains(message));
}

}  // namespace

TEST_CASE("A general matrix is read entry by entry", "[linalg][matrix_market]") {
  const auto matrix = parse(general + "% a comment\n\n%\n 2 3 4\n2 3 -1.5e3\n1 1 2\n\n\t2 1 +0.25\r\n% another\n1 3 4");

  CHECK(matrix.num_rows == 2);
  CHECK(matrix.num_columns == 3);
  CHECK(to_rows(matrix) == Rows{{{0, 2}, {2, 4}}, {{0, 0.25}, {2, -1500}}});
}

TEST_CASE("The lower triangle of a symmetric matrix is mirrored", "[linalg][matrix_market]") {
  CHECK(rows_of(symmetric + "3 3 4\n1 1 2\n3 1 -1\n3 3 4\n3 2 7\n") ==
        Rows{{{0, 2}, {2, -1}}, {{2, 7}}, {{0, -1}, {1, 7}, {2, 4}}});
}

TEST_CASE("Fields and words of the banner", "[linalg][matrix_market]") {
  CHECK(rows_of("%%MatrixMarket matrix coordinate pattern symmetric\n2 2 2\n1 1\n2 1\n") ==
        Rows{{{0, 1}, {1, 1}}, {{0, 1}}});
  CHECK(rows_of("%%MatrixMarket matrix coordinate integer general\n1 2 1\n1 2 -7\n") == Rows{{{1, -7}}});
  CHECK(rows_of("%%matrixmarket MATRIX Coordinate REAL General \r\n1 1 1\r\n1 1 .5\r\n") == Rows{{{0, 0.5}}});
}

TEST_CASE("Entries of one place are added up", "[linalg][matrix_market]") {
  CHECK(rows_of(general + "2 2 5\n1 2 1\n1 1 3\n1 2 10\n2 2 1\n1 2 100\n") == Rows{{{0, 3}, {1, 111}}, {{1, 1}}});
  CHECK(rows_of(symmetric + "2 2 3\n2 1 1\n2 2 3\n2 1 4\n") == Rows{{{1, 5}}, {{0, 5}, {1, 3}}});
  refuses(general + "1 1 2\n1 1 1e308\n1 1 1e308\n", "a.mtx: the entries of the place (1, 1) add up to inf");
}

TEST_CASE("Entries of one place are added up in the order of the file", "[linalg][matrix_market]") {
  std::string text = general + "1 40 120\n";
  for (const char* const value : {"1", "1e16", "-1e16"})
    for (int column = 40; column > 0; --column) text += "1 " + std::to_string(column) + " " + value + "\n";

  Rows expected(1);
  for (Index column = 0; column < 40; ++column) expected[0][column] = 1 + 1e16 - 1e16;
  CHECK(rows_of(text) == expected);
}

TEST_CASE("The last line need not end", "[linalg][matrix_market]") {
  CHECK(rows_of(general + "1 1 1\n1 1 1") == Rows{{{0, 1}}});
  CHECK(rows_of("%%MatrixMarket matrix coordinate pattern general\n1 1 2\n1 1\n1 1") == Rows{{{0, 2}}});
}

TEST_CASE("A matrix may be rectangular, and empty", "[linalg][matrix_market]") {
  const auto matrix = parse(general + "3 7 1\n2 7 1\n");
  CHECK(to_rows(matrix) == Rows{{}, {{6, 1}}, {}});
  CHECK_THROWS_WITH(linalg::require_spd_candidate(matrix), contains("3 x 7"));
  CHECK(parse(general + "0 0 0\n").num_entries() == 0);
  CHECK(parse(general + "5 4 0").num_rows == 5);
}

TEST_CASE("Random matrices are read as they are, in any order of their entries", "[linalg][matrix_market]") {
  const Rows rows = random_rows(40, 300, 90, 7);
  std::vector<std::string> lines;
  for (std::size_t r = 0; r < rows.size(); ++r)
    for (const auto& [column, value] : rows[r]) {
      char line[80];
      std::snprintf(line, sizeof line, "%zu %d %.17g\n", r + 1, column + 1, value);
      lines.emplace_back(line);
    }
  std::shuffle(lines.begin(), lines.end(), std::mt19937(3));
  std::string text = general + "40 300 " + std::to_string(lines.size()) + "\n";
  for (const std::string& line : lines) text += line;

  CHECK(rows_of(text) == rows);
}

TEST_CASE("What is no Matrix Market file is refused with its line", "[linalg][matrix_market]") {
  const std::string accepted =
      "accepted is a Matrix Market file, %%MatrixMarket matrix coordinate "
      "real|integer|pattern general|symmetric";
  refuses("", "a.mtx: line 1: no Matrix Market file: it starts with ''; " + accepted);
  refuses("1 1 1\n", "line 1: no Matrix Market file: it starts with '1'");
  for (const std::string word :
       {"matrix array real general", "matrix coordinate complex general", "matrix coordinate complex hermitian",
        "matrix coordinate real skew-symmetric", "matrix coordinate real hermitian", "vector coordinate real general",
        "matrix coordinate real", "matrix coordinate"})
    refuses("%%MatrixMarket " + word + "\n1 1 1\n1 1 1\n", "a.mtx: line 1: ");
  refuses("%%MatrixMarket matrix array real general\n2 2\n", "line 1: 'array'; " + accepted);
  refuses("%%MatrixMarket matrix coordinate real skew-symmetric\n", "line 1: 'skew-symmetric'; " + accepted);
  refuses("%%MatrixMarket matrix coordinate real general symmetric\n1 1 0\n", "'symmetric' after the last");
}

TEST_CASE("Sizes that cannot be are refused before memory is taken for them", "[linalg][matrix_market]") {
  const std::string sizes = "accepted is the line `rows columns entries`";
  refuses(general, "line 2: the file ends before its sizes; " + sizes);
  refuses(general + "% c\n3 3\n1 1 1\n", "line 3: the line ends; " + sizes);
  refuses(general + "3 3 1 1\n1 1 1\n", "line 2: '1' after the last number");
  refuses(general + "3 -3 1\n", "line 2: -3; " + sizes);
  refuses(general + "3 3.0 1\n", "line 2: '3.0'; " + sizes);
  refuses(general + "3 2147483648 1\n1 1 1\n", "line 2: 2147483648; " + sizes);
  refuses(general + "99999999999999999999 3 1\n1 1 1\n", "line 2: '99999999999999999999'; " + sizes);
  refuses(general + "3 3 -1\n", "line 2: -1 entries; accepted is 0 to 0");
  refuses(general + "3 3 1000000000000\n1 1 1\n2 2 1\n", "line 2: 1000000000000 entries; accepted is 0 to 2, which");
  refuses(general + "2147483647 1 1\n1 1 1\n", "2147483647 rows in a file of 67 bytes; accepted is up to 1000000");
  refuses(symmetric + "3 4 1\n1 1 1\n", "line 2: a symmetric matrix of 3 x 4; accepted is a square one");
  CHECK(parse(general + "1000000 2147483647 1\n1 2147483647 1\n").num_columns == 2147483647);
}

TEST_CASE("Entries that cannot be are refused with their line", "[linalg][matrix_market]") {
  const auto entry = [](const std::string& line, const std::string& message) {
    refuses(general + "3 4 2\n3 4 1\n" + line + "\n" + "% padding", "a.mtx: line 4: " + message);
  };
  entry("0 1 1", "row 0; accepted is 1 to 3");
  entry("4 1 1", "row 4; accepted is 1 to 3");
  entry("1 0 1", "column 0; accepted is 1 to 4");
  entry("1 5 1", "column 5; accepted is 1 to 4");
  entry("1 99999999999 1", "column 99999999999; accepted is 1 to 4");
  entry("1 1", "the line ends; accepted is a line `row column value`");
  entry("1 1 1 1", "'1' after the last number");
  entry("1 1 abc", "'abc'; accepted is a line `row column value`");
  entry("1 x 1", "'x'; accepted is");
  entry("1 1 1.0D0", "'1.0D0'; accepted is");
  entry("1 1 1e999", "'1e999'; accepted is");
  entry("1 1 +-1", "'+-1'; accepted is");
  entry("1 1 nan", "nan is not finite; accepted is a finite number");
  entry("1 1 -inf", "-inf is not finite");
  refuses(general + "3 4 2\n1 1 1\n% cut here\n",
          "line 5: the file ends after 1 of 2 entries; accepted is a whole file");
  refuses(general + "3 4 1\n1 1 1\n2 2 2\n", "line 4: more than the 1 entries that the file announces");
  refuses(symmetric + "3 3 1\n1 2 1\n", "line 3: place (1, 2) above the diagonal; accepted is the lower triangle");
  refuses("%%MatrixMarket matrix coordinate integer general\n1 1 1\n1 1 1.5\n",
          "'1.5'; accepted is a line `row column "
          "value`, whole numbers");
  refuses("%%MatrixMarket matrix coordinate pattern general\n1 1 1\n1 1 1\n", "'1' after the last number");
}

TEST_CASE("A file is read from the disk, and named where that fails", "[linalg][matrix_market]") {
  const TemporaryFolder folder;
  const std::string path = folder.file("matrix.mtx");
  std::ofstream(path) << general << "1 1 1\n1 1 3\n";
  const Rows rows = to_rows(linalg::read_matrix_market(path));
  std::filesystem::remove(path);

  CHECK(rows == Rows{{{0, 3}}});
  CHECK_THROWS_WITH(linalg::read_matrix_market(path), contains(path + ": cannot be read: No such file or directory; "
                                                                      "accepted is a Matrix Market file"));
}

TEST_CASE("A vector is a column of numbers, and is printed with all digits", "[linalg][matrix_market]") {
  const std::vector<double> values{1.0 / 3, -2e-300, 0, 7};
  CHECK(linalg::parse_vector(linalg::print_vector(values), "b.mtx") == values);
  CHECK(linalg::parse_vector("%%MatrixMarket matrix ARRAY integer general\n% b\n2 1\n3\n\n-4", "b.mtx") ==
        std::vector<double>{3, -4});
  const std::string head = "%%MatrixMarket matrix array real general\n";
  for (const auto& [text, says] : std::vector<std::pair<std::string, std::string>>{
           {general + "1 1 1\n1 1 1\n", "b.mtx: line 1: 'coordinate'; accepted is a Matrix Market file"},
           {"", "accepted is a Matrix Market file"},
           {head, "the file ends before its sizes"},
           {head + "2 2\n1\n2\n", "line 2: 2 by 2; accepted is the line `rows 1`"},
           {head + "2 1\n1\n", "the file ends after 1 numbers; accepted is 2 numbers"},
           {head + "1 1\n1\n2\n", "line 4: more numbers than its sizes say; accepted is 1 numbers"},
           {head + "1 1\n1 2\n", "line 3: '2' after the last number"},
           {head + "1 1\nx\n", "line 3: 'x'; accepted is one finite number per line"},
           {head + "1 1\ninf\n", "accepted is one finite number per line"}})
    CHECK_THROWS_WITH(linalg::parse_vector(text, "b.mtx"), contains(says));
}

TEST_CASE("A dense array has its numbers column by column", "[linalg][matrix_market]") {
  const std::string head = "%%MatrixMarket matrix array real general\n";
  const auto array = linalg::parse_array(head + "2 3\n1\n2\n3\n4\n5\n6\n", "x.mtx");
  CHECK((array.rows == 2 && array.columns == 3));
  CHECK(array.values == std::vector<double>{1, 3, 5, 2, 4, 6});
  CHECK(linalg::parse_array(head + "0 5\n", "x.mtx").values.empty());
  for (const auto& [text, says] : std::vector<std::pair<std::string, std::string>>{
           {"-1 2\n", "line 2: -1 by 2; accepted is the line `rows columns`"},
           {"2 99999999999\n", "2 by 99999999999"},
           {"2 2\n1\n2\n3\n", "the file ends after 3 numbers; accepted is 4 numbers"},
           {"1 1\n1\n2\n", "line 4: more numbers than its sizes say; accepted is 1 numbers"}})
    CHECK_THROWS_WITH(linalg::parse_array(head + text, "x.mtx"), contains(says));
}

TEST_CASE("Lines that are read at once and word by word are the same", "[linalg][matrix_market]") {
  const Rows expected{{{0, 2}, {2, -1.5}}, {{1, 4e-3}}};
  const std::vector<std::string> files{"3\n1 1 2\n1 3 -1.5\n2 2 4e-3\n",              // in the order of the matrix
                                       "3\n2 2 4e-3\n1 3 -1.5\n1 1 2",                // in another
                                       "3\n1 3 -1.5\n1 1 2\n2 2 4e-3\n",              // in that of rows only
                                       "4\n1 1 2\n1 3 -1\n1 3 -.5\n2 2 4e-3\n",       // a place twice
                                       "3\n1 1 2 \r\n\n% c\n1\t3 -1.5\n 2 2 4e-3\n",  // blanks and comments
                                       "3\n+1 1 +2\n1 3 -1.5\n2 2 +4e-3\n",           // signs
                                       "3\n0000000000000000000001 1 2\n1 3 -1.5\n2 2 4e-3"};
  for (const std::string& text : files) CHECK(rows_of(general + "2 3 " + text) == expected);
}
