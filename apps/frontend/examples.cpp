// SPDX-License-Identifier: BSD-3-Clause
#include "apps/frontend/examples.hpp"

#include <map>
#include <set>

namespace miniapp::apps {

const std::vector<std::string>& examples(const std::string& command) {
  static const std::map<std::string, std::vector<std::string>> all = {
      {"",
       {"miniapp --bp 3.0 --order 7 --elements 4096",
        "miniapp --bp 3.5 --order 7 --elements 512 --kernel all --no-solve"}},
      {"info", {"miniapp info", "mpirun -n 2 miniapp info --network"}},
      {"tune",
       {"miniapp tune --order 7 --elements 512 --tune my.txt", "miniapp tune --order 7 --precision single --repeat 5"}},
      {"streaming",
       {"miniapp streaming --bs 1,4 --max-bytes 100M", "miniapp streaming --bs 6,7 --order 7 --max-bytes 100M"}},
      {"indirect", {"miniapp indirect --kernel all", "miniapp indirect --loop all --elements 100k --reorder blocks"}},
      {"elasticity",
       {"miniapp elasticity --order 2 --elements 1k --kernel all", "miniapp elasticity --solve --order 2 --poisson 0"}},
      {"solver",
       {"miniapp solver --matrix poisson3d --unknowns 100k --preconditioner none,amg",
        "miniapp solver --unknowns 1k,10k,100k --cg fused,pipelined --no-solve"}},
      {"weakform",
       {"miniapp weakform --kernel all --elements 100k", "miniapp weakform --form neo-hookean --solve --elements 5k"}},
      {"report", {"miniapp report --size smoke", "miniapp report --only solve,bs5,amg --output machine.html"}},
      {"compare", {"miniapp compare old.json new.json", "miniapp compare main.json branch.json && echo no regression"}},
  };
  return all.at(command);
}

const std::set<std::string>& usual_options(const std::string& command) {
  static const std::set<std::string> none;
  static const std::map<std::string, std::set<std::string>> some = {
      {"",
       {"--bp", "--order", "--elements", "--cells", "--lambda", "--boundary", "--kernel", "--preconditioner", "--cg",
        "--tolerance", "--precision", "--sweep", "--no-solve", "--json", "--plot"}},
      {"streaming",
       {"--bs", "--precision", "--min-bytes", "--max-bytes", "--samples", "--order", "--elements", "--repeat", "--json",
        "--plot"}},
      {"indirect",
       {"--loop", "--mesh", "--elements", "--cells", "--shuffle", "--kernel", "--precision", "--reorder", "--layout",
        "--block-size", "--repeat", "--json", "--plot"}},
      {"elasticity",
       {"--order", "--elements", "--young", "--poisson", "--kernel", "--precision", "--plan", "--solve", "--cells",
        "--mesh", "--preconditioner", "--tolerance", "--repeat", "--json", "--plot"}},
      {"solver",
       {"--matrix", "--unknowns", "--order", "--rhs", "--cg", "--preconditioner", "--precision", "--tolerance",
        "--max-iterations", "--repeat", "--no-solve", "--history", "--json", "--plot"}},
      {"weakform",
       {"--form", "--dim", "--mesh", "--elements", "--cells", "--kernel", "--precision", "--reorder", "--solve",
        "--preconditioner", "--tolerance", "--repeat", "--json", "--plot"}}};
  const auto found = some.find(command);
  return found == some.end() ? none : found->second;
}

}  // namespace miniapp::apps
