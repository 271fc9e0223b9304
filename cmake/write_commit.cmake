# Run by each build: cmake -D SOURCE_DIR=.. -D INPUT=.. -D OUTPUT=.. -P write_commit.cmake
set(ENV{GIT_OPTIONAL_LOCKS} 0)  # a build must not disturb a concurrent git command
execute_process(COMMAND git describe --always --dirty=+changes --abbrev=12 --match=v[0-9]* WORKING_DIRECTORY ${SOURCE_DIR}
  OUTPUT_VARIABLE MINIAPP_COMMIT OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
if(NOT MINIAPP_COMMIT)
  set(MINIAPP_COMMIT unknown)
endif()
configure_file(${INPUT} ${OUTPUT} @ONLY)
