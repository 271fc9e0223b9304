// SPDX-License-Identifier: BSD-3-Clause
#include "apps/frontend/expression.hpp"

#include <fmt/format.h>
#include <muParser.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <functional>
#include <memory>
#include <mutex>
#include <numbers>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/input_file.hpp"
#include "core/number.hpp"
#include "core/printable.hpp"
#include "miniapp/core/error.hpp"

namespace miniapp::apps {
namespace {

/// An expression with variables of its own, for one thread at a time.
class Formula {
 public:
  explicit Formula(const std::string& text) {
    parser_.DefineConst("pi", std::numbers::pi);
    parser_.DefineVar("x", &x_);
    parser_.DefineVar("y", &y_);
    parser_.DefineVar("z", &z_);
    parser_.SetExpr(text);
  }
  double operator()(double x, double y, double z) {
    x_ = x;
    y_ = y;
    z_ = z;
    return parser_.Eval();
  }
  /// Errors: mu::Parser::exception_type.
  bool is_constant() const { return parser_.GetUsedVar().empty(); }
  /// How many expressions there are between commas.
  int num_results() {
    int count = 0;
    parser_.Eval(count);
    return count;
  }

 private:
  mu::Parser parser_;
  double x_ = 0.1, y_ = 0.2, z_ = 0.3;
};

class Expression : public tensor::ElementFunction {
 public:
  explicit Expression(std::string text) : text_(std::move(text)) {
    auto first = std::make_unique<Formula>(text_);
    const int results = first->num_results();
    if (results != 1) throw InputError(fmt::format("{} expressions between commas", results));
    is_constant_ = Formula(text_).is_constant();  // which leaves it without a check of names
    shelves_[0].idle.push_back(std::move(first));
  }
  void evaluate(std::int64_t, int count, const double* x, const double* y, const double* z,
                double* values) const override {
    Shelf& shelf = shelves_[std::hash<std::thread::id>{}(std::this_thread::get_id()) % shelves_.size()];
    std::unique_ptr<Formula> parser = take(shelf);
    if (is_constant_)
      std::fill_n(values, count, (*parser)(0, 0, 0));
    else
      for (int i = 0; i < count; ++i) values[i] = (*parser)(x[i], y[i], z[i]);
    const std::lock_guard held(shelf.lock);
    shelf.idle.push_back(std::move(parser));
  }

 private:
  /// Formulas that no thread uses. There are several shelves, so that threads hardly wait for each other.
  struct alignas(64) Shelf {
    std::mutex lock;
    std::vector<std::unique_ptr<Formula>> idle;
  };

  std::unique_ptr<Formula> take(Shelf& shelf) const {
    {
      const std::lock_guard held(shelf.lock);
      if (!shelf.idle.empty()) {
        std::unique_ptr<Formula> parser = std::move(shelf.idle.back());
        shelf.idle.pop_back();
        return parser;
      }
    }
    return std::make_unique<Formula>(text_);
  }

  std::string text_;
  bool is_constant_;
  mutable std::array<Shelf, 64> shelves_;
};

/// A number for each element.
class ElementValues : public tensor::ElementFunction {
 public:
  ElementValues(std::vector<double> values, int pieces) : values_(std::move(values)), pieces_(pieces) {}
  void evaluate(std::int64_t element, int count, const double*, const double*, const double*,
                double* values) const override {
    std::fill_n(values, count, values_[static_cast<std::size_t>(element / pieces_)]);
  }

 private:
  std::vector<double> values_;
  int pieces_;
};

std::vector<double> read_values(const std::string& option, const std::string& file, std::int64_t elements) {
  const std::string what = fmt::format("a file of {} numbers, one per element", elements);
  require(!waits_for_writer(file), option, "@" + printable(file, 200), "is a pipe; accepted is " + what);
  std::ifstream in(file);
  require(in.is_open(), option, "@" + printable(file, 200), "cannot be read; accepted is " + what);
  std::vector<double> values;
  for (std::string word; in >> word;) {
    double value = 0;
    require(parse_number(word, value) && std::isfinite(value), option, "@" + printable(file, 200),
            fmt::format("word {} is '{}'; accepted is {}", values.size() + 1, printable(word, 40), what));
    values.push_back(value);
    require(std::int64_t(values.size()) <= elements, option, "@" + printable(file, 200),
            "has more; accepted is " + what);
  }
  require(std::int64_t(values.size()) == elements, option, "@" + printable(file, 200),
          fmt::format("has {}; accepted is {}", values.size(), what));
  return values;
}

}  // namespace

std::shared_ptr<const tensor::ElementFunction> parse_function(const std::string& option, const std::string& text,
                                                              std::int64_t elements, int pieces) {
  if (!text.empty() && text.front() == '@')
    return std::make_shared<ElementValues>(read_values(option, text.substr(1), elements), pieces);
  constexpr std::size_t longest = 1000;
  require(text.size() <= longest, option, printable(text, 60),
          fmt::format("{} characters; accepted are expressions of up to {}", text.size(), longest));
  try {
    return std::make_shared<Expression>(text);
  } catch (const mu::Parser::exception_type& error) {
    throw InputError(option, printable(text, 200),
                     fmt::format("{}; accepted are {}", printable(error.GetMsg(), 200), accepted_expressions));
  } catch (const InputError& error) {
    throw InputError(option, printable(text, 200),
                     fmt::format("{}; accepted are {}", error.what(), accepted_expressions));
  }
}

}  // namespace miniapp::apps
