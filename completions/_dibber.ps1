
using namespace System.Management.Automation
using namespace System.Management.Automation.Language

Register-ArgumentCompleter -Native -CommandName 'dibber' -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)

    $commandElements = $commandAst.CommandElements
    $command = @(
        'dibber'
        for ($i = 1; $i -lt $commandElements.Count; $i++) {
            $element = $commandElements[$i]
            if ($element -isnot [StringConstantExpressionAst] -or
                $element.StringConstantType -ne [StringConstantType]::BareWord -or
                $element.Value.StartsWith('-') -or
                $element.Value -eq $wordToComplete) {
                break
        }
        $element.Value
    }) -join ';'

    $completions = @(switch ($command) {
        'dibber' {
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour: auto, always or never')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print only results, warnings and errors')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print only results, warnings and errors')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'With `--version`, print the version of the time zone database, too')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('new', 'new', [CompletionResultType]::ParameterValue, 'Make a new skill from a template')
            [CompletionResult]::new('edit', 'edit', [CompletionResultType]::ParameterValue, 'Change what a skill is called, does and when it runs')
            [CompletionResult]::new('render', 'render', [CompletionResultType]::ParameterValue, 'Fill in the prompt of a skill, without a server')
            [CompletionResult]::new('names', 'names', [CompletionResultType]::ParameterValue, 'Manage the private list of children''s names')
            [CompletionResult]::new('guide', 'guide', [CompletionResultType]::ParameterValue, 'Read the server''s guides for authors')
            [CompletionResult]::new('lint', 'lint', [CompletionResultType]::ParameterValue, 'Check skills')
            [CompletionResult]::new('explain', 'explain', [CompletionResultType]::ParameterValue, 'Explain rules: what they do, why, and what to write instead')
            [CompletionResult]::new('rules', 'rules', [CompletionResultType]::ParameterValue, 'List the rules')
            [CompletionResult]::new('dry-run', 'dry-run', [CompletionResultType]::ParameterValue, 'Show what would be published, without a server')
            [CompletionResult]::new('hash', 'hash', [CompletionResultType]::ParameterValue, 'Print the spec-hash of a skill')
            [CompletionResult]::new('push', 'push', [CompletionResultType]::ParameterValue, 'Publish skills with their heartbeats')
            [CompletionResult]::new('diff', 'diff', [CompletionResultType]::ParameterValue, 'Show what a push would change')
            [CompletionResult]::new('pull', 'pull', [CompletionResultType]::ParameterValue, 'Write skills of a server into files')
            [CompletionResult]::new('invoke', 'invoke', [CompletionResultType]::ParameterValue, 'Run a skill: print its prompt, filled in by the server')
            [CompletionResult]::new('skill', 'skill', [CompletionResultType]::ParameterValue, 'Show and change the skills of a server')
            [CompletionResult]::new('heartbeat', 'heartbeat', [CompletionResultType]::ParameterValue, 'Preview and manage the schedules of skills')
            [CompletionResult]::new('serve', 'serve', [CompletionResultType]::ParameterValue, 'Serve the families of this machine to MCP clients')
            [CompletionResult]::new('family', 'family', [CompletionResultType]::ParameterValue, 'Manage the family of the server in this program')
            [CompletionResult]::new('doctor', 'doctor', [CompletionResultType]::ParameterValue, 'Check the data of the server in this program')
            [CompletionResult]::new('status', 'status', [CompletionResultType]::ParameterValue, 'Show the selected server and its health')
            [CompletionResult]::new('servers', 'servers', [CompletionResultType]::ParameterValue, 'List the servers that `--server` accepts by name')
            [CompletionResult]::new('tools', 'tools', [CompletionResultType]::ParameterValue, 'List the tools of the server, or show one')
            [CompletionResult]::new('call', 'call', [CompletionResultType]::ParameterValue, 'Call a tool of the server, and print its result')
            [CompletionResult]::new('resources', 'resources', [CompletionResultType]::ParameterValue, 'List the resources of the server')
            [CompletionResult]::new('resource', 'resource', [CompletionResultType]::ParameterValue, 'Read a resource of the server')
            [CompletionResult]::new('prompts', 'prompts', [CompletionResultType]::ParameterValue, 'List the prompts of the server')
            [CompletionResult]::new('prompt', 'prompt', [CompletionResultType]::ParameterValue, 'Get a prompt of the server')
            [CompletionResult]::new('journal', 'journal', [CompletionResultType]::ParameterValue, 'List and discard writes that were interrupted')
            [CompletionResult]::new('schema', 'schema', [CompletionResultType]::ParameterValue, 'Print the JSON Schema of a file, of the JSON of a command or of the arguments of a tool')
            [CompletionResult]::new('completions', 'completions', [CompletionResultType]::ParameterValue, 'Print the completions for a shell')
            [CompletionResult]::new('man', 'man', [CompletionResultType]::ParameterValue, 'Show the manual page, of dibber or of one command')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Describe a command')
            break
        }
        'dibber;new' {
            [CompletionResult]::new('--template', '--template', [CompletionResultType]::ParameterName, 'The template to start from; `--list` lists them')
            [CompletionResult]::new('--description', '--description', [CompletionResultType]::ParameterName, 'What it does, and when to use it')
            [CompletionResult]::new('--when', '--when', [CompletionResultType]::ParameterName, 'When to use it, if the description does not say so: "a parent asks for the bus"')
            [CompletionResult]::new('--label', '--label', [CompletionResultType]::ParameterName, 'The title under which a family finds it [default: the name in words]')
            [CompletionResult]::new('--for', '--for', [CompletionResultType]::ParameterName, 'Which agent it is for [default: the template''s]')
            [CompletionResult]::new('--ages', '--ages', [CompletionResultType]::ParameterName, 'The ages that it is for: 5-7')
            [CompletionResult]::new('--input', '--input', [CompletionResultType]::ParameterName, 'An input that is filled in at each run; may be repeated')
            [CompletionResult]::new('--hand', '--hand', [CompletionResultType]::ParameterName, 'A tool that it uses, such as `task_list`; may be repeated')
            [CompletionResult]::new('--schedule', '--schedule', [CompletionResultType]::ParameterName, 'When it runs by itself: "weekdays at 7:30pm", or in five fields "30 19 * * 1-5"')
            [CompletionResult]::new('--tz', '--tz', [CompletionResultType]::ParameterName, 'The time zone of the schedule: `Europe/Berlin`')
            [CompletionResult]::new('--canvas', '--canvas', [CompletionResultType]::ParameterName, 'The id of a canvas that it links; may be repeated')
            [CompletionResult]::new('--into', '--into', [CompletionResultType]::ParameterName, 'The folder in which the skill''s folder is made')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour: auto, always or never')
            [CompletionResult]::new('--kid-callable', '--kid-callable', [CompletionResultType]::ParameterName, 'Let a child launch it')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do it without asking')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do it without asking')
            [CompletionResult]::new('--resume', '--resume', [CompletionResultType]::ParameterName, 'Go on with the answers of a run that was interrupted')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Show what would be done, and change nothing')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Show what would be done, and change nothing')
            [CompletionResult]::new('--list', '--list', [CompletionResultType]::ParameterName, 'List the templates')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the files, or the list, as JSON')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print only results, warnings and errors')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print only results, warnings and errors')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'dibber;edit' {
            [CompletionResult]::new('--label', '--label', [CompletionResultType]::ParameterName, 'The title under which a family finds it')
            [CompletionResult]::new('--description', '--description', [CompletionResultType]::ParameterName, 'What it does, and when to use it')
            [CompletionResult]::new('--for', '--for', [CompletionResultType]::ParameterName, 'Which agent it is for')
            [CompletionResult]::new('--kid-callable', '--kid-callable', [CompletionResultType]::ParameterName, 'Whether a child may launch it')
            [CompletionResult]::new('--ages', '--ages', [CompletionResultType]::ParameterName, 'The ages that it is for: 5-7')
            [CompletionResult]::new('--input', '--input', [CompletionResultType]::ParameterName, 'An input to add, which is filled in at each run; may be repeated')
            [CompletionResult]::new('--schedule', '--schedule', [CompletionResultType]::ParameterName, 'When it runs by itself: "weekdays at 7:30pm", or "never"')
            [CompletionResult]::new('--tz', '--tz', [CompletionResultType]::ParameterName, 'The time zone of the schedule: `Europe/Berlin`')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour: auto, always or never')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do it without asking')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do it without asking')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Show what would be done, and change nothing')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Show what would be done, and change nothing')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print only results, warnings and errors')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print only results, warnings and errors')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'dibber;render' {
            [CompletionResult]::new('--input', '--input', [CompletionResultType]::ParameterName, 'Fill in this input; `NAME:=JSON` for a value that is not a string (can be repeated)')
            [CompletionResult]::new('--input-file', '--input-file', [CompletionResultType]::ParameterName, 'Take inputs from a JSON object in a file, or `-` for standard input')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Write it to this file; `-` is standard output, the default')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Write it to this file; `-` is standard output, the default')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour: auto, always or never')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print only results, warnings and errors')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print only results, warnings and errors')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'dibber;names' {
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour: auto, always or never')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print only results, warnings and errors')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print only results, warnings and errors')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('add', 'add', [CompletionResultType]::ParameterValue, 'Add names')
            [CompletionResult]::new('list', 'list', [CompletionResultType]::ParameterValue, 'Show how many names there are, and the initials of each')
            [CompletionResult]::new('remove', 'remove', [CompletionResultType]::ParameterValue, 'Remove names')
            break
        }
        'dibber;names;add' {
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour: auto, always or never')
            [CompletionResult]::new('--any-case', '--any-case', [CompletionResultType]::ParameterName, 'Find names that are common words, such as Will, in lowercase, too')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Show what would be done, and change nothing')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Show what would be done, and change nothing')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print JSON')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print only results, warnings and errors')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print only results, warnings and errors')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'dibber;names;list' {
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour: auto, always or never')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print JSON')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print only results, warnings and errors')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print only results, warnings and errors')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'dibber;names;remove' {
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour: auto, always or never')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Show what would be done, and change nothing')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Show what would be done, and change nothing')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print JSON')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print only results, warnings and errors')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print only results, warnings and errors')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'dibber;guide' {
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'The server: a URL, `stdio:COMMAND`, a configured name, or `local`')
            [CompletionResult]::new('--data', '--data', [CompletionResultType]::ParameterName, 'The directory of the database of the server in this program')
            [CompletionResult]::new('--token-file', '--token-file', [CompletionResultType]::ParameterName, 'The file that contains the token for the server; otherwise DIBBER_TOKEN')
            [CompletionResult]::new('--header', '--header', [CompletionResultType]::ParameterName, 'Send this header with every request to the server (can be repeated)')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long to wait for an answer, in seconds [default: 30]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour: auto, always or never')
            [CompletionResult]::new('--raw', '--raw', [CompletionResultType]::ParameterName, 'Print it as the server sends it, as Markdown')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print JSON')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Show what a server that is a program writes to standard error')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Show what a server that is a program writes to standard error')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print only results, warnings and errors')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print only results, warnings and errors')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'dibber;lint' {
            [CompletionResult]::new('--stdin-filename', '--stdin-filename', [CompletionResultType]::ParameterName, 'The path of the skill on standard input')
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'The format of the report, by default `human`; with a file, a report besides (can be repeated)')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Write the report to a file; `-` for standard output')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Write the report to a file; `-` for standard output')
            [CompletionResult]::new('--select', '--select', [CompletionResultType]::ParameterName, 'Check only these rules: ids, groups or `all`, separated by commas')
            [CompletionResult]::new('--ignore', '--ignore', [CompletionResultType]::ParameterName, 'Do not check these rules')
            [CompletionResult]::new('-l', '-l', [CompletionResultType]::ParameterName, 'Set the level of a rule, a group or `all`: allow, warn or deny (can be repeated)')
            [CompletionResult]::new('--level', '--level', [CompletionResultType]::ParameterName, 'Set the level of a rule, a group or `all`: allow, warn or deny (can be repeated)')
            [CompletionResult]::new('--reason', '--reason', [CompletionResultType]::ParameterName, 'Why the findings are waived')
            [CompletionResult]::new('--since', '--since', [CompletionResultType]::ParameterName, 'Report only findings on lines changed since a git revision')
            [CompletionResult]::new('--baseline', '--baseline', [CompletionResultType]::ParameterName, 'Report only findings that are not in this baseline')
            [CompletionResult]::new('--write-baseline', '--write-baseline', [CompletionResultType]::ParameterName, 'Write all findings into a baseline, and report nothing')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'The configuration to use instead of the nearest `dibber.toml`')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour: auto, always or never')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print JSON: the same as `--format json`')
            [CompletionResult]::new('--statistics', '--statistics', [CompletionResultType]::ParameterName, 'Count the findings of each rule, instead of listing them')
            [CompletionResult]::new('--deny-warnings', '--deny-warnings', [CompletionResultType]::ParameterName, 'Exit with 1 for warnings, too')
            [CompletionResult]::new('--fix', '--fix', [CompletionResultType]::ParameterName, 'Apply the safe fixes')
            [CompletionResult]::new('--unsafe-fixes', '--unsafe-fixes', [CompletionResultType]::ParameterName, 'Apply the unsafe fixes, too, which should be reviewed')
            [CompletionResult]::new('--diff', '--diff', [CompletionResultType]::ParameterName, 'Show the changes of the fixes as a diff, and write nothing')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Write nothing: with `--fix` or `--unsafe-fixes`, show the changes as `--diff` does')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Write nothing: with `--fix` or `--unsafe-fixes`, show the changes as `--diff` does')
            [CompletionResult]::new('--add-waivers', '--add-waivers', [CompletionResultType]::ParameterName, 'Write waiver comments for the findings into the skills; those about security that are errors only if `--select` names their rules')
            [CompletionResult]::new('--no-config', '--no-config', [CompletionResultType]::ParameterName, 'Use no `dibber.toml`')
            [CompletionResult]::new('--no-inline-waivers', '--no-inline-waivers', [CompletionResultType]::ParameterName, 'Do not apply waivers in the skills, as for contributions of others; those in `dibber.toml` still are')
            [CompletionResult]::new('--no-ignore', '--no-ignore', [CompletionResultType]::ParameterName, 'Check skills and files that git ignores, too')
            [CompletionResult]::new('--skip-non-skills', '--skip-non-skills', [CompletionResultType]::ParameterName, 'Skip paths without a skill, as in a commit hook, which passes every changed file')
            [CompletionResult]::new('--watch', '--watch', [CompletionResultType]::ParameterName, 'Lint again whenever a file changes, until Ctrl-C')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Do not print the summary line')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Do not print the summary line')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'dibber;explain' {
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour: auto, always or never')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print JSON')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print only results, warnings and errors')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print only results, warnings and errors')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'dibber;rules' {
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour: auto, always or never')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print JSON, with the documentation of each rule')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print only results, warnings and errors')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print only results, warnings and errors')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'dibber;dry-run' {
            [CompletionResult]::new('--input', '--input', [CompletionResultType]::ParameterName, 'Show the prompt with this input filled in, too; `NAME:=JSON` for a value that is not a string (can be repeated)')
            [CompletionResult]::new('--input-file', '--input-file', [CompletionResultType]::ParameterName, 'Take inputs from a JSON object in a file, or `-` for standard input')
            [CompletionResult]::new('--expect', '--expect', [CompletionResultType]::ParameterName, 'Exit with 3 unless the skill has this spec-hash')
            [CompletionResult]::new('--save', '--save', [CompletionResultType]::ParameterName, 'Save the preview; with `--expect`, show what has changed since it was saved; `-` prints the preview alone')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour: auto, always or never')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print JSON, as the server would answer for each skill')
            [CompletionResult]::new('--arguments', '--arguments', [CompletionResultType]::ParameterName, 'Print only the arguments of `skill_write`, for one skill')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print only results, warnings and errors')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print only results, warnings and errors')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'dibber;hash' {
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour: auto, always or never')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print JSON')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print only results, warnings and errors')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print only results, warnings and errors')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'dibber;push' {
            [CompletionResult]::new('--expect', '--expect', [CompletionResultType]::ParameterName, 'Publish nothing unless the skill has this spec-hash')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'The server: a URL, `stdio:COMMAND`, a configured name, or `local`')
            [CompletionResult]::new('--data', '--data', [CompletionResultType]::ParameterName, 'The directory of the database of the server in this program')
            [CompletionResult]::new('--token-file', '--token-file', [CompletionResultType]::ParameterName, 'The file that contains the token for the server; otherwise DIBBER_TOKEN')
            [CompletionResult]::new('--header', '--header', [CompletionResultType]::ParameterName, 'Send this header with every request to the server (can be repeated)')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long to wait for an answer, in seconds [default: 30]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour: auto, always or never')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do it without asking')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do it without asking')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Show what would be done, and change nothing')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Show what would be done, and change nothing')
            [CompletionResult]::new('--new', '--new', [CompletionResultType]::ParameterName, 'Make new skills, whatever was published before')
            [CompletionResult]::new('--merge', '--merge', [CompletionResultType]::ParameterName, 'Merge what was changed on the server since the last push into the files, and publish both')
            [CompletionResult]::new('--force', '--force', [CompletionResultType]::ParameterName, 'Overwrite what was changed on the server since the last push')
            [CompletionResult]::new('--no-heartbeats', '--no-heartbeats', [CompletionResultType]::ParameterName, 'Leave the heartbeats as they are, and publish the skills alone')
            [CompletionResult]::new('--prune', '--prune', [CompletionResultType]::ParameterName, 'Archive the skills whose folders are gone, too')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'List the skills that are up to date, too')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'List the skills that are up to date, too')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print JSON')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print only results, warnings and errors')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print only results, warnings and errors')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'dibber;diff' {
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'The server: a URL, `stdio:COMMAND`, a configured name, or `local`')
            [CompletionResult]::new('--data', '--data', [CompletionResultType]::ParameterName, 'The directory of the database of the server in this program')
            [CompletionResult]::new('--token-file', '--token-file', [CompletionResultType]::ParameterName, 'The file that contains the token for the server; otherwise DIBBER_TOKEN')
            [CompletionResult]::new('--header', '--header', [CompletionResultType]::ParameterName, 'Send this header with every request to the server (can be repeated)')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long to wait for an answer, in seconds [default: 30]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour: auto, always or never')
            [CompletionResult]::new('--exit-code', '--exit-code', [CompletionResultType]::ParameterName, 'Exit with 1 when there is a change')
            [CompletionResult]::new('--no-heartbeats', '--no-heartbeats', [CompletionResultType]::ParameterName, 'Leave the heartbeats out, and compare the skills alone')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'List the skills that are up to date, too')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'List the skills that are up to date, too')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print JSON')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print only results, warnings and errors')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print only results, warnings and errors')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'dibber;pull' {
            [CompletionResult]::new('--into', '--into', [CompletionResultType]::ParameterName, 'The folder to make the folders of skills in')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'The server: a URL, `stdio:COMMAND`, a configured name, or `local`')
            [CompletionResult]::new('--data', '--data', [CompletionResultType]::ParameterName, 'The directory of the database of the server in this program')
            [CompletionResult]::new('--token-file', '--token-file', [CompletionResultType]::ParameterName, 'The file that contains the token for the server; otherwise DIBBER_TOKEN')
            [CompletionResult]::new('--header', '--header', [CompletionResultType]::ParameterName, 'Send this header with every request to the server (can be repeated)')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long to wait for an answer, in seconds [default: 30]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour: auto, always or never')
            [CompletionResult]::new('--all', '--all', [CompletionResultType]::ParameterName, 'Every skill of the server that is not archived')
            [CompletionResult]::new('--force', '--force', [CompletionResultType]::ParameterName, 'Overwrite files that have changes of their own')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Show what would be done, and change nothing')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Show what would be done, and change nothing')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print JSON')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Show what a server that is a program writes to standard error')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Show what a server that is a program writes to standard error')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print only results, warnings and errors')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print only results, warnings and errors')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'dibber;invoke' {
            [CompletionResult]::new('--input', '--input', [CompletionResultType]::ParameterName, 'Fill in this input; `NAME:=JSON` for a value that is not a string (can be repeated)')
            [CompletionResult]::new('--input-file', '--input-file', [CompletionResultType]::ParameterName, 'Take inputs from a JSON object in a file, or `-` for standard input')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'The server: a URL, `stdio:COMMAND`, a configured name, or `local`')
            [CompletionResult]::new('--data', '--data', [CompletionResultType]::ParameterName, 'The directory of the database of the server in this program')
            [CompletionResult]::new('--token-file', '--token-file', [CompletionResultType]::ParameterName, 'The file that contains the token for the server; otherwise DIBBER_TOKEN')
            [CompletionResult]::new('--header', '--header', [CompletionResultType]::ParameterName, 'Send this header with every request to the server (can be repeated)')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long to wait for an answer, in seconds [default: 30]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour: auto, always or never')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print JSON')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Show what a server that is a program writes to standard error')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Show what a server that is a program writes to standard error')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print only results, warnings and errors')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print only results, warnings and errors')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'dibber;skill' {
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour: auto, always or never')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print only results, warnings and errors')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print only results, warnings and errors')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('list', 'list', [CompletionResultType]::ParameterValue, 'List the skills of a server')
            [CompletionResult]::new('get', 'get', [CompletionResultType]::ParameterValue, 'Show a skill of a server')
            [CompletionResult]::new('update', 'update', [CompletionResultType]::ParameterValue, 'Change a skill of a server')
            [CompletionResult]::new('post-result', 'post-result', [CompletionResultType]::ParameterValue, 'Post the result of a run to the family''s inbox')
            [CompletionResult]::new('archive', 'archive', [CompletionResultType]::ParameterValue, 'Archive skills of a server')
            [CompletionResult]::new('unarchive', 'unarchive', [CompletionResultType]::ParameterValue, 'Unarchive skills, so that they can be used again')
            [CompletionResult]::new('link', 'link', [CompletionResultType]::ParameterValue, 'Connect a folder with a skill of a server')
            [CompletionResult]::new('unlink', 'unlink', [CompletionResultType]::ParameterValue, 'Remove the link between a folder and a skill')
            break
        }
        'dibber;skill;list' {
            [CompletionResult]::new('--limit', '--limit', [CompletionResultType]::ParameterName, 'The most skills')
            [CompletionResult]::new('--category', '--category', [CompletionResultType]::ParameterName, 'List only skills of this category')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'The server: a URL, `stdio:COMMAND`, a configured name, or `local`')
            [CompletionResult]::new('--data', '--data', [CompletionResultType]::ParameterName, 'The directory of the database of the server in this program')
            [CompletionResult]::new('--token-file', '--token-file', [CompletionResultType]::ParameterName, 'The file that contains the token for the server; otherwise DIBBER_TOKEN')
            [CompletionResult]::new('--header', '--header', [CompletionResultType]::ParameterName, 'Send this header with every request to the server (can be repeated)')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long to wait for an answer, in seconds [default: 30]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour: auto, always or never')
            [CompletionResult]::new('--archived', '--archived', [CompletionResultType]::ParameterName, 'List archived skills, too')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print JSON')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Show what a server that is a program writes to standard error')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Show what a server that is a program writes to standard error')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print only results, warnings and errors')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print only results, warnings and errors')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'dibber;skill;get' {
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'The server: a URL, `stdio:COMMAND`, a configured name, or `local`')
            [CompletionResult]::new('--data', '--data', [CompletionResultType]::ParameterName, 'The directory of the database of the server in this program')
            [CompletionResult]::new('--token-file', '--token-file', [CompletionResultType]::ParameterName, 'The file that contains the token for the server; otherwise DIBBER_TOKEN')
            [CompletionResult]::new('--header', '--header', [CompletionResultType]::ParameterName, 'Send this header with every request to the server (can be repeated)')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long to wait for an answer, in seconds [default: 30]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour: auto, always or never')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print JSON')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Show what a server that is a program writes to standard error')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Show what a server that is a program writes to standard error')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print only results, warnings and errors')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print only results, warnings and errors')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'dibber;skill;update' {
            [CompletionResult]::new('--name', '--name', [CompletionResultType]::ParameterName, 'Another label')
            [CompletionResult]::new('--description', '--description', [CompletionResultType]::ParameterName, 'Another summary')
            [CompletionResult]::new('--prompt-file', '--prompt-file', [CompletionResultType]::ParameterName, 'Take another prompt from a file')
            [CompletionResult]::new('--kid-callable', '--kid-callable', [CompletionResultType]::ParameterName, 'Whether a child may launch it: true or false')
            [CompletionResult]::new('--age-range', '--age-range', [CompletionResultType]::ParameterName, 'Other ages, such as 5-7')
            [CompletionResult]::new('--add-canvas', '--add-canvas', [CompletionResultType]::ParameterName, 'Link this canvas (can be repeated)')
            [CompletionResult]::new('--remove-canvas', '--remove-canvas', [CompletionResultType]::ParameterName, 'Unlink this canvas (can be repeated)')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'The server: a URL, `stdio:COMMAND`, a configured name, or `local`')
            [CompletionResult]::new('--data', '--data', [CompletionResultType]::ParameterName, 'The directory of the database of the server in this program')
            [CompletionResult]::new('--token-file', '--token-file', [CompletionResultType]::ParameterName, 'The file that contains the token for the server; otherwise DIBBER_TOKEN')
            [CompletionResult]::new('--header', '--header', [CompletionResultType]::ParameterName, 'Send this header with every request to the server (can be repeated)')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long to wait for an answer, in seconds [default: 30]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour: auto, always or never')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do it without asking')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do it without asking')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Show what would be done, and change nothing')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Show what would be done, and change nothing')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print JSON')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Show what a server that is a program writes to standard error')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Show what a server that is a program writes to standard error')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print only results, warnings and errors')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print only results, warnings and errors')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'dibber;skill;post-result' {
            [CompletionResult]::new('--result-file', '--result-file', [CompletionResultType]::ParameterName, 'Take the result from a file, or `-` for standard input')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'The server: a URL, `stdio:COMMAND`, a configured name, or `local`')
            [CompletionResult]::new('--data', '--data', [CompletionResultType]::ParameterName, 'The directory of the database of the server in this program')
            [CompletionResult]::new('--token-file', '--token-file', [CompletionResultType]::ParameterName, 'The file that contains the token for the server; otherwise DIBBER_TOKEN')
            [CompletionResult]::new('--header', '--header', [CompletionResultType]::ParameterName, 'Send this header with every request to the server (can be repeated)')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long to wait for an answer, in seconds [default: 30]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour: auto, always or never')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Show what would be done, and change nothing')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Show what would be done, and change nothing')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print JSON, as the server answers')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Show what a server that is a program writes to standard error')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Show what a server that is a program writes to standard error')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print only results, warnings and errors')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print only results, warnings and errors')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'dibber;skill;archive' {
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'The server: a URL, `stdio:COMMAND`, a configured name, or `local`')
            [CompletionResult]::new('--data', '--data', [CompletionResultType]::ParameterName, 'The directory of the database of the server in this program')
            [CompletionResult]::new('--token-file', '--token-file', [CompletionResultType]::ParameterName, 'The file that contains the token for the server; otherwise DIBBER_TOKEN')
            [CompletionResult]::new('--header', '--header', [CompletionResultType]::ParameterName, 'Send this header with every request to the server (can be repeated)')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long to wait for an answer, in seconds [default: 30]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour: auto, always or never')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do it without asking')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do it without asking')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Show what would be done, and change nothing')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Show what would be done, and change nothing')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print JSON')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Show what a server that is a program writes to standard error')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Show what a server that is a program writes to standard error')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print only results, warnings and errors')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print only results, warnings and errors')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'dibber;skill;unarchive' {
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'The server: a URL, `stdio:COMMAND`, a configured name, or `local`')
            [CompletionResult]::new('--data', '--data', [CompletionResultType]::ParameterName, 'The directory of the database of the server in this program')
            [CompletionResult]::new('--token-file', '--token-file', [CompletionResultType]::ParameterName, 'The file that contains the token for the server; otherwise DIBBER_TOKEN')
            [CompletionResult]::new('--header', '--header', [CompletionResultType]::ParameterName, 'Send this header with every request to the server (can be repeated)')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long to wait for an answer, in seconds [default: 30]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour: auto, always or never')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do it without asking')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do it without asking')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Show what would be done, and change nothing')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Show what would be done, and change nothing')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print JSON')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Show what a server that is a program writes to standard error')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Show what a server that is a program writes to standard error')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print only results, warnings and errors')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print only results, warnings and errors')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'dibber;skill;link' {
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'The server: a URL, `stdio:COMMAND`, a configured name, or `local`')
            [CompletionResult]::new('--data', '--data', [CompletionResultType]::ParameterName, 'The directory of the database of the server in this program')
            [CompletionResult]::new('--token-file', '--token-file', [CompletionResultType]::ParameterName, 'The file that contains the token for the server; otherwise DIBBER_TOKEN')
            [CompletionResult]::new('--header', '--header', [CompletionResultType]::ParameterName, 'Send this header with every request to the server (can be repeated)')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long to wait for an answer, in seconds [default: 30]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour: auto, always or never')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Show what a server that is a program writes to standard error')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Show what a server that is a program writes to standard error')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print only results, warnings and errors')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print only results, warnings and errors')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'dibber;skill;unlink' {
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'The server: a URL, `stdio:COMMAND`, a configured name, or `local`')
            [CompletionResult]::new('--data', '--data', [CompletionResultType]::ParameterName, 'The directory of the database of the server in this program')
            [CompletionResult]::new('--token-file', '--token-file', [CompletionResultType]::ParameterName, 'The file that contains the token for the server; otherwise DIBBER_TOKEN')
            [CompletionResult]::new('--header', '--header', [CompletionResultType]::ParameterName, 'Send this header with every request to the server (can be repeated)')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long to wait for an answer, in seconds [default: 30]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour: auto, always or never')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Show what a server that is a program writes to standard error')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Show what a server that is a program writes to standard error')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print only results, warnings and errors')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print only results, warnings and errors')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'dibber;heartbeat' {
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour: auto, always or never')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print only results, warnings and errors')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print only results, warnings and errors')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('preview', 'preview', [CompletionResultType]::ParameterValue, 'Show when heartbeats fire, in words and times, without a server')
            [CompletionResult]::new('create', 'create', [CompletionResultType]::ParameterValue, 'Make heartbeats, from options or from sprout.yaml')
            [CompletionResult]::new('describe', 'describe', [CompletionResultType]::ParameterValue, 'Preview heartbeats on the server, and make none')
            [CompletionResult]::new('list', 'list', [CompletionResultType]::ParameterValue, 'List the heartbeats of the family')
            [CompletionResult]::new('edit', 'edit', [CompletionResultType]::ParameterValue, 'Change the schedule or the name of a heartbeat')
            [CompletionResult]::new('pause', 'pause', [CompletionResultType]::ParameterValue, 'Pause heartbeats until they are resumed')
            [CompletionResult]::new('resume', 'resume', [CompletionResultType]::ParameterValue, 'Resume paused heartbeats')
            [CompletionResult]::new('cancel', 'cancel', [CompletionResultType]::ParameterValue, 'Cancel heartbeats for good; to stop one for a while, pause it')
            [CompletionResult]::new('members', 'members', [CompletionResultType]::ParameterValue, 'Change who takes part in a heartbeat')
            break
        }
        'dibber;heartbeat;preview' {
            [CompletionResult]::new('--cron-file', '--cron-file', [CompletionResultType]::ParameterName, 'Read a crontab, or a list: a schedule on each line, or a schedule, a time zone and a name with tabs between them; several are shown as a table')
            [CompletionResult]::new('--tz', '--tz', [CompletionResultType]::ParameterName, 'The time zone of typed and listed schedules [default: that of this computer]')
            [CompletionResult]::new('--from', '--from', [CompletionResultType]::ParameterName, 'Show the fires after this time, as RFC 3339 or in the zone of the first schedule; of a date, the whole day [default: now]')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'The number of fires to show [default: 5]; with it, each schedule of a list has its page')
            [CompletionResult]::new('--within', '--within', [CompletionResultType]::ParameterName, 'Report fires that are at most so many minutes apart as conflicts')
            [CompletionResult]::new('--clock', '--clock', [CompletionResultType]::ParameterName, 'Write times on a 12-hour or a 24-hour clock')
            [CompletionResult]::new('--picture', '--picture', [CompletionResultType]::ParameterName, 'Draw a week by the hour, or a year by the day')
            [CompletionResult]::new('--svg', '--svg', [CompletionResultType]::ParameterName, 'Write that picture to a file, as SVG; a week unless `--picture` says otherwise; `-` prints it alone')
            [CompletionResult]::new('--ics', '--ics', [CompletionResultType]::ParameterName, 'Write the fires to a file, as a calendar for other programs; `-` prints it alone')
            [CompletionResult]::new('--days', '--days', [CompletionResultType]::ParameterName, 'The number of days in the calendar')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour: auto, always or never')
            [CompletionResult]::new('--together', '--together', [CompletionResultType]::ParameterName, 'Count all schedules together against the cap')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print JSON, with the field names of a server''s answer')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print only results, warnings and errors')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print only results, warnings and errors')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'dibber;heartbeat;create' {
            [CompletionResult]::new('--cron', '--cron', [CompletionResultType]::ParameterName, 'When it fires, in quotes: words, such as `weekdays at 7:30pm`, or five fields of cron')
            [CompletionResult]::new('--tz', '--tz', [CompletionResultType]::ParameterName, 'The time zone of the schedule [default: that of this computer]')
            [CompletionResult]::new('--skill', '--skill', [CompletionResultType]::ParameterName, 'The skill that it runs: its folder, its label or its id')
            [CompletionResult]::new('--assignment-skill', '--assignment-skill', [CompletionResultType]::ParameterName, 'The skill that creates the schedule, if any')
            [CompletionResult]::new('--child', '--child', [CompletionResultType]::ParameterName, 'The id of the child that it is for; `dibber family show` lists them')
            [CompletionResult]::new('--chat', '--chat', [CompletionResultType]::ParameterName, 'The id of the chat whose participants it gets; otherwise the family''s')
            [CompletionResult]::new('--input', '--input', [CompletionResultType]::ParameterName, 'The value of an input of the skill; `NAME:=JSON` for a value that is not a string (can be repeated)')
            [CompletionResult]::new('--only', '--only', [CompletionResultType]::ParameterName, 'Only the heartbeat of that name in sprout.yaml (can be repeated)')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'The server: a URL, `stdio:COMMAND`, a configured name, or `local`')
            [CompletionResult]::new('--data', '--data', [CompletionResultType]::ParameterName, 'The directory of the database of the server in this program')
            [CompletionResult]::new('--token-file', '--token-file', [CompletionResultType]::ParameterName, 'The file that contains the token for the server; otherwise DIBBER_TOKEN')
            [CompletionResult]::new('--header', '--header', [CompletionResultType]::ParameterName, 'Send this header with every request to the server (can be repeated)')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long to wait for an answer, in seconds [default: 30]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour: auto, always or never')
            [CompletionResult]::new('--post-result', '--post-result', [CompletionResultType]::ParameterName, 'Post the result of each run to the family''s inbox')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do it without asking')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do it without asking')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Show what would be done, and change nothing')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Show what would be done, and change nothing')
            [CompletionResult]::new('--force', '--force', [CompletionResultType]::ParameterName, 'Change heartbeats that were changed on the server since they were set from here, too')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print JSON')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Show what a server that is a program writes to standard error')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Show what a server that is a program writes to standard error')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print only results, warnings and errors')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print only results, warnings and errors')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'dibber;heartbeat;describe' {
            [CompletionResult]::new('--cron', '--cron', [CompletionResultType]::ParameterName, 'When it fires, in quotes: words, such as `weekdays at 7:30pm`, or five fields of cron')
            [CompletionResult]::new('--tz', '--tz', [CompletionResultType]::ParameterName, 'The time zone of the schedule [default: that of this computer]')
            [CompletionResult]::new('--skill', '--skill', [CompletionResultType]::ParameterName, 'The skill that it runs: its folder, its label or its id')
            [CompletionResult]::new('--assignment-skill', '--assignment-skill', [CompletionResultType]::ParameterName, 'The skill that creates the schedule, if any')
            [CompletionResult]::new('--child', '--child', [CompletionResultType]::ParameterName, 'The id of the child that it is for; `dibber family show` lists them')
            [CompletionResult]::new('--chat', '--chat', [CompletionResultType]::ParameterName, 'The id of the chat whose participants it gets; otherwise the family''s')
            [CompletionResult]::new('--input', '--input', [CompletionResultType]::ParameterName, 'The value of an input of the skill; `NAME:=JSON` for a value that is not a string (can be repeated)')
            [CompletionResult]::new('--only', '--only', [CompletionResultType]::ParameterName, 'Only the heartbeat of that name in sprout.yaml (can be repeated)')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'The server: a URL, `stdio:COMMAND`, a configured name, or `local`')
            [CompletionResult]::new('--data', '--data', [CompletionResultType]::ParameterName, 'The directory of the database of the server in this program')
            [CompletionResult]::new('--token-file', '--token-file', [CompletionResultType]::ParameterName, 'The file that contains the token for the server; otherwise DIBBER_TOKEN')
            [CompletionResult]::new('--header', '--header', [CompletionResultType]::ParameterName, 'Send this header with every request to the server (can be repeated)')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long to wait for an answer, in seconds [default: 30]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour: auto, always or never')
            [CompletionResult]::new('--post-result', '--post-result', [CompletionResultType]::ParameterName, 'Post the result of each run to the family''s inbox')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print JSON')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Show what a server that is a program writes to standard error')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Show what a server that is a program writes to standard error')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print only results, warnings and errors')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print only results, warnings and errors')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'dibber;heartbeat;list' {
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'The server: a URL, `stdio:COMMAND`, a configured name, or `local`')
            [CompletionResult]::new('--data', '--data', [CompletionResultType]::ParameterName, 'The directory of the database of the server in this program')
            [CompletionResult]::new('--token-file', '--token-file', [CompletionResultType]::ParameterName, 'The file that contains the token for the server; otherwise DIBBER_TOKEN')
            [CompletionResult]::new('--header', '--header', [CompletionResultType]::ParameterName, 'Send this header with every request to the server (can be repeated)')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long to wait for an answer, in seconds [default: 30]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour: auto, always or never')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print JSON')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Show what a server that is a program writes to standard error')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Show what a server that is a program writes to standard error')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print only results, warnings and errors')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print only results, warnings and errors')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'dibber;heartbeat;edit' {
            [CompletionResult]::new('--cron', '--cron', [CompletionResultType]::ParameterName, 'When it fires, in quotes: words, such as `weekdays at 7:30pm`, or five fields of cron')
            [CompletionResult]::new('--tz', '--tz', [CompletionResultType]::ParameterName, 'The time zone of the schedule')
            [CompletionResult]::new('--name', '--name', [CompletionResultType]::ParameterName, 'Another name')
            [CompletionResult]::new('--text', '--text', [CompletionResultType]::ParameterName, 'Another text, for a heartbeat that runs no skill')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'The server: a URL, `stdio:COMMAND`, a configured name, or `local`')
            [CompletionResult]::new('--data', '--data', [CompletionResultType]::ParameterName, 'The directory of the database of the server in this program')
            [CompletionResult]::new('--token-file', '--token-file', [CompletionResultType]::ParameterName, 'The file that contains the token for the server; otherwise DIBBER_TOKEN')
            [CompletionResult]::new('--header', '--header', [CompletionResultType]::ParameterName, 'Send this header with every request to the server (can be repeated)')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long to wait for an answer, in seconds [default: 30]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour: auto, always or never')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print JSON')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do it without asking')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do it without asking')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Show what would be done, and change nothing')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Show what would be done, and change nothing')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Show what a server that is a program writes to standard error')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Show what a server that is a program writes to standard error')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print only results, warnings and errors')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print only results, warnings and errors')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'dibber;heartbeat;pause' {
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'The server: a URL, `stdio:COMMAND`, a configured name, or `local`')
            [CompletionResult]::new('--data', '--data', [CompletionResultType]::ParameterName, 'The directory of the database of the server in this program')
            [CompletionResult]::new('--token-file', '--token-file', [CompletionResultType]::ParameterName, 'The file that contains the token for the server; otherwise DIBBER_TOKEN')
            [CompletionResult]::new('--header', '--header', [CompletionResultType]::ParameterName, 'Send this header with every request to the server (can be repeated)')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long to wait for an answer, in seconds [default: 30]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour: auto, always or never')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Show what would be done, and change nothing')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Show what would be done, and change nothing')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print JSON')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Show what a server that is a program writes to standard error')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Show what a server that is a program writes to standard error')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print only results, warnings and errors')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print only results, warnings and errors')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'dibber;heartbeat;resume' {
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'The server: a URL, `stdio:COMMAND`, a configured name, or `local`')
            [CompletionResult]::new('--data', '--data', [CompletionResultType]::ParameterName, 'The directory of the database of the server in this program')
            [CompletionResult]::new('--token-file', '--token-file', [CompletionResultType]::ParameterName, 'The file that contains the token for the server; otherwise DIBBER_TOKEN')
            [CompletionResult]::new('--header', '--header', [CompletionResultType]::ParameterName, 'Send this header with every request to the server (can be repeated)')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long to wait for an answer, in seconds [default: 30]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour: auto, always or never')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Show what would be done, and change nothing')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Show what would be done, and change nothing')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print JSON')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Show what a server that is a program writes to standard error')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Show what a server that is a program writes to standard error')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print only results, warnings and errors')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print only results, warnings and errors')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'dibber;heartbeat;cancel' {
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'The server: a URL, `stdio:COMMAND`, a configured name, or `local`')
            [CompletionResult]::new('--data', '--data', [CompletionResultType]::ParameterName, 'The directory of the database of the server in this program')
            [CompletionResult]::new('--token-file', '--token-file', [CompletionResultType]::ParameterName, 'The file that contains the token for the server; otherwise DIBBER_TOKEN')
            [CompletionResult]::new('--header', '--header', [CompletionResultType]::ParameterName, 'Send this header with every request to the server (can be repeated)')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long to wait for an answer, in seconds [default: 30]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour: auto, always or never')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Show what would be done, and change nothing')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Show what would be done, and change nothing')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print JSON')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do it without asking')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do it without asking')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Show what a server that is a program writes to standard error')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Show what a server that is a program writes to standard error')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print only results, warnings and errors')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print only results, warnings and errors')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'dibber;heartbeat;members' {
            [CompletionResult]::new('--add', '--add', [CompletionResultType]::ParameterName, 'Add this grown-up')
            [CompletionResult]::new('--remove', '--remove', [CompletionResultType]::ParameterName, 'Remove this grown-up')
            [CompletionResult]::new('--promote', '--promote', [CompletionResultType]::ParameterName, 'Make this grown-up an admin')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'The server: a URL, `stdio:COMMAND`, a configured name, or `local`')
            [CompletionResult]::new('--data', '--data', [CompletionResultType]::ParameterName, 'The directory of the database of the server in this program')
            [CompletionResult]::new('--token-file', '--token-file', [CompletionResultType]::ParameterName, 'The file that contains the token for the server; otherwise DIBBER_TOKEN')
            [CompletionResult]::new('--header', '--header', [CompletionResultType]::ParameterName, 'Send this header with every request to the server (can be repeated)')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long to wait for an answer, in seconds [default: 30]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour: auto, always or never')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print JSON')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Show what would be done, and change nothing')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Show what would be done, and change nothing')
            [CompletionResult]::new('--leave', '--leave', [CompletionResultType]::ParameterName, 'Leave it yourself')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Show what a server that is a program writes to standard error')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Show what a server that is a program writes to standard error')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print only results, warnings and errors')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print only results, warnings and errors')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'dibber;serve' {
            [CompletionResult]::new('--listen', '--listen', [CompletionResultType]::ParameterName, 'The address and port to listen on; port 0 takes a free one')
            [CompletionResult]::new('--tls-cert', '--tls-cert', [CompletionResultType]::ParameterName, 'Encrypt connections (HTTPS) with the certificate in this PEM file, which its chain follows')
            [CompletionResult]::new('--tls-key', '--tls-key', [CompletionResultType]::ParameterName, 'The private key of the certificate, in a PEM file')
            [CompletionResult]::new('--data', '--data', [CompletionResultType]::ParameterName, 'The directory of the database and the token; the default is `DIBBER_DATA`, or your state directory')
            [CompletionResult]::new('--log', '--log', [CompletionResultType]::ParameterName, 'The format of the log: human or json')
            [CompletionResult]::new('--print-config', '--print-config', [CompletionResultType]::ParameterName, 'Print the configuration that an MCP client needs for this server, and start nothing')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour: auto, always or never')
            [CompletionResult]::new('--stdio', '--stdio', [CompletionResultType]::ParameterName, 'Use standard input and output instead, one message per line')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print only results, warnings and errors')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print only results, warnings and errors')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'dibber;family' {
            [CompletionResult]::new('--family', '--family', [CompletionResultType]::ParameterName, 'Another family of the same database')
            [CompletionResult]::new('--data', '--data', [CompletionResultType]::ParameterName, 'The directory of the database of the server in this program')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour: auto, always or never')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print only results, warnings and errors')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print only results, warnings and errors')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('show', 'show', [CompletionResultType]::ParameterValue, 'Show the family: ids, ages and canvases, but no name of a child')
            [CompletionResult]::new('add-child', 'add-child', [CompletionResultType]::ParameterValue, 'Add a child; skills that contain its name are refused from then on')
            [CompletionResult]::new('add-member', 'add-member', [CompletionResultType]::ParameterValue, 'Add a grown-up')
            [CompletionResult]::new('add-canvas', 'add-canvas', [CompletionResultType]::ParameterValue, 'Add a canvas that skills can link')
            [CompletionResult]::new('archive-skill', 'archive-skill', [CompletionResultType]::ParameterValue, 'Archive a skill, so that it can no longer be run')
            [CompletionResult]::new('token', 'token', [CompletionResultType]::ParameterValue, 'Issue, list or revoke tokens for `dibber serve`')
            break
        }
        'dibber;family;show' {
            [CompletionResult]::new('--family', '--family', [CompletionResultType]::ParameterName, 'Another family of the same database')
            [CompletionResult]::new('--data', '--data', [CompletionResultType]::ParameterName, 'The directory of the database of the server in this program')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour: auto, always or never')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print JSON')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print only results, warnings and errors')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print only results, warnings and errors')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'dibber;family;add-child' {
            [CompletionResult]::new('--born', '--born', [CompletionResultType]::ParameterName, 'The date of birth, such as 2019-04-30')
            [CompletionResult]::new('--name', '--name', [CompletionResultType]::ParameterName, 'The name, or `-` to read it from standard input; a name that is typed here stays in the history of your shell')
            [CompletionResult]::new('--family', '--family', [CompletionResultType]::ParameterName, 'Another family of the same database')
            [CompletionResult]::new('--data', '--data', [CompletionResultType]::ParameterName, 'The directory of the database of the server in this program')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour: auto, always or never')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print JSON')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print only results, warnings and errors')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print only results, warnings and errors')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'dibber;family;add-member' {
            [CompletionResult]::new('--family', '--family', [CompletionResultType]::ParameterName, 'Another family of the same database')
            [CompletionResult]::new('--data', '--data', [CompletionResultType]::ParameterName, 'The directory of the database of the server in this program')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour: auto, always or never')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print JSON')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print only results, warnings and errors')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print only results, warnings and errors')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'dibber;family;add-canvas' {
            [CompletionResult]::new('--emoji', '--emoji', [CompletionResultType]::ParameterName, 'An emoji for it')
            [CompletionResult]::new('--ages', '--ages', [CompletionResultType]::ParameterName, 'The ages that it is for, such as 5-7; skills cannot link a canvas without them')
            [CompletionResult]::new('--family', '--family', [CompletionResultType]::ParameterName, 'Another family of the same database')
            [CompletionResult]::new('--data', '--data', [CompletionResultType]::ParameterName, 'The directory of the database of the server in this program')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour: auto, always or never')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print JSON')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print only results, warnings and errors')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print only results, warnings and errors')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'dibber;family;archive-skill' {
            [CompletionResult]::new('--family', '--family', [CompletionResultType]::ParameterName, 'Another family of the same database')
            [CompletionResult]::new('--data', '--data', [CompletionResultType]::ParameterName, 'The directory of the database of the server in this program')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour: auto, always or never')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do it without asking')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do it without asking')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Show what would be done, and change nothing')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Show what would be done, and change nothing')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print only results, warnings and errors')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print only results, warnings and errors')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'dibber;family;token' {
            [CompletionResult]::new('--member', '--member', [CompletionResultType]::ParameterName, 'The id of the grown-up; the default is the one who founded the family')
            [CompletionResult]::new('--scope', '--scope', [CompletionResultType]::ParameterName, 'A scope of the token, such as `skill:read` (can be repeated); the default is every scope')
            [CompletionResult]::new('--name', '--name', [CompletionResultType]::ParameterName, 'A name for the token, which `--list` shows')
            [CompletionResult]::new('--expires', '--expires', [CompletionResultType]::ParameterName, 'How long the token is valid, such as 30d, 12h or 1y; the default is until it is revoked')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Issue a token, and write it to a file that only you will be able to read; `-` prints it')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Issue a token, and write it to a file that only you will be able to read; `-` prints it')
            [CompletionResult]::new('--revoke', '--revoke', [CompletionResultType]::ParameterName, 'Revoke the token with this id (can be repeated)')
            [CompletionResult]::new('--family', '--family', [CompletionResultType]::ParameterName, 'Another family of the same database')
            [CompletionResult]::new('--data', '--data', [CompletionResultType]::ParameterName, 'The directory of the database of the server in this program')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour: auto, always or never')
            [CompletionResult]::new('--force', '--force', [CompletionResultType]::ParameterName, 'Replace the file if it exists')
            [CompletionResult]::new('--list', '--list', [CompletionResultType]::ParameterName, 'List the tokens of the family: ids, names, scopes and times, but no secret')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the list as JSON')
            [CompletionResult]::new('--revoke-all', '--revoke-all', [CompletionResultType]::ParameterName, 'Revoke every token of the grown-up, including that of `dibber serve`')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print only results, warnings and errors')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print only results, warnings and errors')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'dibber;doctor' {
            [CompletionResult]::new('--data', '--data', [CompletionResultType]::ParameterName, 'The directory of the database; the default is `DIBBER_DATA`, or your state directory')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour: auto, always or never')
            [CompletionResult]::new('--database', '--database', [CompletionResultType]::ParameterName, 'Check only the database')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print JSON')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print only results, warnings and errors')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print only results, warnings and errors')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'dibber;status' {
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'The server: a URL, `stdio:COMMAND`, a configured name, or `local`')
            [CompletionResult]::new('--data', '--data', [CompletionResultType]::ParameterName, 'The directory of the database of the server in this program')
            [CompletionResult]::new('--token-file', '--token-file', [CompletionResultType]::ParameterName, 'The file that contains the token for the server; otherwise DIBBER_TOKEN')
            [CompletionResult]::new('--header', '--header', [CompletionResultType]::ParameterName, 'Send this header with every request to the server (can be repeated)')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long to wait for an answer, in seconds [default: 30]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour: auto, always or never')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print JSON')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Show what a server that is a program writes to standard error')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Show what a server that is a program writes to standard error')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print only results, warnings and errors')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print only results, warnings and errors')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'dibber;servers' {
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour: auto, always or never')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print JSON')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print only results, warnings and errors')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print only results, warnings and errors')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'dibber;tools' {
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'The server: a URL, `stdio:COMMAND`, a configured name, or `local`')
            [CompletionResult]::new('--data', '--data', [CompletionResultType]::ParameterName, 'The directory of the database of the server in this program')
            [CompletionResult]::new('--token-file', '--token-file', [CompletionResultType]::ParameterName, 'The file that contains the token for the server; otherwise DIBBER_TOKEN')
            [CompletionResult]::new('--header', '--header', [CompletionResultType]::ParameterName, 'Send this header with every request to the server (can be repeated)')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long to wait for an answer, in seconds [default: 30]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour: auto, always or never')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print JSON')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Show what a server that is a program writes to standard error')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Show what a server that is a program writes to standard error')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print only results, warnings and errors')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print only results, warnings and errors')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'dibber;call' {
            [CompletionResult]::new('--args-json', '--args-json', [CompletionResultType]::ParameterName, 'The file with all arguments, a JSON object; `-` for standard input')
            [CompletionResult]::new('--idempotency-key', '--idempotency-key', [CompletionResultType]::ParameterName, 'The idempotency key, in place of a new one; it asserts that the server honours keys')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Save images, audio and other bytes of the answer as new files in this directory')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Save images, audio and other bytes of the answer as new files in this directory')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'The server: a URL, `stdio:COMMAND`, a configured name, or `local`')
            [CompletionResult]::new('--data', '--data', [CompletionResultType]::ParameterName, 'The directory of the database of the server in this program')
            [CompletionResult]::new('--token-file', '--token-file', [CompletionResultType]::ParameterName, 'The file that contains the token for the server; otherwise DIBBER_TOKEN')
            [CompletionResult]::new('--header', '--header', [CompletionResultType]::ParameterName, 'Send this header with every request to the server (can be repeated)')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long to wait for an answer, in seconds [default: 30]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour: auto, always or never')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the result as the server sent it, as JSON')
            [CompletionResult]::new('--no-check', '--no-check', [CompletionResultType]::ParameterName, 'Send the arguments even if they do not match the schema of the tool, which may be wrong')
            [CompletionResult]::new('--new', '--new', [CompletionResultType]::ParameterName, 'Send the call even if the outcome of an earlier identical call is unknown')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Show what a server that is a program writes to standard error')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Show what a server that is a program writes to standard error')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print only results, warnings and errors')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print only results, warnings and errors')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'dibber;resources' {
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'The server: a URL, `stdio:COMMAND`, a configured name, or `local`')
            [CompletionResult]::new('--data', '--data', [CompletionResultType]::ParameterName, 'The directory of the database of the server in this program')
            [CompletionResult]::new('--token-file', '--token-file', [CompletionResultType]::ParameterName, 'The file that contains the token for the server; otherwise DIBBER_TOKEN')
            [CompletionResult]::new('--header', '--header', [CompletionResultType]::ParameterName, 'Send this header with every request to the server (can be repeated)')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long to wait for an answer, in seconds [default: 30]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour: auto, always or never')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print JSON')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Show what a server that is a program writes to standard error')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Show what a server that is a program writes to standard error')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print only results, warnings and errors')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print only results, warnings and errors')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'dibber;resource' {
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour: auto, always or never')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print only results, warnings and errors')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print only results, warnings and errors')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('read', 'read', [CompletionResultType]::ParameterValue, 'Print a resource of the server')
            break
        }
        'dibber;resource;read' {
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Save bytes that are not text as new files in this directory')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Save bytes that are not text as new files in this directory')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'The server: a URL, `stdio:COMMAND`, a configured name, or `local`')
            [CompletionResult]::new('--data', '--data', [CompletionResultType]::ParameterName, 'The directory of the database of the server in this program')
            [CompletionResult]::new('--token-file', '--token-file', [CompletionResultType]::ParameterName, 'The file that contains the token for the server; otherwise DIBBER_TOKEN')
            [CompletionResult]::new('--header', '--header', [CompletionResultType]::ParameterName, 'Send this header with every request to the server (can be repeated)')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long to wait for an answer, in seconds [default: 30]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour: auto, always or never')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the result as the server sent it, as JSON')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Show what a server that is a program writes to standard error')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Show what a server that is a program writes to standard error')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print only results, warnings and errors')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print only results, warnings and errors')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'dibber;prompts' {
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'The server: a URL, `stdio:COMMAND`, a configured name, or `local`')
            [CompletionResult]::new('--data', '--data', [CompletionResultType]::ParameterName, 'The directory of the database of the server in this program')
            [CompletionResult]::new('--token-file', '--token-file', [CompletionResultType]::ParameterName, 'The file that contains the token for the server; otherwise DIBBER_TOKEN')
            [CompletionResult]::new('--header', '--header', [CompletionResultType]::ParameterName, 'Send this header with every request to the server (can be repeated)')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long to wait for an answer, in seconds [default: 30]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour: auto, always or never')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print JSON')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Show what a server that is a program writes to standard error')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Show what a server that is a program writes to standard error')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print only results, warnings and errors')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print only results, warnings and errors')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'dibber;prompt' {
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour: auto, always or never')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print only results, warnings and errors')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print only results, warnings and errors')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('get', 'get', [CompletionResultType]::ParameterValue, 'Print a prompt of the server, filled in with arguments')
            break
        }
        'dibber;prompt;get' {
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Save images, audio and other bytes of the prompt as new files in this directory')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Save images, audio and other bytes of the prompt as new files in this directory')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'The server: a URL, `stdio:COMMAND`, a configured name, or `local`')
            [CompletionResult]::new('--data', '--data', [CompletionResultType]::ParameterName, 'The directory of the database of the server in this program')
            [CompletionResult]::new('--token-file', '--token-file', [CompletionResultType]::ParameterName, 'The file that contains the token for the server; otherwise DIBBER_TOKEN')
            [CompletionResult]::new('--header', '--header', [CompletionResultType]::ParameterName, 'Send this header with every request to the server (can be repeated)')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long to wait for an answer, in seconds [default: 30]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour: auto, always or never')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the result as the server sent it, as JSON')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Show what a server that is a program writes to standard error')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Show what a server that is a program writes to standard error')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print only results, warnings and errors')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print only results, warnings and errors')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'dibber;journal' {
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour: auto, always or never')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print only results, warnings and errors')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print only results, warnings and errors')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('list', 'list', [CompletionResultType]::ParameterValue, 'List the writes that were interrupted, the oldest first')
            [CompletionResult]::new('discard', 'discard', [CompletionResultType]::ParameterValue, 'Discard entries; the same command then starts a new write')
            break
        }
        'dibber;journal;list' {
            [CompletionResult]::new('--data', '--data', [CompletionResultType]::ParameterName, 'A directory of the embedded server''s database in which an earlier version kept a journal')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour: auto, always or never')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print JSON')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print only results, warnings and errors')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print only results, warnings and errors')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'dibber;journal;discard' {
            [CompletionResult]::new('--data', '--data', [CompletionResultType]::ParameterName, 'A directory of the embedded server''s database in which an earlier version kept a journal')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour: auto, always or never')
            [CompletionResult]::new('--all', '--all', [CompletionResultType]::ParameterName, 'Discard every entry')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Show what would be done, and change nothing')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Show what would be done, and change nothing')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print JSON, with the entries that were discarded')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print only results, warnings and errors')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print only results, warnings and errors')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'dibber;schema' {
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Write it to this file; `-` is standard output, the default')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Write it to this file; `-` is standard output, the default')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour: auto, always or never')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print only results, warnings and errors')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print only results, warnings and errors')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'dibber;completions' {
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Write it to this file; `-` is standard output, the default')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Write it to this file; `-` is standard output, the default')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour: auto, always or never')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print only results, warnings and errors')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print only results, warnings and errors')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'dibber;man' {
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Write it to this file; `-` is standard output, the default')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Write it to this file; `-` is standard output, the default')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour: auto, always or never')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print only results, warnings and errors')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print only results, warnings and errors')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'dibber;help' {
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour: auto, always or never')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print only results, warnings and errors')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print only results, warnings and errors')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
    })

    $completions.Where{ $_.CompletionText -like "$wordToComplete*" } |
        Sort-Object -Property ListItemText
}
