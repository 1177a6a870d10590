"""Man pages, and completions for bash, zsh and fish, of `tenure` and all its commands.

The programs themselves print the one table of their commands and options, `--command-table`
(commands/table.h); nothing here repeats one of them.
"""

import json
import re
import subprocess
from typing import Any, Dict, List

Command = Dict[str, Any]

# Sections of tenure(1) that no option tells.
ENVIRONMENT = [
    ("TENURE_PATH", "Directories, separated by colons, where imported packages are looked for."),
    ("XDG_CACHE_HOME", "The cache is in its directory tenure; without it, in ~/.cache/tenure. The cache holds "
     "object files of the library and packages that were fetched; tenure clean \\-\\-cache empties it."),
    ("TENURE_CACHE_SIZE", "How many megabytes the cache may hold (default: 1024)."),
    ("TMPDIR", "Where the linker keeps temporary files (default: /tmp)."),
]
FILES = [
    ("m3makefile, src/m3makefile", "The build file of a package."),
    ("tenure.toml", "Name, version and dependencies of a package."),
    ("tenure.lock", "Which packages a build used, with the hashes of their contents."),
    (".tenure", "What builds of a package made; tenure clean removes the directory."),
]


def read_table(tenure: str, *others: str) -> Command:
    """The command `tenure` with all its commands, which other programs carry out in part; those of
    `tenure db` are commands of `db`."""

    def printed(program: str) -> Any:
        return json.loads(subprocess.run([program, "--command-table"], check=True, text=True,
                                         stdout=subprocess.PIPE).stdout)

    table = printed(tenure)
    by_name = {command["name"].split()[-1]: command
               for program in others for command in printed(program)}
    commands = []
    for command in table["commands"]:
        full = by_name.get(command["name"])
        commands.append({**full, "name": command["name"], "text": command["text"],
                         "about": full["text"]} if full else command)
    return {**table, "commands": commands}


# ---- man pages

def roff(text: str) -> str:
    """Text as troff shows it; no line begins a request."""
    escaped = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq").replace("`", "\\(ga")
    return "\n".join("\\&" + line if line.startswith(".") else line
                     for line in escaped.splitlines() if line.strip())


def option_heading(option: Dict[str, Any]) -> str:
    names = ", ".join(f"\\fB{roff(name)}\\fR" for name in option["names"])
    if not option["value"]:
        return names
    short_only = all(not name.startswith("--") for name in option["names"])
    return names + ("" if short_only else "=") + f"\\fI{roff(option['value'])}\\fR"


def synopsis(name: str, command: Command) -> str:
    parts = [f"\\fB{roff(name)}\\fR"]
    if command["options"]:
        parts.append("[\\fIOPTION\\fR...]")
    if command["commands"]:
        parts.append("\\fICOMMAND\\fR ...")
    for argument in command["arguments"]:
        word = f"\\fI{roff(argument['name'])}\\fR" + ("..." if argument["several"] else "")
        parts.append(word if argument["required"] else f"[{word}]")
    if name == "tenure run":
        parts.append("[\\-\\- \\fIARGUMENT\\fR...]")
    return " ".join(parts)


def described(lines: List[str], command: Command) -> None:
    for argument in command["arguments"]:
        lines += [".TP", f"\\fI{roff(argument['name'])}\\fR", roff(argument["text"])]
    for option in command["options"]:
        lines += [".TP", option_heading(option), roff(option["text"] or "See the description.")]


def man_page(name: str, command: Command, date: str, version: str, others: List[str]) -> str:
    title = name.replace(" ", "-")
    about = re.sub(r"^tenure: ", "", command["text"]).strip().rstrip(".")
    lines = [f'.TH {title.upper()} 1 "{date}" "tenure {version}" "Tenure"', ".nh", ".ad l", ".SH NAME",
             f"{roff(title)} \\- {roff(about)}", ".SH SYNOPSIS", synopsis(name, command)]
    lines += [".SH DESCRIPTION", roff(command.get("about") or about[:1].upper() + about[1:] + ".")]
    for paragraph in command["more"].split("\n\n"):
        lines += [".PP", roff(paragraph)] if paragraph.strip() else []
    if command["arguments"] or command["options"]:
        lines.append(".SH OPTIONS")
        described(lines, command)
    if command["commands"]:
        lines.append(".SH COMMANDS")
        for sub in command["commands"]:
            if name == "tenure":
                lines += [".TP", f"\\fB{roff(sub['name'])}\\fR",
                          f"{roff(sub['text'])}; see \\fBtenure\\-{roff(sub['name'])}\\fR(1)"]
                continue
            lines += [f".SS {synopsis(name + ' ' + sub['name'], sub)}", roff(sub["text"])]
            described(lines, sub)
    if name == "tenure":
        for heading, entries in (("ENVIRONMENT", ENVIRONMENT), ("FILES", FILES)):
            lines.append(f".SH {heading}")
            for what, text in entries:
                lines += [".TP", f"\\fB{roff(what)}\\fR", text]
    lines += [".SH SEE ALSO", ", ".join(f"\\fB{roff(other)}\\fR(1)" for other in others if other != title)]
    return "\n".join(lines) + "\n"


def man_pages(table: Command, date: str, version: str) -> Dict[str, str]:
    """The text of each page by its file's name."""
    names = ["tenure"] + [f"tenure-{command['name']}" for command in table["commands"]]
    pages = {"tenure.1": man_page("tenure", table, date, version, names)}
    for command in table["commands"]:
        pages[f"tenure-{command['name']}.1"] = man_page(f"tenure {command['name']}", command, date, version,
                                                        ["tenure"])
    return pages


# ---- completion

def choices(option: Dict[str, Any]) -> List[str]:
    return option["value"].split("|") if "|" in option["value"] else []


def is_directory(word: str) -> bool:
    return word.startswith(("DIR", "STORE", "COPY", "TARGET"))


def completes_files(word: str) -> bool:
    return is_directory(word) or word.startswith(("FILE", "PROGRAM", "CONVERTER", "SOURCE"))


def flat_commands(table: Command) -> Dict[str, Command]:
    """The commands by their words: `build`, `db`, `db stat`."""
    found = {}
    for command in table["commands"]:
        found[command["name"]] = command
        for sub in command["commands"]:
            found[f"{command['name']} {sub['name']}"] = sub
    return found


def bash_completion(table: Command, codes: List[str]) -> str:
    cases, values = [], []
    for name, command in flat_commands(table).items():
        words = [sub["name"] for sub in command["commands"]]
        words += [option_name for option in command["options"] for option_name in option["names"]]
        words += codes if name == "explain" else []
        files = "files" if any(completes_files(argument["name"]) for argument in command["arguments"]) else "none"
        cases.append(f'    "{name}") words="{" ".join(words)}" places={files} ;;')
        for option in command["options"]:
            if not option["value"]:
                continue
            pattern = "|".join(f'"{name} {option_name}"' for option_name in option["names"])
            offered = " ".join(choices(option))
            values.append(f'    {pattern}) words="{offered}" places={"none" if offered else "files"}; return 0 ;;')
    top = " ".join([command["name"] for command in table["commands"]]
                   + [name for option in table["options"] for name in option["names"]])
    subcommands = " ".join(command["name"] for command in table["commands"] if command["commands"])
    return f"""# Completion of tenure for bash. Made by tools/command_pages.py.

# Sets words and places to what may be the value of the option $2 of command $1; fails if it takes none.
_tenure_value() {{
  case "$1 $2" in
{chr(10).join(values)}
  esac
  return 1
}}

_tenure() {{
  local current="${{COMP_WORDS[COMP_CWORD]}}" previous="${{COMP_WORDS[COMP_CWORD-1]}}"
  local command="${{COMP_WORDS[1]}}" words="" places=none
  COMPREPLY=()
  if (( COMP_CWORD == 1 )); then
    COMPREPLY=($(compgen -W "{top}" -- "$current"))
    return
  fi
  if [[ " {subcommands} " == *" $command "* ]] && (( COMP_CWORD > 2 )); then
    command+=" ${{COMP_WORDS[2]}}"
  fi
  # `--option=value` are three words.
  if [[ $current == "=" ]]; then
    current=""
  elif [[ $previous == "=" ]]; then
    previous="${{COMP_WORDS[COMP_CWORD-2]}}"
  fi
  if ! _tenure_value "$command" "$previous"; then
    case "$command" in
{chr(10).join(cases)}
    *) places=files ;;
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  if [[ $places == files && $current != -* ]]; then
    compopt -o filenames 2> /dev/null
    local IFS=$'\\n'
    COMPREPLY+=($(compgen -f -- "$current"))
  fi
}}

complete -F _tenure tenure
"""


def quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


def zsh_text(text: str) -> str:
    return re.sub(r"([\[\]:\\])", r"\\\1", " ".join(text.split()))


def zsh_arguments(command: Command, indent: str, codes: List[str]) -> str:
    specs = []
    for option in command["options"]:
        action = ""
        if option["value"]:
            offered = choices(option)
            action = f":{zsh_text(option['value'])}:" + (f"({' '.join(offered)})" if offered else "_files")
        names = option["names"]
        exclusive = f"({' '.join(names)})" if len(names) > 1 else ""
        for name in names:
            mark = ("=" if name.startswith("--") else "+") if option["value"] else ""
            specs.append(quoted(f"{exclusive}{name}{mark}[{zsh_text(option['text'])}]{action}"))
    for argument in command["arguments"]:
        action = "_files" if completes_files(argument["name"]) else f"({' '.join(codes)})" if codes else ""
        place = "*" if argument["several"] else ""
        specs.append(quoted(f"{place}:{zsh_text(argument['name'])}:{action}"))
    return f" \\\n{indent}  ".join(["_arguments -S", *specs])


def zsh_completion(table: Command, codes: List[str]) -> str:
    def described_list(commands: List[Command]) -> str:
        return " ".join(quoted(f"{sub['name']}:{zsh_text(sub['text'])}") for sub in commands)

    cases = []
    for command in table["commands"]:
        if not command["commands"]:
            arguments = zsh_arguments(command, "      ", codes if command["name"] == "explain" else [])
            cases.append(f"    {command['name']})\n      {arguments}\n      ;;")
            continue
        inner = "\n".join(f"        {sub['name']})\n          {zsh_arguments(sub, '          ', [])}\n          ;;"
                          for sub in command["commands"])
        cases.append(f"""    {command['name']})
      if (( CURRENT == 2 )); then
        local -a of_{command['name']}=({described_list(command['commands'])})
        _describe -t commands 'tenure {command['name']} command' of_{command['name']}
        return
      fi
      local sub=$words[2]
      shift words
      (( CURRENT-- ))
      case $sub in
{inner}
      esac
      ;;""")
    return f"""#compdef tenure
# Completion of tenure for zsh. Made by tools/command_pages.py.

_tenure() {{
  if (( CURRENT == 2 )); then
    local -a commands=({described_list(table['commands'])})
    _describe -t commands 'tenure command' commands
    _arguments {' '.join(quoted(f"{name}[{zsh_text(option['text'])}]")
                         for option in table['options'] for name in option['names'])}
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
{chr(10).join(cases)}
  esac
}}

_tenure "$@"
"""


def fish_text(text: str) -> str:
    return "'" + " ".join(text.split()).replace("\\", "\\\\").replace("'", "\\'") + "'"


def fish_completion(table: Command, codes: List[str]) -> str:
    lines = ["# Completion of tenure for fish. Made by tools/command_pages.py.", "", "complete -c tenure -f"]
    none = "__fish_use_subcommand"

    def add_command(condition: str, command: Command) -> None:
        lines.append(f"complete -c tenure -n '{condition}' -a {command['name']} -d {fish_text(command['text'])}")

    def add_option(condition: str, option: Dict[str, Any]) -> None:
        words = [f"complete -c tenure -n '{condition}'"]
        for name in option["names"]:
            words.append(f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}")
        if option["value"]:
            offered = choices(option)
            words.append(f"-x -a '{' '.join(offered)}'" if offered else "-r -F")
        lines.append(" ".join(words) + f" -d {fish_text(option['text'])}")

    def add_contents(condition: str, command: Command) -> None:
        for option in command["options"]:
            add_option(condition, option)
        if any(completes_files(argument["name"]) for argument in command["arguments"]):
            lines.append(f"complete -c tenure -n '{condition}' -F")

    for option in table["options"]:
        add_option(none, option)
    for command in table["commands"]:
        add_command(none, command)
    for command in table["commands"]:
        seen = f"__fish_seen_subcommand_from {command['name']}"
        if not command["commands"]:
            add_contents(seen, command)
            if command["name"] == "explain":
                lines.append(f"complete -c tenure -n '{seen}' -a '{' '.join(codes)}'")
            continue
        names = " ".join(sub["name"] for sub in command["commands"])
        for sub in command["commands"]:
            add_command(f"{seen}; and not __fish_seen_subcommand_from {names}", sub)
        for sub in command["commands"]:
            add_contents(f"{seen}; and __fish_seen_subcommand_from {sub['name']}", sub)
    return "\n".join(lines) + "\n"
