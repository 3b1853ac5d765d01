# Print an optspec for argparse to handle cmd's options that are independent of any subcommand.
function __fish_dibber_global_optspecs
    string join \n color= q/quiet verbose h/help V/version
end

function __fish_dibber_needs_command
    # Figure out if the current invocation already has a command.
    set -l cmd (commandline -opc)
    set -e cmd[1]
    argparse -s (__fish_dibber_global_optspecs) -- $cmd 2>/dev/null
    or return
    if set -q argv[1]
        # Also print the command, so this can be used to figure out what it is.
        echo $argv[1]
        return 1
    end
    return 0
end

function __fish_dibber_using_subcommand
    set -l cmd (__fish_dibber_needs_command)
    test -z "$cmd"
    and return 1
    contains -- $cmd[1] $argv
end

complete -c dibber -n "__fish_dibber_needs_command" -l color -d 'When to use colour: auto, always or never' -r -f -a "auto\t'If the output is a terminal and the environment does not forbid it'
always\t'Always'
never\t'Never'"
complete -c dibber -n "__fish_dibber_needs_command" -s q -l quiet -d 'Print only results, warnings and errors'
complete -c dibber -n "__fish_dibber_needs_command" -l verbose -d 'With `--version`, print the version of the time zone database, too'
complete -c dibber -n "__fish_dibber_needs_command" -s h -l help -d 'Print help'
complete -c dibber -n "__fish_dibber_needs_command" -s V -l version -d 'Print version'
complete -c dibber -n "__fish_dibber_needs_command" -f -a "new" -d 'Make a new skill from a template'
complete -c dibber -n "__fish_dibber_needs_command" -f -a "edit" -d 'Change what a skill is called, does and when it runs'
complete -c dibber -n "__fish_dibber_needs_command" -f -a "render" -d 'Fill in the prompt of a skill, without a server'
complete -c dibber -n "__fish_dibber_needs_command" -f -a "names" -d 'Manage the private list of children\'s names'
complete -c dibber -n "__fish_dibber_needs_command" -f -a "guide" -d 'Read the server\'s guides for authors'
complete -c dibber -n "__fish_dibber_needs_command" -f -a "lint" -d 'Check skills'
complete -c dibber -n "__fish_dibber_needs_command" -f -a "explain" -d 'Explain rules: what they do, why, and what to write instead'
complete -c dibber -n "__fish_dibber_needs_command" -f -a "rules" -d 'List the rules'
complete -c dibber -n "__fish_dibber_needs_command" -f -a "dry-run" -d 'Show what would be published, without a server'
complete -c dibber -n "__fish_dibber_needs_command" -f -a "hash" -d 'Print the spec-hash of a skill'
complete -c dibber -n "__fish_dibber_needs_command" -f -a "push" -d 'Publish skills with their heartbeats'
complete -c dibber -n "__fish_dibber_needs_command" -f -a "diff" -d 'Show what a push would change'
complete -c dibber -n "__fish_dibber_needs_command" -f -a "pull" -d 'Write skills of a server into files'
complete -c dibber -n "__fish_dibber_needs_command" -f -a "invoke" -d 'Run a skill: print its prompt, filled in by the server'
complete -c dibber -n "__fish_dibber_needs_command" -f -a "skill" -d 'Show and change the skills of a server'
complete -c dibber -n "__fish_dibber_needs_command" -f -a "heartbeat" -d 'Preview and manage the schedules of skills'
complete -c dibber -n "__fish_dibber_needs_command" -f -a "serve" -d 'Serve the families of this machine to MCP clients'
complete -c dibber -n "__fish_dibber_needs_command" -f -a "family" -d 'Manage the family of the server in this program'
complete -c dibber -n "__fish_dibber_needs_command" -f -a "doctor" -d 'Check the data of the server in this program'
complete -c dibber -n "__fish_dibber_needs_command" -f -a "status" -d 'Show the selected server and its health'
complete -c dibber -n "__fish_dibber_needs_command" -f -a "servers" -d 'List the servers that `--server` accepts by name'
complete -c dibber -n "__fish_dibber_needs_command" -f -a "tools" -d 'List the tools of the server, or show one'
complete -c dibber -n "__fish_dibber_needs_command" -f -a "call" -d 'Call a tool of the server, and print its result'
complete -c dibber -n "__fish_dibber_needs_command" -f -a "resources" -d 'List the resources of the server'
complete -c dibber -n "__fish_dibber_needs_command" -f -a "resource" -d 'Read a resource of the server'
complete -c dibber -n "__fish_dibber_needs_command" -f -a "prompts" -d 'List the prompts of the server'
complete -c dibber -n "__fish_dibber_needs_command" -f -a "prompt" -d 'Get a prompt of the server'
complete -c dibber -n "__fish_dibber_needs_command" -f -a "journal" -d 'List and discard writes that were interrupted'
complete -c dibber -n "__fish_dibber_needs_command" -f -a "schema" -d 'Print the JSON Schema of a file, of the JSON of a command or of the arguments of a tool'
complete -c dibber -n "__fish_dibber_needs_command" -f -a "completions" -d 'Print the completions for a shell'
complete -c dibber -n "__fish_dibber_needs_command" -f -a "man" -d 'Show the manual page, of dibber or of one command'
complete -c dibber -n "__fish_dibber_needs_command" -f -a "help" -d 'Describe a command'
complete -c dibber -n "__fish_dibber_using_subcommand new" -l template -d 'The template to start from; `--list` lists them' -r -f -a "story\t''
quiz\t''
routine\t''
day-summary\t''
chores\t''
practice\t''
generic\t''
daily-check-in\t''
kid-activity\t''
scheduler\t''
with-scripts\t''
skills-protocol\t''"
complete -c dibber -n "__fish_dibber_using_subcommand new" -l description -d 'What it does, and when to use it' -r
complete -c dibber -n "__fish_dibber_using_subcommand new" -l when -d 'When to use it, if the description does not say so: "a parent asks for the bus"' -r
complete -c dibber -n "__fish_dibber_using_subcommand new" -l label -d 'The title under which a family finds it [default: the name in words]' -r
complete -c dibber -n "__fish_dibber_using_subcommand new" -l for -d 'Which agent it is for [default: the template\'s]' -r -f -a "generic\t'Sprout\'s own agent, and the home agent'
home-agent\t'The family\'s home agent alone'"
complete -c dibber -n "__fish_dibber_using_subcommand new" -l ages -d 'The ages that it is for: 5-7' -r
complete -c dibber -n "__fish_dibber_using_subcommand new" -l input -d 'An input that is filled in at each run; may be repeated' -r
complete -c dibber -n "__fish_dibber_using_subcommand new" -l hand -d 'A tool that it uses, such as `task_list`; may be repeated' -r
complete -c dibber -n "__fish_dibber_using_subcommand new" -l schedule -d 'When it runs by itself: "weekdays at 7:30pm", or in five fields "30 19 * * 1-5"' -r
complete -c dibber -n "__fish_dibber_using_subcommand new" -l tz -d 'The time zone of the schedule: `Europe/Berlin`' -r
complete -c dibber -n "__fish_dibber_using_subcommand new" -l canvas -d 'The id of a canvas that it links; may be repeated' -r
complete -c dibber -n "__fish_dibber_using_subcommand new" -l into -d 'The folder in which the skill\'s folder is made' -r -F
complete -c dibber -n "__fish_dibber_using_subcommand new" -l color -d 'When to use colour: auto, always or never' -r -f -a "auto\t'If the output is a terminal and the environment does not forbid it'
always\t'Always'
never\t'Never'"
complete -c dibber -n "__fish_dibber_using_subcommand new" -l kid-callable -d 'Let a child launch it'
complete -c dibber -n "__fish_dibber_using_subcommand new" -s y -l yes -d 'Do it without asking'
complete -c dibber -n "__fish_dibber_using_subcommand new" -l resume -d 'Go on with the answers of a run that was interrupted'
complete -c dibber -n "__fish_dibber_using_subcommand new" -s n -l dry-run -d 'Show what would be done, and change nothing'
complete -c dibber -n "__fish_dibber_using_subcommand new" -l list -d 'List the templates'
complete -c dibber -n "__fish_dibber_using_subcommand new" -l json -d 'Print the files, or the list, as JSON'
complete -c dibber -n "__fish_dibber_using_subcommand new" -s q -l quiet -d 'Print only results, warnings and errors'
complete -c dibber -n "__fish_dibber_using_subcommand new" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c dibber -n "__fish_dibber_using_subcommand edit" -l label -d 'The title under which a family finds it' -r
complete -c dibber -n "__fish_dibber_using_subcommand edit" -l description -d 'What it does, and when to use it' -r
complete -c dibber -n "__fish_dibber_using_subcommand edit" -l for -d 'Which agent it is for' -r -f -a "generic\t'Sprout\'s own agent, and the home agent'
home-agent\t'The family\'s home agent alone'"
complete -c dibber -n "__fish_dibber_using_subcommand edit" -l kid-callable -d 'Whether a child may launch it' -r
complete -c dibber -n "__fish_dibber_using_subcommand edit" -l ages -d 'The ages that it is for: 5-7' -r
complete -c dibber -n "__fish_dibber_using_subcommand edit" -l input -d 'An input to add, which is filled in at each run; may be repeated' -r
complete -c dibber -n "__fish_dibber_using_subcommand edit" -l schedule -d 'When it runs by itself: "weekdays at 7:30pm", or "never"' -r
complete -c dibber -n "__fish_dibber_using_subcommand edit" -l tz -d 'The time zone of the schedule: `Europe/Berlin`' -r
complete -c dibber -n "__fish_dibber_using_subcommand edit" -l color -d 'When to use colour: auto, always or never' -r -f -a "auto\t'If the output is a terminal and the environment does not forbid it'
always\t'Always'
never\t'Never'"
complete -c dibber -n "__fish_dibber_using_subcommand edit" -s y -l yes -d 'Do it without asking'
complete -c dibber -n "__fish_dibber_using_subcommand edit" -s n -l dry-run -d 'Show what would be done, and change nothing'
complete -c dibber -n "__fish_dibber_using_subcommand edit" -s q -l quiet -d 'Print only results, warnings and errors'
complete -c dibber -n "__fish_dibber_using_subcommand edit" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c dibber -n "__fish_dibber_using_subcommand render" -l input -d 'Fill in this input; `NAME:=JSON` for a value that is not a string (can be repeated)' -r
complete -c dibber -n "__fish_dibber_using_subcommand render" -l input-file -d 'Take inputs from a JSON object in a file, or `-` for standard input' -r -F
complete -c dibber -n "__fish_dibber_using_subcommand render" -s o -l output -d 'Write it to this file; `-` is standard output, the default' -r
complete -c dibber -n "__fish_dibber_using_subcommand render" -l color -d 'When to use colour: auto, always or never' -r -f -a "auto\t'If the output is a terminal and the environment does not forbid it'
always\t'Always'
never\t'Never'"
complete -c dibber -n "__fish_dibber_using_subcommand render" -s q -l quiet -d 'Print only results, warnings and errors'
complete -c dibber -n "__fish_dibber_using_subcommand render" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c dibber -n "__fish_dibber_using_subcommand names; and not __fish_seen_subcommand_from add list remove" -l color -d 'When to use colour: auto, always or never' -r -f -a "auto\t'If the output is a terminal and the environment does not forbid it'
always\t'Always'
never\t'Never'"
complete -c dibber -n "__fish_dibber_using_subcommand names; and not __fish_seen_subcommand_from add list remove" -s q -l quiet -d 'Print only results, warnings and errors'
complete -c dibber -n "__fish_dibber_using_subcommand names; and not __fish_seen_subcommand_from add list remove" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c dibber -n "__fish_dibber_using_subcommand names; and not __fish_seen_subcommand_from add list remove" -f -a "add" -d 'Add names'
complete -c dibber -n "__fish_dibber_using_subcommand names; and not __fish_seen_subcommand_from add list remove" -f -a "list" -d 'Show how many names there are, and the initials of each'
complete -c dibber -n "__fish_dibber_using_subcommand names; and not __fish_seen_subcommand_from add list remove" -f -a "remove" -d 'Remove names'
complete -c dibber -n "__fish_dibber_using_subcommand names; and __fish_seen_subcommand_from add" -l color -d 'When to use colour: auto, always or never' -r -f -a "auto\t'If the output is a terminal and the environment does not forbid it'
always\t'Always'
never\t'Never'"
complete -c dibber -n "__fish_dibber_using_subcommand names; and __fish_seen_subcommand_from add" -l any-case -d 'Find names that are common words, such as Will, in lowercase, too'
complete -c dibber -n "__fish_dibber_using_subcommand names; and __fish_seen_subcommand_from add" -s n -l dry-run -d 'Show what would be done, and change nothing'
complete -c dibber -n "__fish_dibber_using_subcommand names; and __fish_seen_subcommand_from add" -l json -d 'Print JSON'
complete -c dibber -n "__fish_dibber_using_subcommand names; and __fish_seen_subcommand_from add" -s q -l quiet -d 'Print only results, warnings and errors'
complete -c dibber -n "__fish_dibber_using_subcommand names; and __fish_seen_subcommand_from add" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c dibber -n "__fish_dibber_using_subcommand names; and __fish_seen_subcommand_from list" -l color -d 'When to use colour: auto, always or never' -r -f -a "auto\t'If the output is a terminal and the environment does not forbid it'
always\t'Always'
never\t'Never'"
complete -c dibber -n "__fish_dibber_using_subcommand names; and __fish_seen_subcommand_from list" -l json -d 'Print JSON'
complete -c dibber -n "__fish_dibber_using_subcommand names; and __fish_seen_subcommand_from list" -s q -l quiet -d 'Print only results, warnings and errors'
complete -c dibber -n "__fish_dibber_using_subcommand names; and __fish_seen_subcommand_from list" -s h -l help -d 'Print help'
complete -c dibber -n "__fish_dibber_using_subcommand names; and __fish_seen_subcommand_from remove" -l color -d 'When to use colour: auto, always or never' -r -f -a "auto\t'If the output is a terminal and the environment does not forbid it'
always\t'Always'
never\t'Never'"
complete -c dibber -n "__fish_dibber_using_subcommand names; and __fish_seen_subcommand_from remove" -s n -l dry-run -d 'Show what would be done, and change nothing'
complete -c dibber -n "__fish_dibber_using_subcommand names; and __fish_seen_subcommand_from remove" -l json -d 'Print JSON'
complete -c dibber -n "__fish_dibber_using_subcommand names; and __fish_seen_subcommand_from remove" -s q -l quiet -d 'Print only results, warnings and errors'
complete -c dibber -n "__fish_dibber_using_subcommand names; and __fish_seen_subcommand_from remove" -s h -l help -d 'Print help'
complete -c dibber -n "__fish_dibber_using_subcommand guide" -l server -d 'The server: a URL, `stdio:COMMAND`, a configured name, or `local`' -r
complete -c dibber -n "__fish_dibber_using_subcommand guide" -l data -d 'The directory of the database of the server in this program' -r -F
complete -c dibber -n "__fish_dibber_using_subcommand guide" -l token-file -d 'The file that contains the token for the server; otherwise DIBBER_TOKEN' -r -F
complete -c dibber -n "__fish_dibber_using_subcommand guide" -l header -d 'Send this header with every request to the server (can be repeated)' -r
complete -c dibber -n "__fish_dibber_using_subcommand guide" -l timeout -d 'How long to wait for an answer, in seconds [default: 30]' -r
complete -c dibber -n "__fish_dibber_using_subcommand guide" -l color -d 'When to use colour: auto, always or never' -r -f -a "auto\t'If the output is a terminal and the environment does not forbid it'
always\t'Always'
never\t'Never'"
complete -c dibber -n "__fish_dibber_using_subcommand guide" -l raw -d 'Print it as the server sends it, as Markdown'
complete -c dibber -n "__fish_dibber_using_subcommand guide" -l json -d 'Print JSON'
complete -c dibber -n "__fish_dibber_using_subcommand guide" -s v -l verbose -d 'Show what a server that is a program writes to standard error'
complete -c dibber -n "__fish_dibber_using_subcommand guide" -s q -l quiet -d 'Print only results, warnings and errors'
complete -c dibber -n "__fish_dibber_using_subcommand guide" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c dibber -n "__fish_dibber_using_subcommand lint" -l stdin-filename -d 'The path of the skill on standard input' -r -F
complete -c dibber -n "__fish_dibber_using_subcommand lint" -l format -d 'The format of the report, by default `human`; with a file, a report besides (can be repeated)' -r -f -a "human\t''
concise\t''
json\t''
sarif\t''
github\t''
gitlab\t''
junit\t''"
complete -c dibber -n "__fish_dibber_using_subcommand lint" -s o -l output -d 'Write the report to a file; `-` for standard output' -r -F
complete -c dibber -n "__fish_dibber_using_subcommand lint" -l select -d 'Check only these rules: ids, groups or `all`, separated by commas' -r
complete -c dibber -n "__fish_dibber_using_subcommand lint" -l ignore -d 'Do not check these rules' -r
complete -c dibber -n "__fish_dibber_using_subcommand lint" -s l -l level -d 'Set the level of a rule, a group or `all`: allow, warn or deny (can be repeated)' -r
complete -c dibber -n "__fish_dibber_using_subcommand lint" -l reason -d 'Why the findings are waived' -r
complete -c dibber -n "__fish_dibber_using_subcommand lint" -l since -d 'Report only findings on lines changed since a git revision' -r
complete -c dibber -n "__fish_dibber_using_subcommand lint" -l baseline -d 'Report only findings that are not in this baseline' -r -F
complete -c dibber -n "__fish_dibber_using_subcommand lint" -l write-baseline -d 'Write all findings into a baseline, and report nothing' -r -F
complete -c dibber -n "__fish_dibber_using_subcommand lint" -l config -d 'The configuration to use instead of the nearest `dibber.toml`' -r -F
complete -c dibber -n "__fish_dibber_using_subcommand lint" -l color -d 'When to use colour: auto, always or never' -r -f -a "auto\t'If the output is a terminal and the environment does not forbid it'
always\t'Always'
never\t'Never'"
complete -c dibber -n "__fish_dibber_using_subcommand lint" -l json -d 'Print JSON: the same as `--format json`'
complete -c dibber -n "__fish_dibber_using_subcommand lint" -l statistics -d 'Count the findings of each rule, instead of listing them'
complete -c dibber -n "__fish_dibber_using_subcommand lint" -l deny-warnings -d 'Exit with 1 for warnings, too'
complete -c dibber -n "__fish_dibber_using_subcommand lint" -l fix -d 'Apply the safe fixes'
complete -c dibber -n "__fish_dibber_using_subcommand lint" -l unsafe-fixes -d 'Apply the unsafe fixes, too, which should be reviewed'
complete -c dibber -n "__fish_dibber_using_subcommand lint" -l diff -d 'Show the changes of the fixes as a diff, and write nothing'
complete -c dibber -n "__fish_dibber_using_subcommand lint" -s n -l dry-run -d 'Write nothing: with `--fix` or `--unsafe-fixes`, show the changes as `--diff` does'
complete -c dibber -n "__fish_dibber_using_subcommand lint" -l add-waivers -d 'Write waiver comments for the findings into the skills; those about security that are errors only if `--select` names their rules'
complete -c dibber -n "__fish_dibber_using_subcommand lint" -l no-config -d 'Use no `dibber.toml`'
complete -c dibber -n "__fish_dibber_using_subcommand lint" -l no-inline-waivers -d 'Do not apply waivers in the skills, as for contributions of others; those in `dibber.toml` still are'
complete -c dibber -n "__fish_dibber_using_subcommand lint" -l no-ignore -d 'Check skills and files that git ignores, too'
complete -c dibber -n "__fish_dibber_using_subcommand lint" -l skip-non-skills -d 'Skip paths without a skill, as in a commit hook, which passes every changed file'
complete -c dibber -n "__fish_dibber_using_subcommand lint" -l watch -d 'Lint again whenever a file changes, until Ctrl-C'
complete -c dibber -n "__fish_dibber_using_subcommand lint" -s q -l quiet -d 'Do not print the summary line'
complete -c dibber -n "__fish_dibber_using_subcommand lint" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c dibber -n "__fish_dibber_using_subcommand explain" -l color -d 'When to use colour: auto, always or never' -r -f -a "auto\t'If the output is a terminal and the environment does not forbid it'
always\t'Always'
never\t'Never'"
complete -c dibber -n "__fish_dibber_using_subcommand explain" -l json -d 'Print JSON'
complete -c dibber -n "__fish_dibber_using_subcommand explain" -s q -l quiet -d 'Print only results, warnings and errors'
complete -c dibber -n "__fish_dibber_using_subcommand explain" -s h -l help -d 'Print help'
complete -c dibber -n "__fish_dibber_using_subcommand rules" -l color -d 'When to use colour: auto, always or never' -r -f -a "auto\t'If the output is a terminal and the environment does not forbid it'
always\t'Always'
never\t'Never'"
complete -c dibber -n "__fish_dibber_using_subcommand rules" -l json -d 'Print JSON, with the documentation of each rule'
complete -c dibber -n "__fish_dibber_using_subcommand rules" -s q -l quiet -d 'Print only results, warnings and errors'
complete -c dibber -n "__fish_dibber_using_subcommand rules" -s h -l help -d 'Print help'
complete -c dibber -n "__fish_dibber_using_subcommand dry-run" -l input -d 'Show the prompt with this input filled in, too; `NAME:=JSON` for a value that is not a string (can be repeated)' -r
complete -c dibber -n "__fish_dibber_using_subcommand dry-run" -l input-file -d 'Take inputs from a JSON object in a file, or `-` for standard input' -r -F
complete -c dibber -n "__fish_dibber_using_subcommand dry-run" -l expect -d 'Exit with 3 unless the skill has this spec-hash' -r
complete -c dibber -n "__fish_dibber_using_subcommand dry-run" -l save -d 'Save the preview; with `--expect`, show what has changed since it was saved; `-` prints the preview alone' -r
complete -c dibber -n "__fish_dibber_using_subcommand dry-run" -l color -d 'When to use colour: auto, always or never' -r -f -a "auto\t'If the output is a terminal and the environment does not forbid it'
always\t'Always'
never\t'Never'"
complete -c dibber -n "__fish_dibber_using_subcommand dry-run" -l json -d 'Print JSON, as the server would answer for each skill'
complete -c dibber -n "__fish_dibber_using_subcommand dry-run" -l arguments -d 'Print only the arguments of `skill_write`, for one skill'
complete -c dibber -n "__fish_dibber_using_subcommand dry-run" -s q -l quiet -d 'Print only results, warnings and errors'
complete -c dibber -n "__fish_dibber_using_subcommand dry-run" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c dibber -n "__fish_dibber_using_subcommand hash" -l color -d 'When to use colour: auto, always or never' -r -f -a "auto\t'If the output is a terminal and the environment does not forbid it'
always\t'Always'
never\t'Never'"
complete -c dibber -n "__fish_dibber_using_subcommand hash" -l json -d 'Print JSON'
complete -c dibber -n "__fish_dibber_using_subcommand hash" -s q -l quiet -d 'Print only results, warnings and errors'
complete -c dibber -n "__fish_dibber_using_subcommand hash" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c dibber -n "__fish_dibber_using_subcommand push" -l expect -d 'Publish nothing unless the skill has this spec-hash' -r
complete -c dibber -n "__fish_dibber_using_subcommand push" -l server -d 'The server: a URL, `stdio:COMMAND`, a configured name, or `local`' -r
complete -c dibber -n "__fish_dibber_using_subcommand push" -l data -d 'The directory of the database of the server in this program' -r -F
complete -c dibber -n "__fish_dibber_using_subcommand push" -l token-file -d 'The file that contains the token for the server; otherwise DIBBER_TOKEN' -r -F
complete -c dibber -n "__fish_dibber_using_subcommand push" -l header -d 'Send this header with every request to the server (can be repeated)' -r
complete -c dibber -n "__fish_dibber_using_subcommand push" -l timeout -d 'How long to wait for an answer, in seconds [default: 30]' -r
complete -c dibber -n "__fish_dibber_using_subcommand push" -l color -d 'When to use colour: auto, always or never' -r -f -a "auto\t'If the output is a terminal and the environment does not forbid it'
always\t'Always'
never\t'Never'"
complete -c dibber -n "__fish_dibber_using_subcommand push" -s y -l yes -d 'Do it without asking'
complete -c dibber -n "__fish_dibber_using_subcommand push" -s n -l dry-run -d 'Show what would be done, and change nothing'
complete -c dibber -n "__fish_dibber_using_subcommand push" -l new -d 'Make new skills, whatever was published before'
complete -c dibber -n "__fish_dibber_using_subcommand push" -l merge -d 'Merge what was changed on the server since the last push into the files, and publish both'
complete -c dibber -n "__fish_dibber_using_subcommand push" -l force -d 'Overwrite what was changed on the server since the last push'
complete -c dibber -n "__fish_dibber_using_subcommand push" -l no-heartbeats -d 'Leave the heartbeats as they are, and publish the skills alone'
complete -c dibber -n "__fish_dibber_using_subcommand push" -l prune -d 'Archive the skills whose folders are gone, too'
complete -c dibber -n "__fish_dibber_using_subcommand push" -s v -l verbose -d 'List the skills that are up to date, too'
complete -c dibber -n "__fish_dibber_using_subcommand push" -l json -d 'Print JSON'
complete -c dibber -n "__fish_dibber_using_subcommand push" -s q -l quiet -d 'Print only results, warnings and errors'
complete -c dibber -n "__fish_dibber_using_subcommand push" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c dibber -n "__fish_dibber_using_subcommand diff" -l server -d 'The server: a URL, `stdio:COMMAND`, a configured name, or `local`' -r
complete -c dibber -n "__fish_dibber_using_subcommand diff" -l data -d 'The directory of the database of the server in this program' -r -F
complete -c dibber -n "__fish_dibber_using_subcommand diff" -l token-file -d 'The file that contains the token for the server; otherwise DIBBER_TOKEN' -r -F
complete -c dibber -n "__fish_dibber_using_subcommand diff" -l header -d 'Send this header with every request to the server (can be repeated)' -r
complete -c dibber -n "__fish_dibber_using_subcommand diff" -l timeout -d 'How long to wait for an answer, in seconds [default: 30]' -r
complete -c dibber -n "__fish_dibber_using_subcommand diff" -l color -d 'When to use colour: auto, always or never' -r -f -a "auto\t'If the output is a terminal and the environment does not forbid it'
always\t'Always'
never\t'Never'"
complete -c dibber -n "__fish_dibber_using_subcommand diff" -l exit-code -d 'Exit with 1 when there is a change'
complete -c dibber -n "__fish_dibber_using_subcommand diff" -l no-heartbeats -d 'Leave the heartbeats out, and compare the skills alone'
complete -c dibber -n "__fish_dibber_using_subcommand diff" -s v -l verbose -d 'List the skills that are up to date, too'
complete -c dibber -n "__fish_dibber_using_subcommand diff" -l json -d 'Print JSON'
complete -c dibber -n "__fish_dibber_using_subcommand diff" -s q -l quiet -d 'Print only results, warnings and errors'
complete -c dibber -n "__fish_dibber_using_subcommand diff" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c dibber -n "__fish_dibber_using_subcommand pull" -l into -d 'The folder to make the folders of skills in' -r -F
complete -c dibber -n "__fish_dibber_using_subcommand pull" -l server -d 'The server: a URL, `stdio:COMMAND`, a configured name, or `local`' -r
complete -c dibber -n "__fish_dibber_using_subcommand pull" -l data -d 'The directory of the database of the server in this program' -r -F
complete -c dibber -n "__fish_dibber_using_subcommand pull" -l token-file -d 'The file that contains the token for the server; otherwise DIBBER_TOKEN' -r -F
complete -c dibber -n "__fish_dibber_using_subcommand pull" -l header -d 'Send this header with every request to the server (can be repeated)' -r
complete -c dibber -n "__fish_dibber_using_subcommand pull" -l timeout -d 'How long to wait for an answer, in seconds [default: 30]' -r
complete -c dibber -n "__fish_dibber_using_subcommand pull" -l color -d 'When to use colour: auto, always or never' -r -f -a "auto\t'If the output is a terminal and the environment does not forbid it'
always\t'Always'
never\t'Never'"
complete -c dibber -n "__fish_dibber_using_subcommand pull" -l all -d 'Every skill of the server that is not archived'
complete -c dibber -n "__fish_dibber_using_subcommand pull" -l force -d 'Overwrite files that have changes of their own'
complete -c dibber -n "__fish_dibber_using_subcommand pull" -s n -l dry-run -d 'Show what would be done, and change nothing'
complete -c dibber -n "__fish_dibber_using_subcommand pull" -l json -d 'Print JSON'
complete -c dibber -n "__fish_dibber_using_subcommand pull" -s v -l verbose -d 'Show what a server that is a program writes to standard error'
complete -c dibber -n "__fish_dibber_using_subcommand pull" -s q -l quiet -d 'Print only results, warnings and errors'
complete -c dibber -n "__fish_dibber_using_subcommand pull" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c dibber -n "__fish_dibber_using_subcommand invoke" -l input -d 'Fill in this input; `NAME:=JSON` for a value that is not a string (can be repeated)' -r
complete -c dibber -n "__fish_dibber_using_subcommand invoke" -l input-file -d 'Take inputs from a JSON object in a file, or `-` for standard input' -r -F
complete -c dibber -n "__fish_dibber_using_subcommand invoke" -l server -d 'The server: a URL, `stdio:COMMAND`, a configured name, or `local`' -r
complete -c dibber -n "__fish_dibber_using_subcommand invoke" -l data -d 'The directory of the database of the server in this program' -r -F
complete -c dibber -n "__fish_dibber_using_subcommand invoke" -l token-file -d 'The file that contains the token for the server; otherwise DIBBER_TOKEN' -r -F
complete -c dibber -n "__fish_dibber_using_subcommand invoke" -l header -d 'Send this header with every request to the server (can be repeated)' -r
complete -c dibber -n "__fish_dibber_using_subcommand invoke" -l timeout -d 'How long to wait for an answer, in seconds [default: 30]' -r
complete -c dibber -n "__fish_dibber_using_subcommand invoke" -l color -d 'When to use colour: auto, always or never' -r -f -a "auto\t'If the output is a terminal and the environment does not forbid it'
always\t'Always'
never\t'Never'"
complete -c dibber -n "__fish_dibber_using_subcommand invoke" -l json -d 'Print JSON'
complete -c dibber -n "__fish_dibber_using_subcommand invoke" -s v -l verbose -d 'Show what a server that is a program writes to standard error'
complete -c dibber -n "__fish_dibber_using_subcommand invoke" -s q -l quiet -d 'Print only results, warnings and errors'
complete -c dibber -n "__fish_dibber_using_subcommand invoke" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c dibber -n "__fish_dibber_using_subcommand skill; and not __fish_seen_subcommand_from list get update post-result archive unarchive link unlink" -l color -d 'When to use colour: auto, always or never' -r -f -a "auto\t'If the output is a terminal and the environment does not forbid it'
always\t'Always'
never\t'Never'"
complete -c dibber -n "__fish_dibber_using_subcommand skill; and not __fish_seen_subcommand_from list get update post-result archive unarchive link unlink" -s q -l quiet -d 'Print only results, warnings and errors'
complete -c dibber -n "__fish_dibber_using_subcommand skill; and not __fish_seen_subcommand_from list get update post-result archive unarchive link unlink" -s h -l help -d 'Print help'
complete -c dibber -n "__fish_dibber_using_subcommand skill; and not __fish_seen_subcommand_from list get update post-result archive unarchive link unlink" -f -a "list" -d 'List the skills of a server'
complete -c dibber -n "__fish_dibber_using_subcommand skill; and not __fish_seen_subcommand_from list get update post-result archive unarchive link unlink" -f -a "get" -d 'Show a skill of a server'
complete -c dibber -n "__fish_dibber_using_subcommand skill; and not __fish_seen_subcommand_from list get update post-result archive unarchive link unlink" -f -a "update" -d 'Change a skill of a server'
complete -c dibber -n "__fish_dibber_using_subcommand skill; and not __fish_seen_subcommand_from list get update post-result archive unarchive link unlink" -f -a "post-result" -d 'Post the result of a run to the family\'s inbox'
complete -c dibber -n "__fish_dibber_using_subcommand skill; and not __fish_seen_subcommand_from list get update post-result archive unarchive link unlink" -f -a "archive" -d 'Archive skills of a server'
complete -c dibber -n "__fish_dibber_using_subcommand skill; and not __fish_seen_subcommand_from list get update post-result archive unarchive link unlink" -f -a "unarchive" -d 'Unarchive skills, so that they can be used again'
complete -c dibber -n "__fish_dibber_using_subcommand skill; and not __fish_seen_subcommand_from list get update post-result archive unarchive link unlink" -f -a "link" -d 'Connect a folder with a skill of a server'
complete -c dibber -n "__fish_dibber_using_subcommand skill; and not __fish_seen_subcommand_from list get update post-result archive unarchive link unlink" -f -a "unlink" -d 'Remove the link between a folder and a skill'
complete -c dibber -n "__fish_dibber_using_subcommand skill; and __fish_seen_subcommand_from list" -l limit -d 'The most skills' -r
complete -c dibber -n "__fish_dibber_using_subcommand skill; and __fish_seen_subcommand_from list" -l category -d 'List only skills of this category' -r -f -a "generic\t''
home_agent\t''"
complete -c dibber -n "__fish_dibber_using_subcommand skill; and __fish_seen_subcommand_from list" -l server -d 'The server: a URL, `stdio:COMMAND`, a configured name, or `local`' -r
complete -c dibber -n "__fish_dibber_using_subcommand skill; and __fish_seen_subcommand_from list" -l data -d 'The directory of the database of the server in this program' -r -F
complete -c dibber -n "__fish_dibber_using_subcommand skill; and __fish_seen_subcommand_from list" -l token-file -d 'The file that contains the token for the server; otherwise DIBBER_TOKEN' -r -F
complete -c dibber -n "__fish_dibber_using_subcommand skill; and __fish_seen_subcommand_from list" -l header -d 'Send this header with every request to the server (can be repeated)' -r
complete -c dibber -n "__fish_dibber_using_subcommand skill; and __fish_seen_subcommand_from list" -l timeout -d 'How long to wait for an answer, in seconds [default: 30]' -r
complete -c dibber -n "__fish_dibber_using_subcommand skill; and __fish_seen_subcommand_from list" -l color -d 'When to use colour: auto, always or never' -r -f -a "auto\t'If the output is a terminal and the environment does not forbid it'
always\t'Always'
never\t'Never'"
complete -c dibber -n "__fish_dibber_using_subcommand skill; and __fish_seen_subcommand_from list" -l archived -d 'List archived skills, too'
complete -c dibber -n "__fish_dibber_using_subcommand skill; and __fish_seen_subcommand_from list" -l json -d 'Print JSON'
complete -c dibber -n "__fish_dibber_using_subcommand skill; and __fish_seen_subcommand_from list" -s v -l verbose -d 'Show what a server that is a program writes to standard error'
complete -c dibber -n "__fish_dibber_using_subcommand skill; and __fish_seen_subcommand_from list" -s q -l quiet -d 'Print only results, warnings and errors'
complete -c dibber -n "__fish_dibber_using_subcommand skill; and __fish_seen_subcommand_from list" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c dibber -n "__fish_dibber_using_subcommand skill; and __fish_seen_subcommand_from get" -l server -d 'The server: a URL, `stdio:COMMAND`, a configured name, or `local`' -r
complete -c dibber -n "__fish_dibber_using_subcommand skill; and __fish_seen_subcommand_from get" -l data -d 'The directory of the database of the server in this program' -r -F
complete -c dibber -n "__fish_dibber_using_subcommand skill; and __fish_seen_subcommand_from get" -l token-file -d 'The file that contains the token for the server; otherwise DIBBER_TOKEN' -r -F
complete -c dibber -n "__fish_dibber_using_subcommand skill; and __fish_seen_subcommand_from get" -l header -d 'Send this header with every request to the server (can be repeated)' -r
complete -c dibber -n "__fish_dibber_using_subcommand skill; and __fish_seen_subcommand_from get" -l timeout -d 'How long to wait for an answer, in seconds [default: 30]' -r
complete -c dibber -n "__fish_dibber_using_subcommand skill; and __fish_seen_subcommand_from get" -l color -d 'When to use colour: auto, always or never' -r -f -a "auto\t'If the output is a terminal and the environment does not forbid it'
always\t'Always'
never\t'Never'"
complete -c dibber -n "__fish_dibber_using_subcommand skill; and __fish_seen_subcommand_from get" -l json -d 'Print JSON'
complete -c dibber -n "__fish_dibber_using_subcommand skill; and __fish_seen_subcommand_from get" -s v -l verbose -d 'Show what a server that is a program writes to standard error'
complete -c dibber -n "__fish_dibber_using_subcommand skill; and __fish_seen_subcommand_from get" -s q -l quiet -d 'Print only results, warnings and errors'
complete -c dibber -n "__fish_dibber_using_subcommand skill; and __fish_seen_subcommand_from get" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c dibber -n "__fish_dibber_using_subcommand skill; and __fish_seen_subcommand_from update" -l name -d 'Another label' -r
complete -c dibber -n "__fish_dibber_using_subcommand skill; and __fish_seen_subcommand_from update" -l description -d 'Another summary' -r
complete -c dibber -n "__fish_dibber_using_subcommand skill; and __fish_seen_subcommand_from update" -l prompt-file -d 'Take another prompt from a file' -r -F
complete -c dibber -n "__fish_dibber_using_subcommand skill; and __fish_seen_subcommand_from update" -l kid-callable -d 'Whether a child may launch it: true or false' -r -f -a "true\t''
false\t''"
complete -c dibber -n "__fish_dibber_using_subcommand skill; and __fish_seen_subcommand_from update" -l age-range -d 'Other ages, such as 5-7' -r
complete -c dibber -n "__fish_dibber_using_subcommand skill; and __fish_seen_subcommand_from update" -l add-canvas -d 'Link this canvas (can be repeated)' -r
complete -c dibber -n "__fish_dibber_using_subcommand skill; and __fish_seen_subcommand_from update" -l remove-canvas -d 'Unlink this canvas (can be repeated)' -r
complete -c dibber -n "__fish_dibber_using_subcommand skill; and __fish_seen_subcommand_from update" -l server -d 'The server: a URL, `stdio:COMMAND`, a configured name, or `local`' -r
complete -c dibber -n "__fish_dibber_using_subcommand skill; and __fish_seen_subcommand_from update" -l data -d 'The directory of the database of the server in this program' -r -F
complete -c dibber -n "__fish_dibber_using_subcommand skill; and __fish_seen_subcommand_from update" -l token-file -d 'The file that contains the token for the server; otherwise DIBBER_TOKEN' -r -F
complete -c dibber -n "__fish_dibber_using_subcommand skill; and __fish_seen_subcommand_from update" -l header -d 'Send this header with every request to the server (can be repeated)' -r
complete -c dibber -n "__fish_dibber_using_subcommand skill; and __fish_seen_subcommand_from update" -l timeout -d 'How long to wait for an answer, in seconds [default: 30]' -r
complete -c dibber -n "__fish_dibber_using_subcommand skill; and __fish_seen_subcommand_from update" -l color -d 'When to use colour: auto, always or never' -r -f -a "auto\t'If the output is a terminal and the environment does not forbid it'
always\t'Always'
never\t'Never'"
complete -c dibber -n "__fish_dibber_using_subcommand skill; and __fish_seen_subcommand_from update" -s y -l yes -d 'Do it without asking'
complete -c dibber -n "__fish_dibber_using_subcommand skill; and __fish_seen_subcommand_from update" -s n -l dry-run -d 'Show what would be done, and change nothing'
complete -c dibber -n "__fish_dibber_using_subcommand skill; and __fish_seen_subcommand_from update" -l json -d 'Print JSON'
complete -c dibber -n "__fish_dibber_using_subcommand skill; and __fish_seen_subcommand_from update" -s v -l verbose -d 'Show what a server that is a program writes to standard error'
complete -c dibber -n "__fish_dibber_using_subcommand skill; and __fish_seen_subcommand_from update" -s q -l quiet -d 'Print only results, warnings and errors'
complete -c dibber -n "__fish_dibber_using_subcommand skill; and __fish_seen_subcommand_from update" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c dibber -n "__fish_dibber_using_subcommand skill; and __fish_seen_subcommand_from post-result" -l result-file -d 'Take the result from a file, or `-` for standard input' -r -F
complete -c dibber -n "__fish_dibber_using_subcommand skill; and __fish_seen_subcommand_from post-result" -l server -d 'The server: a URL, `stdio:COMMAND`, a configured name, or `local`' -r
complete -c dibber -n "__fish_dibber_using_subcommand skill; and __fish_seen_subcommand_from post-result" -l data -d 'The directory of the database of the server in this program' -r -F
complete -c dibber -n "__fish_dibber_using_subcommand skill; and __fish_seen_subcommand_from post-result" -l token-file -d 'The file that contains the token for the server; otherwise DIBBER_TOKEN' -r -F
complete -c dibber -n "__fish_dibber_using_subcommand skill; and __fish_seen_subcommand_from post-result" -l header -d 'Send this header with every request to the server (can be repeated)' -r
complete -c dibber -n "__fish_dibber_using_subcommand skill; and __fish_seen_subcommand_from post-result" -l timeout -d 'How long to wait for an answer, in seconds [default: 30]' -r
complete -c dibber -n "__fish_dibber_using_subcommand skill; and __fish_seen_subcommand_from post-result" -l color -d 'When to use colour: auto, always or never' -r -f -a "auto\t'If the output is a terminal and the environment does not forbid it'
always\t'Always'
never\t'Never'"
complete -c dibber -n "__fish_dibber_using_subcommand skill; and __fish_seen_subcommand_from post-result" -s n -l dry-run -d 'Show what would be done, and change nothing'
complete -c dibber -n "__fish_dibber_using_subcommand skill; and __fish_seen_subcommand_from post-result" -l json -d 'Print JSON, as the server answers'
complete -c dibber -n "__fish_dibber_using_subcommand skill; and __fish_seen_subcommand_from post-result" -s v -l verbose -d 'Show what a server that is a program writes to standard error'
complete -c dibber -n "__fish_dibber_using_subcommand skill; and __fish_seen_subcommand_from post-result" -s q -l quiet -d 'Print only results, warnings and errors'
complete -c dibber -n "__fish_dibber_using_subcommand skill; and __fish_seen_subcommand_from post-result" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c dibber -n "__fish_dibber_using_subcommand skill; and __fish_seen_subcommand_from archive" -l server -d 'The server: a URL, `stdio:COMMAND`, a configured name, or `local`' -r
complete -c dibber -n "__fish_dibber_using_subcommand skill; and __fish_seen_subcommand_from archive" -l data -d 'The directory of the database of the server in this program' -r -F
complete -c dibber -n "__fish_dibber_using_subcommand skill; and __fish_seen_subcommand_from archive" -l token-file -d 'The file that contains the token for the server; otherwise DIBBER_TOKEN' -r -F
complete -c dibber -n "__fish_dibber_using_subcommand skill; and __fish_seen_subcommand_from archive" -l header -d 'Send this header with every request to the server (can be repeated)' -r
complete -c dibber -n "__fish_dibber_using_subcommand skill; and __fish_seen_subcommand_from archive" -l timeout -d 'How long to wait for an answer, in seconds [default: 30]' -r
complete -c dibber -n "__fish_dibber_using_subcommand skill; and __fish_seen_subcommand_from archive" -l color -d 'When to use colour: auto, always or never' -r -f -a "auto\t'If the output is a terminal and the environment does not forbid it'
always\t'Always'
never\t'Never'"
complete -c dibber -n "__fish_dibber_using_subcommand skill; and __fish_seen_subcommand_from archive" -s y -l yes -d 'Do it without asking'
complete -c dibber -n "__fish_dibber_using_subcommand skill; and __fish_seen_subcommand_from archive" -s n -l dry-run -d 'Show what would be done, and change nothing'
complete -c dibber -n "__fish_dibber_using_subcommand skill; and __fish_seen_subcommand_from archive" -l json -d 'Print JSON'
complete -c dibber -n "__fish_dibber_using_subcommand skill; and __fish_seen_subcommand_from archive" -s v -l verbose -d 'Show what a server that is a program writes to standard error'
complete -c dibber -n "__fish_dibber_using_subcommand skill; and __fish_seen_subcommand_from archive" -s q -l quiet -d 'Print only results, warnings and errors'
complete -c dibber -n "__fish_dibber_using_subcommand skill; and __fish_seen_subcommand_from archive" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c dibber -n "__fish_dibber_using_subcommand skill; and __fish_seen_subcommand_from unarchive" -l server -d 'The server: a URL, `stdio:COMMAND`, a configured name, or `local`' -r
complete -c dibber -n "__fish_dibber_using_subcommand skill; and __fish_seen_subcommand_from unarchive" -l data -d 'The directory of the database of the server in this program' -r -F
complete -c dibber -n "__fish_dibber_using_subcommand skill; and __fish_seen_subcommand_from unarchive" -l token-file -d 'The file that contains the token for the server; otherwise DIBBER_TOKEN' -r -F
complete -c dibber -n "__fish_dibber_using_subcommand skill; and __fish_seen_subcommand_from unarchive" -l header -d 'Send this header with every request to the server (can be repeated)' -r
complete -c dibber -n "__fish_dibber_using_subcommand skill; and __fish_seen_subcommand_from unarchive" -l timeout -d 'How long to wait for an answer, in seconds [default: 30]' -r
complete -c dibber -n "__fish_dibber_using_subcommand skill; and __fish_seen_subcommand_from unarchive" -l color -d 'When to use colour: auto, always or never' -r -f -a "auto\t'If the output is a terminal and the environment does not forbid it'
always\t'Always'
never\t'Never'"
complete -c dibber -n "__fish_dibber_using_subcommand skill; and __fish_seen_subcommand_from unarchive" -s y -l yes -d 'Do it without asking'
complete -c dibber -n "__fish_dibber_using_subcommand skill; and __fish_seen_subcommand_from unarchive" -s n -l dry-run -d 'Show what would be done, and change nothing'
complete -c dibber -n "__fish_dibber_using_subcommand skill; and __fish_seen_subcommand_from unarchive" -l json -d 'Print JSON'
complete -c dibber -n "__fish_dibber_using_subcommand skill; and __fish_seen_subcommand_from unarchive" -s v -l verbose -d 'Show what a server that is a program writes to standard error'
complete -c dibber -n "__fish_dibber_using_subcommand skill; and __fish_seen_subcommand_from unarchive" -s q -l quiet -d 'Print only results, warnings and errors'
complete -c dibber -n "__fish_dibber_using_subcommand skill; and __fish_seen_subcommand_from unarchive" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c dibber -n "__fish_dibber_using_subcommand skill; and __fish_seen_subcommand_from link" -l server -d 'The server: a URL, `stdio:COMMAND`, a configured name, or `local`' -r
complete -c dibber -n "__fish_dibber_using_subcommand skill; and __fish_seen_subcommand_from link" -l data -d 'The directory of the database of the server in this program' -r -F
complete -c dibber -n "__fish_dibber_using_subcommand skill; and __fish_seen_subcommand_from link" -l token-file -d 'The file that contains the token for the server; otherwise DIBBER_TOKEN' -r -F
complete -c dibber -n "__fish_dibber_using_subcommand skill; and __fish_seen_subcommand_from link" -l header -d 'Send this header with every request to the server (can be repeated)' -r
complete -c dibber -n "__fish_dibber_using_subcommand skill; and __fish_seen_subcommand_from link" -l timeout -d 'How long to wait for an answer, in seconds [default: 30]' -r
complete -c dibber -n "__fish_dibber_using_subcommand skill; and __fish_seen_subcommand_from link" -l color -d 'When to use colour: auto, always or never' -r -f -a "auto\t'If the output is a terminal and the environment does not forbid it'
always\t'Always'
never\t'Never'"
complete -c dibber -n "__fish_dibber_using_subcommand skill; and __fish_seen_subcommand_from link" -s v -l verbose -d 'Show what a server that is a program writes to standard error'
complete -c dibber -n "__fish_dibber_using_subcommand skill; and __fish_seen_subcommand_from link" -s q -l quiet -d 'Print only results, warnings and errors'
complete -c dibber -n "__fish_dibber_using_subcommand skill; and __fish_seen_subcommand_from link" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c dibber -n "__fish_dibber_using_subcommand skill; and __fish_seen_subcommand_from unlink" -l server -d 'The server: a URL, `stdio:COMMAND`, a configured name, or `local`' -r
complete -c dibber -n "__fish_dibber_using_subcommand skill; and __fish_seen_subcommand_from unlink" -l data -d 'The directory of the database of the server in this program' -r -F
complete -c dibber -n "__fish_dibber_using_subcommand skill; and __fish_seen_subcommand_from unlink" -l token-file -d 'The file that contains the token for the server; otherwise DIBBER_TOKEN' -r -F
complete -c dibber -n "__fish_dibber_using_subcommand skill; and __fish_seen_subcommand_from unlink" -l header -d 'Send this header with every request to the server (can be repeated)' -r
complete -c dibber -n "__fish_dibber_using_subcommand skill; and __fish_seen_subcommand_from unlink" -l timeout -d 'How long to wait for an answer, in seconds [default: 30]' -r
complete -c dibber -n "__fish_dibber_using_subcommand skill; and __fish_seen_subcommand_from unlink" -l color -d 'When to use colour: auto, always or never' -r -f -a "auto\t'If the output is a terminal and the environment does not forbid it'
always\t'Always'
never\t'Never'"
complete -c dibber -n "__fish_dibber_using_subcommand skill; and __fish_seen_subcommand_from unlink" -s v -l verbose -d 'Show what a server that is a program writes to standard error'
complete -c dibber -n "__fish_dibber_using_subcommand skill; and __fish_seen_subcommand_from unlink" -s q -l quiet -d 'Print only results, warnings and errors'
complete -c dibber -n "__fish_dibber_using_subcommand skill; and __fish_seen_subcommand_from unlink" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and not __fish_seen_subcommand_from preview create describe list edit pause resume cancel members" -l color -d 'When to use colour: auto, always or never' -r -f -a "auto\t'If the output is a terminal and the environment does not forbid it'
always\t'Always'
never\t'Never'"
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and not __fish_seen_subcommand_from preview create describe list edit pause resume cancel members" -s q -l quiet -d 'Print only results, warnings and errors'
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and not __fish_seen_subcommand_from preview create describe list edit pause resume cancel members" -s h -l help -d 'Print help'
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and not __fish_seen_subcommand_from preview create describe list edit pause resume cancel members" -f -a "preview" -d 'Show when heartbeats fire, in words and times, without a server'
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and not __fish_seen_subcommand_from preview create describe list edit pause resume cancel members" -f -a "create" -d 'Make heartbeats, from options or from sprout.yaml'
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and not __fish_seen_subcommand_from preview create describe list edit pause resume cancel members" -f -a "describe" -d 'Preview heartbeats on the server, and make none'
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and not __fish_seen_subcommand_from preview create describe list edit pause resume cancel members" -f -a "list" -d 'List the heartbeats of the family'
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and not __fish_seen_subcommand_from preview create describe list edit pause resume cancel members" -f -a "edit" -d 'Change the schedule or the name of a heartbeat'
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and not __fish_seen_subcommand_from preview create describe list edit pause resume cancel members" -f -a "pause" -d 'Pause heartbeats until they are resumed'
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and not __fish_seen_subcommand_from preview create describe list edit pause resume cancel members" -f -a "resume" -d 'Resume paused heartbeats'
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and not __fish_seen_subcommand_from preview create describe list edit pause resume cancel members" -f -a "cancel" -d 'Cancel heartbeats for good; to stop one for a while, pause it'
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and not __fish_seen_subcommand_from preview create describe list edit pause resume cancel members" -f -a "members" -d 'Change who takes part in a heartbeat'
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from preview" -l cron-file -d 'Read a crontab, or a list: a schedule on each line, or a schedule, a time zone and a name with tabs between them; several are shown as a table' -r -F
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from preview" -l tz -d 'The time zone of typed and listed schedules [default: that of this computer]' -r
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from preview" -l from -d 'Show the fires after this time, as RFC 3339 or in the zone of the first schedule; of a date, the whole day [default: now]' -r
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from preview" -s n -d 'The number of fires to show [default: 5]; with it, each schedule of a list has its page' -r
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from preview" -l within -d 'Report fires that are at most so many minutes apart as conflicts' -r
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from preview" -l clock -d 'Write times on a 12-hour or a 24-hour clock' -r -f -a "12\t''
24\t''"
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from preview" -l picture -d 'Draw a week by the hour, or a year by the day' -r -f -a "week\t'A row for each day, a column for each hour'
year\t'A row for each month, a column for each day'"
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from preview" -l svg -d 'Write that picture to a file, as SVG; a week unless `--picture` says otherwise; `-` prints it alone' -r
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from preview" -l ics -d 'Write the fires to a file, as a calendar for other programs; `-` prints it alone' -r
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from preview" -l days -d 'The number of days in the calendar' -r
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from preview" -l color -d 'When to use colour: auto, always or never' -r -f -a "auto\t'If the output is a terminal and the environment does not forbid it'
always\t'Always'
never\t'Never'"
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from preview" -l together -d 'Count all schedules together against the cap'
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from preview" -l json -d 'Print JSON, with the field names of a server\'s answer'
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from preview" -s q -l quiet -d 'Print only results, warnings and errors'
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from preview" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from create" -l cron -d 'When it fires, in quotes: words, such as `weekdays at 7:30pm`, or five fields of cron' -r
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from create" -l tz -d 'The time zone of the schedule [default: that of this computer]' -r
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from create" -l skill -d 'The skill that it runs: its folder, its label or its id' -r
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from create" -l assignment-skill -d 'The skill that creates the schedule, if any' -r
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from create" -l child -d 'The id of the child that it is for; `dibber family show` lists them' -r
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from create" -l chat -d 'The id of the chat whose participants it gets; otherwise the family\'s' -r
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from create" -l input -d 'The value of an input of the skill; `NAME:=JSON` for a value that is not a string (can be repeated)' -r
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from create" -l only -d 'Only the heartbeat of that name in sprout.yaml (can be repeated)' -r
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from create" -l server -d 'The server: a URL, `stdio:COMMAND`, a configured name, or `local`' -r
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from create" -l data -d 'The directory of the database of the server in this program' -r -F
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from create" -l token-file -d 'The file that contains the token for the server; otherwise DIBBER_TOKEN' -r -F
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from create" -l header -d 'Send this header with every request to the server (can be repeated)' -r
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from create" -l timeout -d 'How long to wait for an answer, in seconds [default: 30]' -r
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from create" -l color -d 'When to use colour: auto, always or never' -r -f -a "auto\t'If the output is a terminal and the environment does not forbid it'
always\t'Always'
never\t'Never'"
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from create" -l post-result -d 'Post the result of each run to the family\'s inbox'
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from create" -s y -l yes -d 'Do it without asking'
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from create" -s n -l dry-run -d 'Show what would be done, and change nothing'
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from create" -l force -d 'Change heartbeats that were changed on the server since they were set from here, too'
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from create" -l json -d 'Print JSON'
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from create" -s v -l verbose -d 'Show what a server that is a program writes to standard error'
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from create" -s q -l quiet -d 'Print only results, warnings and errors'
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from create" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from describe" -l cron -d 'When it fires, in quotes: words, such as `weekdays at 7:30pm`, or five fields of cron' -r
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from describe" -l tz -d 'The time zone of the schedule [default: that of this computer]' -r
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from describe" -l skill -d 'The skill that it runs: its folder, its label or its id' -r
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from describe" -l assignment-skill -d 'The skill that creates the schedule, if any' -r
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from describe" -l child -d 'The id of the child that it is for; `dibber family show` lists them' -r
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from describe" -l chat -d 'The id of the chat whose participants it gets; otherwise the family\'s' -r
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from describe" -l input -d 'The value of an input of the skill; `NAME:=JSON` for a value that is not a string (can be repeated)' -r
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from describe" -l only -d 'Only the heartbeat of that name in sprout.yaml (can be repeated)' -r
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from describe" -l server -d 'The server: a URL, `stdio:COMMAND`, a configured name, or `local`' -r
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from describe" -l data -d 'The directory of the database of the server in this program' -r -F
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from describe" -l token-file -d 'The file that contains the token for the server; otherwise DIBBER_TOKEN' -r -F
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from describe" -l header -d 'Send this header with every request to the server (can be repeated)' -r
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from describe" -l timeout -d 'How long to wait for an answer, in seconds [default: 30]' -r
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from describe" -l color -d 'When to use colour: auto, always or never' -r -f -a "auto\t'If the output is a terminal and the environment does not forbid it'
always\t'Always'
never\t'Never'"
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from describe" -l post-result -d 'Post the result of each run to the family\'s inbox'
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from describe" -l json -d 'Print JSON'
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from describe" -s v -l verbose -d 'Show what a server that is a program writes to standard error'
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from describe" -s q -l quiet -d 'Print only results, warnings and errors'
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from describe" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from list" -l server -d 'The server: a URL, `stdio:COMMAND`, a configured name, or `local`' -r
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from list" -l data -d 'The directory of the database of the server in this program' -r -F
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from list" -l token-file -d 'The file that contains the token for the server; otherwise DIBBER_TOKEN' -r -F
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from list" -l header -d 'Send this header with every request to the server (can be repeated)' -r
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from list" -l timeout -d 'How long to wait for an answer, in seconds [default: 30]' -r
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from list" -l color -d 'When to use colour: auto, always or never' -r -f -a "auto\t'If the output is a terminal and the environment does not forbid it'
always\t'Always'
never\t'Never'"
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from list" -l json -d 'Print JSON'
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from list" -s v -l verbose -d 'Show what a server that is a program writes to standard error'
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from list" -s q -l quiet -d 'Print only results, warnings and errors'
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from list" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from edit" -l cron -d 'When it fires, in quotes: words, such as `weekdays at 7:30pm`, or five fields of cron' -r
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from edit" -l tz -d 'The time zone of the schedule' -r
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from edit" -l name -d 'Another name' -r
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from edit" -l text -d 'Another text, for a heartbeat that runs no skill' -r
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from edit" -l server -d 'The server: a URL, `stdio:COMMAND`, a configured name, or `local`' -r
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from edit" -l data -d 'The directory of the database of the server in this program' -r -F
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from edit" -l token-file -d 'The file that contains the token for the server; otherwise DIBBER_TOKEN' -r -F
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from edit" -l header -d 'Send this header with every request to the server (can be repeated)' -r
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from edit" -l timeout -d 'How long to wait for an answer, in seconds [default: 30]' -r
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from edit" -l color -d 'When to use colour: auto, always or never' -r -f -a "auto\t'If the output is a terminal and the environment does not forbid it'
always\t'Always'
never\t'Never'"
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from edit" -l json -d 'Print JSON'
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from edit" -s y -l yes -d 'Do it without asking'
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from edit" -s n -l dry-run -d 'Show what would be done, and change nothing'
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from edit" -s v -l verbose -d 'Show what a server that is a program writes to standard error'
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from edit" -s q -l quiet -d 'Print only results, warnings and errors'
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from edit" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from pause" -l server -d 'The server: a URL, `stdio:COMMAND`, a configured name, or `local`' -r
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from pause" -l data -d 'The directory of the database of the server in this program' -r -F
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from pause" -l token-file -d 'The file that contains the token for the server; otherwise DIBBER_TOKEN' -r -F
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from pause" -l header -d 'Send this header with every request to the server (can be repeated)' -r
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from pause" -l timeout -d 'How long to wait for an answer, in seconds [default: 30]' -r
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from pause" -l color -d 'When to use colour: auto, always or never' -r -f -a "auto\t'If the output is a terminal and the environment does not forbid it'
always\t'Always'
never\t'Never'"
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from pause" -s n -l dry-run -d 'Show what would be done, and change nothing'
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from pause" -l json -d 'Print JSON'
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from pause" -s v -l verbose -d 'Show what a server that is a program writes to standard error'
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from pause" -s q -l quiet -d 'Print only results, warnings and errors'
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from pause" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from resume" -l server -d 'The server: a URL, `stdio:COMMAND`, a configured name, or `local`' -r
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from resume" -l data -d 'The directory of the database of the server in this program' -r -F
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from resume" -l token-file -d 'The file that contains the token for the server; otherwise DIBBER_TOKEN' -r -F
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from resume" -l header -d 'Send this header with every request to the server (can be repeated)' -r
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from resume" -l timeout -d 'How long to wait for an answer, in seconds [default: 30]' -r
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from resume" -l color -d 'When to use colour: auto, always or never' -r -f -a "auto\t'If the output is a terminal and the environment does not forbid it'
always\t'Always'
never\t'Never'"
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from resume" -s n -l dry-run -d 'Show what would be done, and change nothing'
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from resume" -l json -d 'Print JSON'
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from resume" -s v -l verbose -d 'Show what a server that is a program writes to standard error'
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from resume" -s q -l quiet -d 'Print only results, warnings and errors'
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from resume" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from cancel" -l server -d 'The server: a URL, `stdio:COMMAND`, a configured name, or `local`' -r
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from cancel" -l data -d 'The directory of the database of the server in this program' -r -F
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from cancel" -l token-file -d 'The file that contains the token for the server; otherwise DIBBER_TOKEN' -r -F
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from cancel" -l header -d 'Send this header with every request to the server (can be repeated)' -r
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from cancel" -l timeout -d 'How long to wait for an answer, in seconds [default: 30]' -r
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from cancel" -l color -d 'When to use colour: auto, always or never' -r -f -a "auto\t'If the output is a terminal and the environment does not forbid it'
always\t'Always'
never\t'Never'"
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from cancel" -s n -l dry-run -d 'Show what would be done, and change nothing'
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from cancel" -l json -d 'Print JSON'
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from cancel" -s y -l yes -d 'Do it without asking'
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from cancel" -s v -l verbose -d 'Show what a server that is a program writes to standard error'
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from cancel" -s q -l quiet -d 'Print only results, warnings and errors'
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from cancel" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from members" -l add -d 'Add this grown-up' -r
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from members" -l remove -d 'Remove this grown-up' -r
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from members" -l promote -d 'Make this grown-up an admin' -r
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from members" -l server -d 'The server: a URL, `stdio:COMMAND`, a configured name, or `local`' -r
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from members" -l data -d 'The directory of the database of the server in this program' -r -F
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from members" -l token-file -d 'The file that contains the token for the server; otherwise DIBBER_TOKEN' -r -F
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from members" -l header -d 'Send this header with every request to the server (can be repeated)' -r
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from members" -l timeout -d 'How long to wait for an answer, in seconds [default: 30]' -r
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from members" -l color -d 'When to use colour: auto, always or never' -r -f -a "auto\t'If the output is a terminal and the environment does not forbid it'
always\t'Always'
never\t'Never'"
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from members" -l json -d 'Print JSON'
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from members" -s n -l dry-run -d 'Show what would be done, and change nothing'
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from members" -l leave -d 'Leave it yourself'
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from members" -s v -l verbose -d 'Show what a server that is a program writes to standard error'
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from members" -s q -l quiet -d 'Print only results, warnings and errors'
complete -c dibber -n "__fish_dibber_using_subcommand heartbeat; and __fish_seen_subcommand_from members" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c dibber -n "__fish_dibber_using_subcommand serve" -l listen -d 'The address and port to listen on; port 0 takes a free one' -r
complete -c dibber -n "__fish_dibber_using_subcommand serve" -l tls-cert -d 'Encrypt connections (HTTPS) with the certificate in this PEM file, which its chain follows' -r -F
complete -c dibber -n "__fish_dibber_using_subcommand serve" -l tls-key -d 'The private key of the certificate, in a PEM file' -r -F
complete -c dibber -n "__fish_dibber_using_subcommand serve" -l data -d 'The directory of the database and the token; the default is `DIBBER_DATA`, or your state directory' -r -F
complete -c dibber -n "__fish_dibber_using_subcommand serve" -l log -d 'The format of the log: human or json' -r -f -a "human\t'For people'
json\t'A JSON object on each line'"
complete -c dibber -n "__fish_dibber_using_subcommand serve" -l print-config -d 'Print the configuration that an MCP client needs for this server, and start nothing' -r -f -a "claude-code\t''
claude-desktop\t''
vscode\t''
cursor\t''
codex\t''
gemini\t''"
complete -c dibber -n "__fish_dibber_using_subcommand serve" -l color -d 'When to use colour: auto, always or never' -r -f -a "auto\t'If the output is a terminal and the environment does not forbid it'
always\t'Always'
never\t'Never'"
complete -c dibber -n "__fish_dibber_using_subcommand serve" -l stdio -d 'Use standard input and output instead, one message per line'
complete -c dibber -n "__fish_dibber_using_subcommand serve" -s q -l quiet -d 'Print only results, warnings and errors'
complete -c dibber -n "__fish_dibber_using_subcommand serve" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c dibber -n "__fish_dibber_using_subcommand family; and not __fish_seen_subcommand_from show add-child add-member add-canvas archive-skill token" -l family -d 'Another family of the same database' -r
complete -c dibber -n "__fish_dibber_using_subcommand family; and not __fish_seen_subcommand_from show add-child add-member add-canvas archive-skill token" -l data -d 'The directory of the database of the server in this program' -r -F
complete -c dibber -n "__fish_dibber_using_subcommand family; and not __fish_seen_subcommand_from show add-child add-member add-canvas archive-skill token" -l color -d 'When to use colour: auto, always or never' -r -f -a "auto\t'If the output is a terminal and the environment does not forbid it'
always\t'Always'
never\t'Never'"
complete -c dibber -n "__fish_dibber_using_subcommand family; and not __fish_seen_subcommand_from show add-child add-member add-canvas archive-skill token" -s q -l quiet -d 'Print only results, warnings and errors'
complete -c dibber -n "__fish_dibber_using_subcommand family; and not __fish_seen_subcommand_from show add-child add-member add-canvas archive-skill token" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c dibber -n "__fish_dibber_using_subcommand family; and not __fish_seen_subcommand_from show add-child add-member add-canvas archive-skill token" -f -a "show" -d 'Show the family: ids, ages and canvases, but no name of a child'
complete -c dibber -n "__fish_dibber_using_subcommand family; and not __fish_seen_subcommand_from show add-child add-member add-canvas archive-skill token" -f -a "add-child" -d 'Add a child; skills that contain its name are refused from then on'
complete -c dibber -n "__fish_dibber_using_subcommand family; and not __fish_seen_subcommand_from show add-child add-member add-canvas archive-skill token" -f -a "add-member" -d 'Add a grown-up'
complete -c dibber -n "__fish_dibber_using_subcommand family; and not __fish_seen_subcommand_from show add-child add-member add-canvas archive-skill token" -f -a "add-canvas" -d 'Add a canvas that skills can link'
complete -c dibber -n "__fish_dibber_using_subcommand family; and not __fish_seen_subcommand_from show add-child add-member add-canvas archive-skill token" -f -a "archive-skill" -d 'Archive a skill, so that it can no longer be run'
complete -c dibber -n "__fish_dibber_using_subcommand family; and not __fish_seen_subcommand_from show add-child add-member add-canvas archive-skill token" -f -a "token" -d 'Issue, list or revoke tokens for `dibber serve`'
complete -c dibber -n "__fish_dibber_using_subcommand family; and __fish_seen_subcommand_from show" -l family -d 'Another family of the same database' -r
complete -c dibber -n "__fish_dibber_using_subcommand family; and __fish_seen_subcommand_from show" -l data -d 'The directory of the database of the server in this program' -r -F
complete -c dibber -n "__fish_dibber_using_subcommand family; and __fish_seen_subcommand_from show" -l color -d 'When to use colour: auto, always or never' -r -f -a "auto\t'If the output is a terminal and the environment does not forbid it'
always\t'Always'
never\t'Never'"
complete -c dibber -n "__fish_dibber_using_subcommand family; and __fish_seen_subcommand_from show" -l json -d 'Print JSON'
complete -c dibber -n "__fish_dibber_using_subcommand family; and __fish_seen_subcommand_from show" -s q -l quiet -d 'Print only results, warnings and errors'
complete -c dibber -n "__fish_dibber_using_subcommand family; and __fish_seen_subcommand_from show" -s h -l help -d 'Print help'
complete -c dibber -n "__fish_dibber_using_subcommand family; and __fish_seen_subcommand_from add-child" -l born -d 'The date of birth, such as 2019-04-30' -r
complete -c dibber -n "__fish_dibber_using_subcommand family; and __fish_seen_subcommand_from add-child" -l name -d 'The name, or `-` to read it from standard input; a name that is typed here stays in the history of your shell' -r
complete -c dibber -n "__fish_dibber_using_subcommand family; and __fish_seen_subcommand_from add-child" -l family -d 'Another family of the same database' -r
complete -c dibber -n "__fish_dibber_using_subcommand family; and __fish_seen_subcommand_from add-child" -l data -d 'The directory of the database of the server in this program' -r -F
complete -c dibber -n "__fish_dibber_using_subcommand family; and __fish_seen_subcommand_from add-child" -l color -d 'When to use colour: auto, always or never' -r -f -a "auto\t'If the output is a terminal and the environment does not forbid it'
always\t'Always'
never\t'Never'"
complete -c dibber -n "__fish_dibber_using_subcommand family; and __fish_seen_subcommand_from add-child" -l json -d 'Print JSON'
complete -c dibber -n "__fish_dibber_using_subcommand family; and __fish_seen_subcommand_from add-child" -s q -l quiet -d 'Print only results, warnings and errors'
complete -c dibber -n "__fish_dibber_using_subcommand family; and __fish_seen_subcommand_from add-child" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c dibber -n "__fish_dibber_using_subcommand family; and __fish_seen_subcommand_from add-member" -l family -d 'Another family of the same database' -r
complete -c dibber -n "__fish_dibber_using_subcommand family; and __fish_seen_subcommand_from add-member" -l data -d 'The directory of the database of the server in this program' -r -F
complete -c dibber -n "__fish_dibber_using_subcommand family; and __fish_seen_subcommand_from add-member" -l color -d 'When to use colour: auto, always or never' -r -f -a "auto\t'If the output is a terminal and the environment does not forbid it'
always\t'Always'
never\t'Never'"
complete -c dibber -n "__fish_dibber_using_subcommand family; and __fish_seen_subcommand_from add-member" -l json -d 'Print JSON'
complete -c dibber -n "__fish_dibber_using_subcommand family; and __fish_seen_subcommand_from add-member" -s q -l quiet -d 'Print only results, warnings and errors'
complete -c dibber -n "__fish_dibber_using_subcommand family; and __fish_seen_subcommand_from add-member" -s h -l help -d 'Print help'
complete -c dibber -n "__fish_dibber_using_subcommand family; and __fish_seen_subcommand_from add-canvas" -l emoji -d 'An emoji for it' -r
complete -c dibber -n "__fish_dibber_using_subcommand family; and __fish_seen_subcommand_from add-canvas" -l ages -d 'The ages that it is for, such as 5-7; skills cannot link a canvas without them' -r
complete -c dibber -n "__fish_dibber_using_subcommand family; and __fish_seen_subcommand_from add-canvas" -l family -d 'Another family of the same database' -r
complete -c dibber -n "__fish_dibber_using_subcommand family; and __fish_seen_subcommand_from add-canvas" -l data -d 'The directory of the database of the server in this program' -r -F
complete -c dibber -n "__fish_dibber_using_subcommand family; and __fish_seen_subcommand_from add-canvas" -l color -d 'When to use colour: auto, always or never' -r -f -a "auto\t'If the output is a terminal and the environment does not forbid it'
always\t'Always'
never\t'Never'"
complete -c dibber -n "__fish_dibber_using_subcommand family; and __fish_seen_subcommand_from add-canvas" -l json -d 'Print JSON'
complete -c dibber -n "__fish_dibber_using_subcommand family; and __fish_seen_subcommand_from add-canvas" -s q -l quiet -d 'Print only results, warnings and errors'
complete -c dibber -n "__fish_dibber_using_subcommand family; and __fish_seen_subcommand_from add-canvas" -s h -l help -d 'Print help'
complete -c dibber -n "__fish_dibber_using_subcommand family; and __fish_seen_subcommand_from archive-skill" -l family -d 'Another family of the same database' -r
complete -c dibber -n "__fish_dibber_using_subcommand family; and __fish_seen_subcommand_from archive-skill" -l data -d 'The directory of the database of the server in this program' -r -F
complete -c dibber -n "__fish_dibber_using_subcommand family; and __fish_seen_subcommand_from archive-skill" -l color -d 'When to use colour: auto, always or never' -r -f -a "auto\t'If the output is a terminal and the environment does not forbid it'
always\t'Always'
never\t'Never'"
complete -c dibber -n "__fish_dibber_using_subcommand family; and __fish_seen_subcommand_from archive-skill" -s y -l yes -d 'Do it without asking'
complete -c dibber -n "__fish_dibber_using_subcommand family; and __fish_seen_subcommand_from archive-skill" -s n -l dry-run -d 'Show what would be done, and change nothing'
complete -c dibber -n "__fish_dibber_using_subcommand family; and __fish_seen_subcommand_from archive-skill" -s q -l quiet -d 'Print only results, warnings and errors'
complete -c dibber -n "__fish_dibber_using_subcommand family; and __fish_seen_subcommand_from archive-skill" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c dibber -n "__fish_dibber_using_subcommand family; and __fish_seen_subcommand_from token" -l member -d 'The id of the grown-up; the default is the one who founded the family' -r
complete -c dibber -n "__fish_dibber_using_subcommand family; and __fish_seen_subcommand_from token" -l scope -d 'A scope of the token, such as `skill:read` (can be repeated); the default is every scope' -r
complete -c dibber -n "__fish_dibber_using_subcommand family; and __fish_seen_subcommand_from token" -l name -d 'A name for the token, which `--list` shows' -r
complete -c dibber -n "__fish_dibber_using_subcommand family; and __fish_seen_subcommand_from token" -l expires -d 'How long the token is valid, such as 30d, 12h or 1y; the default is until it is revoked' -r
complete -c dibber -n "__fish_dibber_using_subcommand family; and __fish_seen_subcommand_from token" -s o -l output -d 'Issue a token, and write it to a file that only you will be able to read; `-` prints it' -r
complete -c dibber -n "__fish_dibber_using_subcommand family; and __fish_seen_subcommand_from token" -l revoke -d 'Revoke the token with this id (can be repeated)' -r
complete -c dibber -n "__fish_dibber_using_subcommand family; and __fish_seen_subcommand_from token" -l family -d 'Another family of the same database' -r
complete -c dibber -n "__fish_dibber_using_subcommand family; and __fish_seen_subcommand_from token" -l data -d 'The directory of the database of the server in this program' -r -F
complete -c dibber -n "__fish_dibber_using_subcommand family; and __fish_seen_subcommand_from token" -l color -d 'When to use colour: auto, always or never' -r -f -a "auto\t'If the output is a terminal and the environment does not forbid it'
always\t'Always'
never\t'Never'"
complete -c dibber -n "__fish_dibber_using_subcommand family; and __fish_seen_subcommand_from token" -l force -d 'Replace the file if it exists'
complete -c dibber -n "__fish_dibber_using_subcommand family; and __fish_seen_subcommand_from token" -l list -d 'List the tokens of the family: ids, names, scopes and times, but no secret'
complete -c dibber -n "__fish_dibber_using_subcommand family; and __fish_seen_subcommand_from token" -l json -d 'Print the list as JSON'
complete -c dibber -n "__fish_dibber_using_subcommand family; and __fish_seen_subcommand_from token" -l revoke-all -d 'Revoke every token of the grown-up, including that of `dibber serve`'
complete -c dibber -n "__fish_dibber_using_subcommand family; and __fish_seen_subcommand_from token" -s q -l quiet -d 'Print only results, warnings and errors'
complete -c dibber -n "__fish_dibber_using_subcommand family; and __fish_seen_subcommand_from token" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c dibber -n "__fish_dibber_using_subcommand doctor" -l data -d 'The directory of the database; the default is `DIBBER_DATA`, or your state directory' -r -F
complete -c dibber -n "__fish_dibber_using_subcommand doctor" -l color -d 'When to use colour: auto, always or never' -r -f -a "auto\t'If the output is a terminal and the environment does not forbid it'
always\t'Always'
never\t'Never'"
complete -c dibber -n "__fish_dibber_using_subcommand doctor" -l database -d 'Check only the database'
complete -c dibber -n "__fish_dibber_using_subcommand doctor" -l json -d 'Print JSON'
complete -c dibber -n "__fish_dibber_using_subcommand doctor" -s q -l quiet -d 'Print only results, warnings and errors'
complete -c dibber -n "__fish_dibber_using_subcommand doctor" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c dibber -n "__fish_dibber_using_subcommand status" -l server -d 'The server: a URL, `stdio:COMMAND`, a configured name, or `local`' -r
complete -c dibber -n "__fish_dibber_using_subcommand status" -l data -d 'The directory of the database of the server in this program' -r -F
complete -c dibber -n "__fish_dibber_using_subcommand status" -l token-file -d 'The file that contains the token for the server; otherwise DIBBER_TOKEN' -r -F
complete -c dibber -n "__fish_dibber_using_subcommand status" -l header -d 'Send this header with every request to the server (can be repeated)' -r
complete -c dibber -n "__fish_dibber_using_subcommand status" -l timeout -d 'How long to wait for an answer, in seconds [default: 30]' -r
complete -c dibber -n "__fish_dibber_using_subcommand status" -l color -d 'When to use colour: auto, always or never' -r -f -a "auto\t'If the output is a terminal and the environment does not forbid it'
always\t'Always'
never\t'Never'"
complete -c dibber -n "__fish_dibber_using_subcommand status" -l json -d 'Print JSON'
complete -c dibber -n "__fish_dibber_using_subcommand status" -s v -l verbose -d 'Show what a server that is a program writes to standard error'
complete -c dibber -n "__fish_dibber_using_subcommand status" -s q -l quiet -d 'Print only results, warnings and errors'
complete -c dibber -n "__fish_dibber_using_subcommand status" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c dibber -n "__fish_dibber_using_subcommand servers" -l color -d 'When to use colour: auto, always or never' -r -f -a "auto\t'If the output is a terminal and the environment does not forbid it'
always\t'Always'
never\t'Never'"
complete -c dibber -n "__fish_dibber_using_subcommand servers" -l json -d 'Print JSON'
complete -c dibber -n "__fish_dibber_using_subcommand servers" -s q -l quiet -d 'Print only results, warnings and errors'
complete -c dibber -n "__fish_dibber_using_subcommand servers" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c dibber -n "__fish_dibber_using_subcommand tools" -l server -d 'The server: a URL, `stdio:COMMAND`, a configured name, or `local`' -r
complete -c dibber -n "__fish_dibber_using_subcommand tools" -l data -d 'The directory of the database of the server in this program' -r -F
complete -c dibber -n "__fish_dibber_using_subcommand tools" -l token-file -d 'The file that contains the token for the server; otherwise DIBBER_TOKEN' -r -F
complete -c dibber -n "__fish_dibber_using_subcommand tools" -l header -d 'Send this header with every request to the server (can be repeated)' -r
complete -c dibber -n "__fish_dibber_using_subcommand tools" -l timeout -d 'How long to wait for an answer, in seconds [default: 30]' -r
complete -c dibber -n "__fish_dibber_using_subcommand tools" -l color -d 'When to use colour: auto, always or never' -r -f -a "auto\t'If the output is a terminal and the environment does not forbid it'
always\t'Always'
never\t'Never'"
complete -c dibber -n "__fish_dibber_using_subcommand tools" -l json -d 'Print JSON'
complete -c dibber -n "__fish_dibber_using_subcommand tools" -s v -l verbose -d 'Show what a server that is a program writes to standard error'
complete -c dibber -n "__fish_dibber_using_subcommand tools" -s q -l quiet -d 'Print only results, warnings and errors'
complete -c dibber -n "__fish_dibber_using_subcommand tools" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c dibber -n "__fish_dibber_using_subcommand call" -l args-json -d 'The file with all arguments, a JSON object; `-` for standard input' -r -F
complete -c dibber -n "__fish_dibber_using_subcommand call" -l idempotency-key -d 'The idempotency key, in place of a new one; it asserts that the server honours keys' -r
complete -c dibber -n "__fish_dibber_using_subcommand call" -s o -l output -d 'Save images, audio and other bytes of the answer as new files in this directory' -r -F
complete -c dibber -n "__fish_dibber_using_subcommand call" -l server -d 'The server: a URL, `stdio:COMMAND`, a configured name, or `local`' -r
complete -c dibber -n "__fish_dibber_using_subcommand call" -l data -d 'The directory of the database of the server in this program' -r -F
complete -c dibber -n "__fish_dibber_using_subcommand call" -l token-file -d 'The file that contains the token for the server; otherwise DIBBER_TOKEN' -r -F
complete -c dibber -n "__fish_dibber_using_subcommand call" -l header -d 'Send this header with every request to the server (can be repeated)' -r
complete -c dibber -n "__fish_dibber_using_subcommand call" -l timeout -d 'How long to wait for an answer, in seconds [default: 30]' -r
complete -c dibber -n "__fish_dibber_using_subcommand call" -l color -d 'When to use colour: auto, always or never' -r -f -a "auto\t'If the output is a terminal and the environment does not forbid it'
always\t'Always'
never\t'Never'"
complete -c dibber -n "__fish_dibber_using_subcommand call" -l json -d 'Print the result as the server sent it, as JSON'
complete -c dibber -n "__fish_dibber_using_subcommand call" -l no-check -d 'Send the arguments even if they do not match the schema of the tool, which may be wrong'
complete -c dibber -n "__fish_dibber_using_subcommand call" -l new -d 'Send the call even if the outcome of an earlier identical call is unknown'
complete -c dibber -n "__fish_dibber_using_subcommand call" -s v -l verbose -d 'Show what a server that is a program writes to standard error'
complete -c dibber -n "__fish_dibber_using_subcommand call" -s q -l quiet -d 'Print only results, warnings and errors'
complete -c dibber -n "__fish_dibber_using_subcommand call" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c dibber -n "__fish_dibber_using_subcommand resources" -l server -d 'The server: a URL, `stdio:COMMAND`, a configured name, or `local`' -r
complete -c dibber -n "__fish_dibber_using_subcommand resources" -l data -d 'The directory of the database of the server in this program' -r -F
complete -c dibber -n "__fish_dibber_using_subcommand resources" -l token-file -d 'The file that contains the token for the server; otherwise DIBBER_TOKEN' -r -F
complete -c dibber -n "__fish_dibber_using_subcommand resources" -l header -d 'Send this header with every request to the server (can be repeated)' -r
complete -c dibber -n "__fish_dibber_using_subcommand resources" -l timeout -d 'How long to wait for an answer, in seconds [default: 30]' -r
complete -c dibber -n "__fish_dibber_using_subcommand resources" -l color -d 'When to use colour: auto, always or never' -r -f -a "auto\t'If the output is a terminal and the environment does not forbid it'
always\t'Always'
never\t'Never'"
complete -c dibber -n "__fish_dibber_using_subcommand resources" -l json -d 'Print JSON'
complete -c dibber -n "__fish_dibber_using_subcommand resources" -s v -l verbose -d 'Show what a server that is a program writes to standard error'
complete -c dibber -n "__fish_dibber_using_subcommand resources" -s q -l quiet -d 'Print only results, warnings and errors'
complete -c dibber -n "__fish_dibber_using_subcommand resources" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c dibber -n "__fish_dibber_using_subcommand resource; and not __fish_seen_subcommand_from read" -l color -d 'When to use colour: auto, always or never' -r -f -a "auto\t'If the output is a terminal and the environment does not forbid it'
always\t'Always'
never\t'Never'"
complete -c dibber -n "__fish_dibber_using_subcommand resource; and not __fish_seen_subcommand_from read" -s q -l quiet -d 'Print only results, warnings and errors'
complete -c dibber -n "__fish_dibber_using_subcommand resource; and not __fish_seen_subcommand_from read" -s h -l help -d 'Print help'
complete -c dibber -n "__fish_dibber_using_subcommand resource; and not __fish_seen_subcommand_from read" -f -a "read" -d 'Print a resource of the server'
complete -c dibber -n "__fish_dibber_using_subcommand resource; and __fish_seen_subcommand_from read" -s o -l output -d 'Save bytes that are not text as new files in this directory' -r -F
complete -c dibber -n "__fish_dibber_using_subcommand resource; and __fish_seen_subcommand_from read" -l server -d 'The server: a URL, `stdio:COMMAND`, a configured name, or `local`' -r
complete -c dibber -n "__fish_dibber_using_subcommand resource; and __fish_seen_subcommand_from read" -l data -d 'The directory of the database of the server in this program' -r -F
complete -c dibber -n "__fish_dibber_using_subcommand resource; and __fish_seen_subcommand_from read" -l token-file -d 'The file that contains the token for the server; otherwise DIBBER_TOKEN' -r -F
complete -c dibber -n "__fish_dibber_using_subcommand resource; and __fish_seen_subcommand_from read" -l header -d 'Send this header with every request to the server (can be repeated)' -r
complete -c dibber -n "__fish_dibber_using_subcommand resource; and __fish_seen_subcommand_from read" -l timeout -d 'How long to wait for an answer, in seconds [default: 30]' -r
complete -c dibber -n "__fish_dibber_using_subcommand resource; and __fish_seen_subcommand_from read" -l color -d 'When to use colour: auto, always or never' -r -f -a "auto\t'If the output is a terminal and the environment does not forbid it'
always\t'Always'
never\t'Never'"
complete -c dibber -n "__fish_dibber_using_subcommand resource; and __fish_seen_subcommand_from read" -l json -d 'Print the result as the server sent it, as JSON'
complete -c dibber -n "__fish_dibber_using_subcommand resource; and __fish_seen_subcommand_from read" -s v -l verbose -d 'Show what a server that is a program writes to standard error'
complete -c dibber -n "__fish_dibber_using_subcommand resource; and __fish_seen_subcommand_from read" -s q -l quiet -d 'Print only results, warnings and errors'
complete -c dibber -n "__fish_dibber_using_subcommand resource; and __fish_seen_subcommand_from read" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c dibber -n "__fish_dibber_using_subcommand prompts" -l server -d 'The server: a URL, `stdio:COMMAND`, a configured name, or `local`' -r
complete -c dibber -n "__fish_dibber_using_subcommand prompts" -l data -d 'The directory of the database of the server in this program' -r -F
complete -c dibber -n "__fish_dibber_using_subcommand prompts" -l token-file -d 'The file that contains the token for the server; otherwise DIBBER_TOKEN' -r -F
complete -c dibber -n "__fish_dibber_using_subcommand prompts" -l header -d 'Send this header with every request to the server (can be repeated)' -r
complete -c dibber -n "__fish_dibber_using_subcommand prompts" -l timeout -d 'How long to wait for an answer, in seconds [default: 30]' -r
complete -c dibber -n "__fish_dibber_using_subcommand prompts" -l color -d 'When to use colour: auto, always or never' -r -f -a "auto\t'If the output is a terminal and the environment does not forbid it'
always\t'Always'
never\t'Never'"
complete -c dibber -n "__fish_dibber_using_subcommand prompts" -l json -d 'Print JSON'
complete -c dibber -n "__fish_dibber_using_subcommand prompts" -s v -l verbose -d 'Show what a server that is a program writes to standard error'
complete -c dibber -n "__fish_dibber_using_subcommand prompts" -s q -l quiet -d 'Print only results, warnings and errors'
complete -c dibber -n "__fish_dibber_using_subcommand prompts" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c dibber -n "__fish_dibber_using_subcommand prompt; and not __fish_seen_subcommand_from get" -l color -d 'When to use colour: auto, always or never' -r -f -a "auto\t'If the output is a terminal and the environment does not forbid it'
always\t'Always'
never\t'Never'"
complete -c dibber -n "__fish_dibber_using_subcommand prompt; and not __fish_seen_subcommand_from get" -s q -l quiet -d 'Print only results, warnings and errors'
complete -c dibber -n "__fish_dibber_using_subcommand prompt; and not __fish_seen_subcommand_from get" -s h -l help -d 'Print help'
complete -c dibber -n "__fish_dibber_using_subcommand prompt; and not __fish_seen_subcommand_from get" -f -a "get" -d 'Print a prompt of the server, filled in with arguments'
complete -c dibber -n "__fish_dibber_using_subcommand prompt; and __fish_seen_subcommand_from get" -s o -l output -d 'Save images, audio and other bytes of the prompt as new files in this directory' -r -F
complete -c dibber -n "__fish_dibber_using_subcommand prompt; and __fish_seen_subcommand_from get" -l server -d 'The server: a URL, `stdio:COMMAND`, a configured name, or `local`' -r
complete -c dibber -n "__fish_dibber_using_subcommand prompt; and __fish_seen_subcommand_from get" -l data -d 'The directory of the database of the server in this program' -r -F
complete -c dibber -n "__fish_dibber_using_subcommand prompt; and __fish_seen_subcommand_from get" -l token-file -d 'The file that contains the token for the server; otherwise DIBBER_TOKEN' -r -F
complete -c dibber -n "__fish_dibber_using_subcommand prompt; and __fish_seen_subcommand_from get" -l header -d 'Send this header with every request to the server (can be repeated)' -r
complete -c dibber -n "__fish_dibber_using_subcommand prompt; and __fish_seen_subcommand_from get" -l timeout -d 'How long to wait for an answer, in seconds [default: 30]' -r
complete -c dibber -n "__fish_dibber_using_subcommand prompt; and __fish_seen_subcommand_from get" -l color -d 'When to use colour: auto, always or never' -r -f -a "auto\t'If the output is a terminal and the environment does not forbid it'
always\t'Always'
never\t'Never'"
complete -c dibber -n "__fish_dibber_using_subcommand prompt; and __fish_seen_subcommand_from get" -l json -d 'Print the result as the server sent it, as JSON'
complete -c dibber -n "__fish_dibber_using_subcommand prompt; and __fish_seen_subcommand_from get" -s v -l verbose -d 'Show what a server that is a program writes to standard error'
complete -c dibber -n "__fish_dibber_using_subcommand prompt; and __fish_seen_subcommand_from get" -s q -l quiet -d 'Print only results, warnings and errors'
complete -c dibber -n "__fish_dibber_using_subcommand prompt; and __fish_seen_subcommand_from get" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c dibber -n "__fish_dibber_using_subcommand journal; and not __fish_seen_subcommand_from list discard" -l color -d 'When to use colour: auto, always or never' -r -f -a "auto\t'If the output is a terminal and the environment does not forbid it'
always\t'Always'
never\t'Never'"
complete -c dibber -n "__fish_dibber_using_subcommand journal; and not __fish_seen_subcommand_from list discard" -s q -l quiet -d 'Print only results, warnings and errors'
complete -c dibber -n "__fish_dibber_using_subcommand journal; and not __fish_seen_subcommand_from list discard" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c dibber -n "__fish_dibber_using_subcommand journal; and not __fish_seen_subcommand_from list discard" -f -a "list" -d 'List the writes that were interrupted, the oldest first'
complete -c dibber -n "__fish_dibber_using_subcommand journal; and not __fish_seen_subcommand_from list discard" -f -a "discard" -d 'Discard entries; the same command then starts a new write'
complete -c dibber -n "__fish_dibber_using_subcommand journal; and __fish_seen_subcommand_from list" -l data -d 'A directory of the embedded server\'s database in which an earlier version kept a journal' -r -F
complete -c dibber -n "__fish_dibber_using_subcommand journal; and __fish_seen_subcommand_from list" -l color -d 'When to use colour: auto, always or never' -r -f -a "auto\t'If the output is a terminal and the environment does not forbid it'
always\t'Always'
never\t'Never'"
complete -c dibber -n "__fish_dibber_using_subcommand journal; and __fish_seen_subcommand_from list" -l json -d 'Print JSON'
complete -c dibber -n "__fish_dibber_using_subcommand journal; and __fish_seen_subcommand_from list" -s q -l quiet -d 'Print only results, warnings and errors'
complete -c dibber -n "__fish_dibber_using_subcommand journal; and __fish_seen_subcommand_from list" -s h -l help -d 'Print help'
complete -c dibber -n "__fish_dibber_using_subcommand journal; and __fish_seen_subcommand_from discard" -l data -d 'A directory of the embedded server\'s database in which an earlier version kept a journal' -r -F
complete -c dibber -n "__fish_dibber_using_subcommand journal; and __fish_seen_subcommand_from discard" -l color -d 'When to use colour: auto, always or never' -r -f -a "auto\t'If the output is a terminal and the environment does not forbid it'
always\t'Always'
never\t'Never'"
complete -c dibber -n "__fish_dibber_using_subcommand journal; and __fish_seen_subcommand_from discard" -l all -d 'Discard every entry'
complete -c dibber -n "__fish_dibber_using_subcommand journal; and __fish_seen_subcommand_from discard" -s n -l dry-run -d 'Show what would be done, and change nothing'
complete -c dibber -n "__fish_dibber_using_subcommand journal; and __fish_seen_subcommand_from discard" -l json -d 'Print JSON, with the entries that were discarded'
complete -c dibber -n "__fish_dibber_using_subcommand journal; and __fish_seen_subcommand_from discard" -s q -l quiet -d 'Print only results, warnings and errors'
complete -c dibber -n "__fish_dibber_using_subcommand journal; and __fish_seen_subcommand_from discard" -s h -l help -d 'Print help'
complete -c dibber -n "__fish_dibber_using_subcommand schema" -s o -l output -d 'Write it to this file; `-` is standard output, the default' -r
complete -c dibber -n "__fish_dibber_using_subcommand schema" -l color -d 'When to use colour: auto, always or never' -r -f -a "auto\t'If the output is a terminal and the environment does not forbid it'
always\t'Always'
never\t'Never'"
complete -c dibber -n "__fish_dibber_using_subcommand schema" -s q -l quiet -d 'Print only results, warnings and errors'
complete -c dibber -n "__fish_dibber_using_subcommand schema" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c dibber -n "__fish_dibber_using_subcommand completions" -s o -l output -d 'Write it to this file; `-` is standard output, the default' -r
complete -c dibber -n "__fish_dibber_using_subcommand completions" -l color -d 'When to use colour: auto, always or never' -r -f -a "auto\t'If the output is a terminal and the environment does not forbid it'
always\t'Always'
never\t'Never'"
complete -c dibber -n "__fish_dibber_using_subcommand completions" -s q -l quiet -d 'Print only results, warnings and errors'
complete -c dibber -n "__fish_dibber_using_subcommand completions" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c dibber -n "__fish_dibber_using_subcommand man" -s o -l output -d 'Write it to this file; `-` is standard output, the default' -r
complete -c dibber -n "__fish_dibber_using_subcommand man" -l color -d 'When to use colour: auto, always or never' -r -f -a "auto\t'If the output is a terminal and the environment does not forbid it'
always\t'Always'
never\t'Never'"
complete -c dibber -n "__fish_dibber_using_subcommand man" -s q -l quiet -d 'Print only results, warnings and errors'
complete -c dibber -n "__fish_dibber_using_subcommand man" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c dibber -n "__fish_dibber_using_subcommand help" -l color -d 'When to use colour: auto, always or never' -r -f -a "auto\t'If the output is a terminal and the environment does not forbid it'
always\t'Always'
never\t'Never'"
complete -c dibber -n "__fish_dibber_using_subcommand help" -s q -l quiet -d 'Print only results, warnings and errors'
complete -c dibber -n "__fish_dibber_using_subcommand help" -s h -l help -d 'Print help (see more with \'--help\')'
