// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "report/html.hpp"
#include "report/record.hpp"

/// The page of `miniapp report`, made of its records alone: a list of sections, to which a command adds its own.
namespace miniapp::report {

/// The records of a report: of its runs (module "report"), and of what these ran.
struct Records {
  std::vector<Json> runs, all;
};

/// Machine, figure of merit, verdicts, bounds, then a section per group of runs, last how to read it all. Nothing
/// without runs.
std::vector<html::Section> sections(const Records& records);

/// The page of these sections.
std::string page(const Records& records, const std::vector<html::Section>& sections);

}  // namespace miniapp::report
