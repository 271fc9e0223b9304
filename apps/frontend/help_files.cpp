// SPDX-License-Identifier: BSD-3-Clause
#include "apps/frontend/help_files.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "apps/frontend/examples.hpp"
#include "report/table.hpp"

namespace miniapp::apps {
namespace {

bool has_dashes(const Option& option) { return option.name.rfind("--", 0) == 0; }

std::vector<std::string> names_of(const std::vector<Options*>& commands) {
  std::vector<std::string> names;
  for (std::size_t c = 1; c < commands.size(); ++c) names.push_back(commands[c]->command());
  return names;
}

/// The options of a command, as one word each.
std::string option_words(Options& options) {
  std::string words = "--help --version";
  for (const Option& option : options.all())
    if (has_dashes(option)) words += " " + option.name;
  return words;
}

/// What follows `before` where the word before that is an option with a value: lines of a case of bash.
std::string value_cases(Options& options) {
  std::string lines;
  for (const Option& option : options.all()) {
    if (!has_dashes(option) || option.is_flag()) continue;
    lines += fmt::format("    '{} {}')", options.command(), option.name);
    if (!option.words.empty()) lines += fmt::format(" values='{}'", fmt::join(option.words, " "));
    if (option.file != FileUse::none) lines += fmt::format("{} files=1", option.words.empty() ? "" : ";");
    lines += " ;;\n";
  }
  return lines;
}

/// Text of a man page: characters that groff would read as something else.
std::string roff(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    if (c == '\\')
      safe += "\\e";
    else if (c == '-')
      safe += "\\-";
    else
      safe += c;
  }
  if (!safe.empty() && (safe.front() == '.' || safe.front() == '\'')) safe = "\\&" + safe;
  for (std::size_t at = 0; (at = safe.find('\n', at)) != std::string::npos; ++at)
    if (at + 1 < safe.size() && (safe[at + 1] == '.' || safe[at + 1] == '\'')) safe.insert(at + 1, "\\&");
  return safe;
}

/// What stands for the value of an option, empty for a flag, and its default, empty for none.
std::pair<std::string, std::string> value_of(const Option& option) {
  const auto shown = [&](const auto* variable) -> std::pair<std::string, std::string> {
    using T = std::remove_cvref_t<decltype(*variable)>;
    if constexpr (std::is_same_v<T, bool>)
      return {"", ""};
    else if constexpr (std::is_same_v<T, std::vector<std::string>>)
      return {option.repeats ? "text" : "list", fmt::format("{}", fmt::join(*variable, ","))};
    else if constexpr (std::is_same_v<T, std::string>)
      return {option.is_file() ? "file" : "text", *variable};
    else if constexpr (std::is_same_v<T, double>)
      return {"number", fmt::format("{:g}", *variable)};
    else
      return {"number", fmt::format("{}", *variable)};
  };
  auto [kind, held] = std::visit(shown, option.variable);
  return {kind, option.shows_default ? held : ""};
}

std::string value_in_roff(const Option& option) {
  const auto [kind, held] = value_of(option);
  return (kind.empty() ? "" : fmt::format(" \\fI{}\\fR", kind)) +
         (held.empty() ? "" : fmt::format(" [{}]", roff(held)));
}

constexpr std::size_t name_width = 30;

/// A name, and beside it or below it what it means.
std::string entry(std::string name, const std::string& meaning) {
  name.insert(0, "  ");
  const std::string gap(name_width, ' ');
  name += name.size() + 1 < name_width ? gap.substr(name.size()) : '\n' + gap;
  return fmt::format("{}{}\n", name, fmt::join(report::wrap(meaning, report::page_width() - name_width), '\n' + gap));
}

std::string options_section(Options& options) {
  std::string text, heading;
  for (const Option& option : options.all()) {
    if (option.heading != heading && option.heading != "Options") text += fmt::format(".SS {}\n", roff(option.heading));
    heading = option.heading;
    text += fmt::format(".TP\n\\fB{}\\fR{}\n{}\n", roff(option.name), value_in_roff(option), roff(option.description));
  }
  text += ".PP\nExamples:\n";
  for (const std::string& example : examples(options.command()))
    text += fmt::format(".PP\n.EX\n{}\n.EE\n", roff(example));
  return text;
}

}  // namespace

std::string bash_completion(const std::vector<Options*>& commands) {
  const std::vector<std::string> names = names_of(commands);
  std::string options, values;
  for (Options* one : commands) {
    options += fmt::format("    '{}') options='{}' ;;\n", one->command(), option_words(*one));
    values += value_cases(*one);
  }
  return fmt::format(
      R"(# bash completion of miniapp, as `miniapp help --completion` prints it.
_miniapp() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD - 1]}}
  local commands='{0}' command='' option='' options='' values='' files='' i
  for ((i = 1; i < COMP_CWORD; ++i)); do
    case " $commands " in
      *" ${{COMP_WORDS[i]}} "*) [[ ${{COMP_WORDS[i - 1]}} == -* || ${{COMP_WORDS[i - 1]}} == = ]] || command=${{COMP_WORDS[i]}} ;;
    esac
    [[ -n $command ]] && break
  done
  case $command in
{1}  esac
  if [[ $word == = ]]; then  # --name=word is three words
    option=$before word=''
  elif [[ $before == = ]]; then
    option=${{COMP_WORDS[COMP_CWORD - 2]}}
  elif [[ $before == --* ]]; then
    option=$before
  fi
  case "$command $option" in
{2}    *) option='' ;;
  esac
  COMPREPLY=()
  if [[ -n $option ]]; then
    local list=''  # the words of a list before the one that is written
    [[ $word == *,* && -n $values ]] && list=${{word%,*}},
    mapfile -t COMPREPLY < <(compgen -P "$list" -W "$values" -- "${{word##*,}}")
    [[ -n $files ]] && mapfile -t -O ${{#COMPREPLY[@]}} COMPREPLY < <(compgen -f -- "$word")
    [[ -n $files ]] && compopt -o filenames 2> /dev/null
  elif [[ $command == compare && $word != -* ]]; then
    mapfile -t COMPREPLY < <(compgen -f -- "$word")
    compopt -o filenames 2> /dev/null
  elif [[ $before == help ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$commands" -- "$word")
  elif [[ -z $command ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$commands help $options" -- "$word")
  else
    mapfile -t COMPREPLY < <(compgen -W "$options" -- "$word")
  fi
  return 0
}}
complete -F _miniapp miniapp
)",
      fmt::join(names, " "), options, values);
}

std::string help_page(Options& options, const std::vector<Options*>& commands, bool all) {
  const bool is_main_job = options.command().empty();
  const bool has_options = std::any_of(options.all().begin(), options.all().end(), has_dashes);
  const std::set<std::string>& usual = usual_options(options.command());
  const auto paragraph = [](const std::string& text) {
    return fmt::format("{}\n", fmt::join(report::wrap(text, report::page_width()), "\n"));
  };
  std::string text =
      paragraph(options.description()) +
      fmt::format("Usage: miniapp{}{}", is_main_job ? "" : " " + options.command(), is_main_job ? " [COMMAND]" : "");
  for (const Option& option : options.all())
    if (!has_dashes(option)) text += " " + option.name;
  text += has_options ? " [OPTIONS]\n" : "\n";
  if (is_main_job) {
    text += "\nCommands, as miniapp help COMMAND explains them:\n";
    for (const Options* one : commands)
      if (one != &options) text += entry(one->command(), one->description());
  }
  std::string heading;
  for (const Option& option : options.all()) {
    if (!all && !usual.empty() && !usual.contains(option.name)) continue;
    if (option.heading != heading) text += fmt::format("\n{}:\n", option.heading);
    heading = option.heading;
    const auto [kind, held] = value_of(option);
    text += entry(option.name + (kind.empty() || !has_dashes(option) ? "" : " " + kind) +
                      (held.empty() ? "" : fmt::format(" [{}]", held)),
                  option.description);
  }
  text += "\nOther:\n";
  if (!all && !usual.empty()) text += entry("--help all", "Print all options of " + options.called());
  text += entry("-h, --help", "Print this page") + entry("--version", "Print the version and its commit");
  text += "\nExamples:\n";
  for (const std::string& example : examples(options.command())) text += "  " + example + '\n';
  if (!has_options) return text;
  return text + '\n' +
         paragraph(
             "Options may stand before a command's name too. Lists are written 1,3,7 or 1..3,7; whole numbers 4096, "
             "64k, 1.5M, 1e6.") +
         paragraph(
             "Options --kokkos-... are Kokkos's, as --kokkos-device-id=1, which chooses a GPU of those that miniapp "
             "info lists; --kokkos-help lists them.");
}

std::string man_page(const std::vector<Options*>& commands, const std::string& version) {
  Options& main_job = *commands.front();
  std::string text = fmt::format(
      ".\\\" As `miniapp help --man` prints it.\n.TH MINIAPP 1 \"\" \"miniapp {}\" \"User Commands\"\n"
      ".SH NAME\nminiapp \\- finite element kernels, verified and measured\n"
      ".SH SYNOPSIS\n.B miniapp\n[\\fIoptions\\fR]\n.br\n.B miniapp\n\\fIcommand\\fR [\\fIoptions\\fR]\n.br\n"
      ".B miniapp help\n[\\fIcommand\\fR]\n"
      ".SH DESCRIPTION\n{}\n.PP\nOptions may stand before a command's name too, as \\fB\\-\\-name\\fR \\fIvalue\\fR or "
      "\\fB\\-\\-name=\\fIvalue\\fR. Lists are written 1,3,7 or 1..3,7; whole numbers 4096, 64k, 1.5M, 1e6.\n.SH "
      "COMMANDS\n",
      roff(version), roff(main_job.description()));
  for (std::size_t c = 1; c < commands.size(); ++c)
    text += fmt::format(".TP\n.B {}\n{}\n", commands[c]->command(), roff(commands[c]->description()));
  for (Options* one : commands)
    text += fmt::format(".SH OPTIONS OF {}\n{}", one->command().empty() ? "THE MAIN JOB" : one->command(),
                        options_section(*one));
  return text +
         ".SH OPTIONS OF KOKKOS\n.TP\n\\fB\\-\\-kokkos\\-device\\-id=\\fIN\\fR\nThe GPU to use; \\fBminiapp info\\fR "
         "lists them.\n.TP\n\\fB\\-\\-kokkos\\-help\\fR\nAll of them.\n"
         ".SH EXIT STATUS\n.TP\n0\nRight and finished.\n.TP\n1\nA result is wrong, or did not converge.\n.TP\n2\nBad "
         "input: one line names the option, the value and what is accepted, and nothing was computed.\n"
         ".SH FILES\nConfig files (\\fB\\-\\-config\\fR) are TOML: options without dashes are keys, those of a command "
         "stand in a section of its name.\n";
}

}  // namespace miniapp::apps
