// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "apps/frontend/printer.hpp"
#include "apps/weakform/options.hpp"
#include "miniapp/measure/bound.hpp"
#include "miniapp/measure/roofs.hpp"
#include "runs/weakform/form_run.hpp"

/// Results of `miniapp weakform` as records and pages.
namespace miniapp::apps {

/// What times are compared with, of all ranks at once; nothing with --verify-only.
struct FormRoofs {
  measure::MemoryRoof copy;
  measure::Limits limits;  ///< limits of the devices at the bytes of `copy`
  /// `bytes`: what a rank copies. Collective.
  FormRoofs(const WeakformOptions& options, double bytes);
};

/// The tables of a form: times, and what is moved in them.
std::vector<Printer::Block> form_tables(const WeakformOptions& options, const weakform::FormProblem& problem,
                                        const FormRoofs& roofs);

/// The table of forms that are solved.
std::vector<Printer::Block> solution_tables(const WeakformOptions& options, const weakform::FormProblem& problem);

/// The record of a solution, from the printer's base.
Json to_record(Json base, const WeakformOptions& options, const weakform::FormProblem& problem,
               const weakform::Solved& solved);

/// Why a solution is none; empty where it is one.
std::string why_unsolved(const weakform::Solved& solved, const std::string& what,
                         const weakform::NewtonOptions& options);

/// "transposed, none": a configuration in sentences.
std::string describe(const weakform::Way& way);

/// The record of a result, from the printer's base.
Json to_record(Json base, const WeakformOptions& options, const weakform::FormProblem& problem, const FormRoofs& roofs,
               const weakform::Measured& measured);

}  // namespace miniapp::apps
