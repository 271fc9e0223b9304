# cmake -D PAGE=<Markdown> -D SOURCE=<C++ file> -P check_quote.cmake: fails where the page does not hold the file, without its
# licence line, as a block of C++.
file(READ ${PAGE} page)
file(READ ${SOURCE} source)
string(REGEX REPLACE "^// SPDX[^\n]*\n" "" source "${source}")
string(FIND "${page}" "```cpp\n${source}```\n" at)
if(at EQUAL -1)
  message(FATAL_ERROR "${PAGE} does not hold ${SOURCE} word for word")
endif()
