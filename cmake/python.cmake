# The Python package (docs/python.md): an extension of the library and the commands. pip builds it by pyproject.toml; in a
# build of the project it is in the folder python of the build, for PYTHONPATH.
find_package(Python 3.9 REQUIRED COMPONENTS Interpreter Development.Module)
if(NOT nanobind_ROOT)
  execute_process(COMMAND ${Python_EXECUTABLE} -m nanobind --cmake_dir OUTPUT_VARIABLE nanobind_ROOT
    OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
find_package(nanobind CONFIG QUIET)
if(NOT nanobind_FOUND)
  message(FATAL_ERROR "MINIAPP_BUILD_PYTHON is ON, but ${Python_EXECUTABLE} has no nanobind: pip install nanobind, or give "
    "-D Python_EXECUTABLE=<one that has it>")
endif()
# The solvers that it instantiates replace weak ones of the library, so that they are compiled like it, not for size.
nanobind_add_module(miniapp_python NB_STATIC NOMINSIZE NB_SUPPRESS_WARNINGS
  python/src/bind_problem.cpp
  python/src/functions.cpp
  python/src/linear.cpp
  python/src/matrix.cpp
  python/src/mesh.cpp
  python/src/module.cpp
  python/src/problem.cpp
  python/src/session.cpp)
foreach(target IN ITEMS nanobind-static nanobind-static-ft)
  if(TARGET ${target})
    set_target_properties(${target} PROPERTIES COMPILE_WARNING_AS_ERROR OFF)
  endif()
endforeach()
miniapp_use_headers(miniapp_python)
miniapp_compile_options(miniapp_python)
target_link_libraries(miniapp_python PRIVATE miniapp_commands)
set(package ${CMAKE_CURRENT_BINARY_DIR}/python/miniapp)
set_target_properties(miniapp_python PROPERTIES OUTPUT_NAME _core LIBRARY_OUTPUT_DIRECTORY ${package})
foreach(file IN ITEMS __init__.py _run.py)
  configure_file(python/miniapp/${file} ${package}/${file} COPYONLY)
endforeach()
install(TARGETS miniapp_python LIBRARY DESTINATION miniapp COMPONENT python EXCLUDE_FROM_ALL)
if(BUILD_TESTING AND PROJECT_IS_TOP_LEVEL)
  add_test(NAME python COMMAND ${Python_EXECUTABLE} -m unittest discover -s ${PROJECT_SOURCE_DIR}/python/tests -v)
  set_tests_properties(python PROPERTIES LABELS python TIMEOUT 300 ENVIRONMENT
    "PYTHONPATH=${CMAKE_CURRENT_BINARY_DIR}/python;PYTHONDONTWRITEBYTECODE=1")
endif()
