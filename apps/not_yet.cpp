// SPDX-License-Identifier: BSD-3-Clause
/// In place of the commands that scripts/quickstart compiles after it has run the main job.
#include "apps/frontend/commands.hpp"

namespace miniapp::apps {

Command add_info_command(Options&) { return {}; }
Command add_tune_command(Options&) { return {}; }
Command add_streaming_command(Options&) { return {}; }
Command add_indirect_command(Options&) { return {}; }
Command add_elasticity_command(Options&) { return {}; }
Command add_solver_command(Options&) { return {}; }
Command add_weakform_command(Options&) { return {}; }
Command add_report_command(Options&) { return {}; }

}  // namespace miniapp::apps
