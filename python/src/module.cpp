// SPDX-License-Identifier: BSD-3-Clause
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <iostream>
#include <streambuf>
#include <string>
#include <utility>
#include <vector>

#include "apps/all_commands.hpp"
#include "miniapp/core/session.hpp"
#include "miniapp/tensor/element_operator.hpp"
#include "python/src/functions.hpp"
#include "python/src/linear.hpp"

namespace miniapp::python {

using namespace nb::literals;

namespace {

/// What is printed to std::cout while it lives goes to write(text) of Python, by lines and where it is flushed.
class Printed : std::streambuf {
 public:
  explicit Printed(nb::callable write) : write_(std::move(write)), before_(std::cout.rdbuf(this)) {}
  ~Printed() override {
    std::cout.flush();
    std::cout.rdbuf(before_);
    std::cout.clear();  // where write() raised
  }
  Printed(const Printed&) = delete;
  Printed& operator=(const Printed&) = delete;

 private:
  int overflow(int c) override {
    if (c != traits_type::eof()) text_ += static_cast<char>(c);
    return traits_type::not_eof(c);
  }
  std::streamsize xsputn(const char* text, std::streamsize size) override {
    text_.append(text, static_cast<std::size_t>(size));
    return size;
  }
  int sync() override {
    if (!text_.empty()) write_(nb::str(text_.data(), text_.size()));
    text_.clear();
    return 0;
  }

  nb::callable write_;
  std::streambuf* before_;
  std::string text_;
};

void run(const std::vector<std::string>& words, const nb::callable& write) {
  const auto kokkos = session();
  const Printed printed(write);
  apps::run_within(words);
}

}  // namespace

NB_MODULE(_core, m) {
  nb::exception<InputError>(m, "InputError", PyExc_ValueError);
  nb::exception<ResultError>(m, "ResultError", PyExc_RuntimeError);
  m.def("run", &run, "words"_a, "write"_a);
  m.def("initialize", &start, "kokkos_options"_a);
  m.def("end_session", [] {
    forget_functions();
    end_session();
  });
  m.def("built_orders", &tensor::built_orders);
  m.def("build", [] {
    const Build b = build();
    nb::dict words;
    words["version"] = b.version;
    words["commit"] = b.commit;
    words["compiler"] = b.compiler;
    words["flags"] = b.flags;
    words["kokkos"] = b.kokkos_version;
    words["memory"] = MemorySpace::name();
    return words;
  });
  bind_linear(m);
  bind_mesh(m);
  bind_problem(m);
  bind_matrix(m);
}

}  // namespace miniapp::python
