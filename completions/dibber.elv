
use builtin;
use str;

set edit:completion:arg-completer[dibber] = {|@words|
    fn spaces {|n|
        builtin:repeat $n ' ' | str:join ''
    }
    fn cand {|text desc|
        edit:complex-candidate $text &display=$text' '(spaces (- 14 (wcswidth $text)))$desc
    }
    var command = 'dibber'
    for word $words[1..-1] {
        if (str:has-prefix $word '-') {
            break
        }
        set command = $command';'$word
    }
    var completions = [
        &'dibber'= {
            cand --color 'When to use colour: auto, always or never'
            cand --verbose 'With `--version`, print the version of the time zone database, too'
            cand -h 'Print help'
            cand --help 'Print help'
            cand -V 'Print version'
            cand --version 'Print version'
            cand new 'Make a new skill from a template'
            cand lint 'Check skills'
            cand explain 'Explain a rule: what it does, why, and what to write instead'
            cand rules 'List the rules'
            cand dry-run 'Show what would be published, without a server'
            cand hash 'Print the spec-hash of a skill'
            cand push 'Publish skills'
            cand diff 'Show what a push would change'
            cand pull 'Write skills of a server into files'
            cand invoke 'Run a skill: print its prompt, filled in by the server'
            cand render 'Fill in the prompt of a skill, without a server'
            cand skill 'Show and change the skills of a server'
            cand heartbeat 'Preview and manage the schedules of skills'
            cand family 'Manage the family of the server in this program'
            cand guide 'Read the server''s guides for authors'
            cand names 'Keep the private list of children''s names'
            cand serve 'Serve the families of this machine to MCP clients'
            cand status 'Show the selected server and its health'
            cand tools 'List the tools of the server, or show one'
            cand call 'Call a tool of the server, and print what it answers'
            cand journal 'List and discard writes that were interrupted'
            cand doctor 'Check the data of the server in this program'
            cand schema 'Print the JSON Schema of a file or of the arguments of a tool'
            cand completions 'Print the completions for a shell'
            cand man 'Print the manual page, of dibber or of one command'
        }
        &'dibber;new'= {
            cand --template 'What to start from; `--list` shows the templates'
            cand --description 'What it does, and when to use it'
            cand --when 'When to use it, if the description does not say so: "a parent asks for the bus"'
            cand --label 'The title under which a family finds it [default: the name in words]'
            cand --for 'Which agent it is for [default: the template''s]'
            cand --ages 'The ages that it is for: 5-7'
            cand --input 'Something that is filled in at each run; may be repeated'
            cand --hand 'A tool that it uses, such as `task_list`; may be repeated'
            cand --schedule 'When it runs by itself, in five fields: "0 8 * * 1-5"'
            cand --tz 'The time zone of the schedule: `Europe/Berlin`'
            cand --canvas 'The id of a canvas that it links; may be repeated'
            cand --into 'The folder in which the skill''s folder is made'
            cand --color 'When to use colour: auto, always or never'
            cand --kid-callable 'Let a child launch it'
            cand --yes 'Ask no more than is needed, and write at once'
            cand --dry-run 'Show the files, and write nothing'
            cand --list 'List the templates'
            cand --json 'Print the files, or the list, as JSON'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'dibber;lint'= {
            cand --stdin-filename 'The path of the skill on standard input'
            cand --format 'The format of the report'
            cand -o 'Write the report to a file'
            cand --output 'Write the report to a file'
            cand -l 'Set the level of a rule, a group or `all`: allow, warn or deny (can be repeated)'
            cand --level 'Set the level of a rule, a group or `all`: allow, warn or deny (can be repeated)'
            cand --since 'Report only findings on lines changed since a git revision'
            cand --baseline 'Report only findings that are not in this baseline'
            cand --write-baseline 'Write all findings into a baseline, and report nothing'
            cand --config 'The configuration to use instead of the nearest `dibber.toml`'
            cand --color 'When to use colour: auto, always or never'
            cand --deny-warnings 'Exit with 1 for warnings, too'
            cand --fix 'Apply the safe fixes'
            cand --unsafe-fixes 'Apply the unsafe fixes, too, which should be reviewed'
            cand --diff 'Show the changes of the fixes as a diff, and write nothing'
            cand --no-config 'Use no `dibber.toml`'
            cand -q 'Do not print the closing line'
            cand --quiet 'Do not print the closing line'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'dibber;explain'= {
            cand --color 'When to use colour: auto, always or never'
            cand --json 'Print JSON'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'dibber;rules'= {
            cand --color 'When to use colour: auto, always or never'
            cand --json 'Print JSON, with the documentation of each rule'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'dibber;dry-run'= {
            cand --input 'Show the prompt with this input filled in, too; `NAME:=JSON` for other JSON than a string (can be repeated)'
            cand --input-file 'Take inputs from a JSON object in a file, or `-` for standard input'
            cand --expect 'Exit with 3 unless the skill has this spec-hash'
            cand --save 'Save the preview; with `--expect`, show what has changed since it was saved'
            cand --color 'When to use colour: auto, always or never'
            cand --json 'Print JSON, as the server would answer for each skill'
            cand --arguments 'Print nothing but the arguments of `skill_write`, for one skill'
            cand -q 'Print no closing line'
            cand --quiet 'Print no closing line'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'dibber;hash'= {
            cand --color 'When to use colour: auto, always or never'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'dibber;push'= {
            cand --expect 'Publish nothing unless the skill has this spec-hash'
            cand --server 'The server: an MCP endpoint, or `local` for the one in this program'
            cand --data 'Where the server in this program keeps its database'
            cand --token-file 'The file that holds the token for the server; otherwise DIBBER_TOKEN'
            cand --timeout 'How long to wait for an answer, in seconds [default: 30]'
            cand --color 'When to use colour: auto, always or never'
            cand -y 'Publish without asking'
            cand --yes 'Publish without asking'
            cand --dry-run 'Show what would be published, and publish nothing'
            cand --new 'Make new skills, whatever was published before'
            cand --force 'Overwrite what was changed on the server since the last push'
            cand -v 'List the skills that are up to date, too'
            cand --verbose 'List the skills that are up to date, too'
            cand --json 'Print JSON'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'dibber;diff'= {
            cand --server 'The server: an MCP endpoint, or `local` for the one in this program'
            cand --data 'Where the server in this program keeps its database'
            cand --token-file 'The file that holds the token for the server; otherwise DIBBER_TOKEN'
            cand --timeout 'How long to wait for an answer, in seconds [default: 30]'
            cand --color 'When to use colour: auto, always or never'
            cand --exit-code 'Exit with 1 when there is a change'
            cand -v 'List the skills that are up to date, too'
            cand --verbose 'List the skills that are up to date, too'
            cand --json 'Print JSON'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'dibber;pull'= {
            cand --into 'The folder to make the folders of skills in'
            cand --server 'The server: an MCP endpoint, or `local` for the one in this program'
            cand --data 'Where the server in this program keeps its database'
            cand --token-file 'The file that holds the token for the server; otherwise DIBBER_TOKEN'
            cand --timeout 'How long to wait for an answer, in seconds [default: 30]'
            cand --color 'When to use colour: auto, always or never'
            cand --force 'Overwrite files that have changes of their own'
            cand --dry-run 'Show what would be written, and write nothing'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'dibber;invoke'= {
            cand --input 'Fill in this input; `NAME:=JSON` for a value that is not a string (can be repeated)'
            cand --input-file 'Take inputs from a JSON object in a file, or `-` for standard input'
            cand --server 'The server: an MCP endpoint, or `local` for the one in this program'
            cand --data 'Where the server in this program keeps its database'
            cand --token-file 'The file that holds the token for the server; otherwise DIBBER_TOKEN'
            cand --timeout 'How long to wait for an answer, in seconds [default: 30]'
            cand --color 'When to use colour: auto, always or never'
            cand --json 'Print JSON'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'dibber;render'= {
            cand --input 'Fill in this input; `NAME:=JSON` for other JSON than a string (can be repeated)'
            cand --input-file 'Take inputs from a JSON object in a file, or `-` for standard input'
            cand --color 'When to use colour: auto, always or never'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'dibber;skill'= {
            cand --color 'When to use colour: auto, always or never'
            cand -h 'Print help'
            cand --help 'Print help'
            cand list 'List the skills of a server'
            cand get 'Show a skill of a server'
            cand update 'Change a skill of a server'
            cand post-result 'Post the result of a run to the family''s inbox'
            cand link 'Connect a folder with a skill of a server'
            cand unlink 'Forget which skill of a server a folder is'
        }
        &'dibber;skill;list'= {
            cand --limit 'The most skills'
            cand --category 'List only skills of this category'
            cand --server 'The server: an MCP endpoint, or `local` for the one in this program'
            cand --data 'Where the server in this program keeps its database'
            cand --token-file 'The file that holds the token for the server; otherwise DIBBER_TOKEN'
            cand --timeout 'How long to wait for an answer, in seconds [default: 30]'
            cand --color 'When to use colour: auto, always or never'
            cand --archived 'List archived skills, too'
            cand --json 'Print JSON'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'dibber;skill;get'= {
            cand --server 'The server: an MCP endpoint, or `local` for the one in this program'
            cand --data 'Where the server in this program keeps its database'
            cand --token-file 'The file that holds the token for the server; otherwise DIBBER_TOKEN'
            cand --timeout 'How long to wait for an answer, in seconds [default: 30]'
            cand --color 'When to use colour: auto, always or never'
            cand --json 'Print JSON'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'dibber;skill;update'= {
            cand --name 'Another label'
            cand --description 'Another summary'
            cand --prompt-file 'Take another prompt from a file'
            cand --kid-callable 'Whether a child may launch it: true or false'
            cand --age-range 'Other ages, such as 5-7'
            cand --add-canvas 'Link this canvas (can be repeated)'
            cand --remove-canvas 'Unlink this canvas (can be repeated)'
            cand --server 'The server: an MCP endpoint, or `local` for the one in this program'
            cand --data 'Where the server in this program keeps its database'
            cand --token-file 'The file that holds the token for the server; otherwise DIBBER_TOKEN'
            cand --timeout 'How long to wait for an answer, in seconds [default: 30]'
            cand --color 'When to use colour: auto, always or never'
            cand -y 'Change it without asking'
            cand --yes 'Change it without asking'
            cand --dry-run 'Show what would change, and change nothing'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'dibber;skill;post-result'= {
            cand --result-file 'Take the result from a file, or `-` for standard input'
            cand --server 'The server: an MCP endpoint, or `local` for the one in this program'
            cand --data 'Where the server in this program keeps its database'
            cand --token-file 'The file that holds the token for the server; otherwise DIBBER_TOKEN'
            cand --timeout 'How long to wait for an answer, in seconds [default: 30]'
            cand --color 'When to use colour: auto, always or never'
            cand --json 'Print JSON, as the server answers'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'dibber;skill;link'= {
            cand --server 'The server: an MCP endpoint, or `local` for the one in this program'
            cand --data 'Where the server in this program keeps its database'
            cand --token-file 'The file that holds the token for the server; otherwise DIBBER_TOKEN'
            cand --timeout 'How long to wait for an answer, in seconds [default: 30]'
            cand --color 'When to use colour: auto, always or never'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'dibber;skill;unlink'= {
            cand --server 'The server: an MCP endpoint, or `local` for the one in this program'
            cand --data 'Where the server in this program keeps its database'
            cand --token-file 'The file that holds the token for the server; otherwise DIBBER_TOKEN'
            cand --timeout 'How long to wait for an answer, in seconds [default: 30]'
            cand --color 'When to use colour: auto, always or never'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'dibber;heartbeat'= {
            cand --color 'When to use colour: auto, always or never'
            cand -h 'Print help'
            cand --help 'Print help'
            cand preview 'Show when heartbeats fire, in words and times, without a server'
            cand create 'Make heartbeats, from options or from sprout.yaml'
            cand describe 'Show what the server says of heartbeats, and make none'
            cand list 'List the heartbeats of the family'
            cand edit 'Give a heartbeat another schedule or another name'
            cand pause 'Pause a heartbeat until it is resumed'
            cand resume 'Resume a paused heartbeat'
            cand cancel 'Cancel a heartbeat for good; to stop it for a while, pause it'
            cand members 'Change who takes part in a heartbeat'
        }
        &'dibber;heartbeat;preview'= {
            cand --cron-file 'Read a list: a schedule on each line, or a schedule, a time zone and a name with tabs between them; `#` begins a comment'
            cand --tz 'The time zone of typed and listed schedules'
            cand --from 'Show the fires after this time, as RFC 3339 or in the zone of the first schedule; of a date, the whole day [default: now]'
            cand -n 'How many fires to show'
            cand --within 'Call fires that are up to so many minutes apart a conflict'
            cand --clock 'Write times with 12 hours, or with 24'
            cand --picture 'Draw a week by the hour, or a year by the day'
            cand --svg 'Write that picture to a file, as SVG; a week unless `--picture` says otherwise'
            cand --ics 'Write the fires to a file, as a calendar for other programs'
            cand --days 'How many days the calendar has'
            cand --color 'When to use colour: auto, always or never'
            cand --together 'Count all schedules together against the cap'
            cand --json 'Print JSON, with the names of a server''s answer'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'dibber;heartbeat;create'= {
            cand --cron 'When it fires: five fields, in quotes'
            cand --tz 'The time zone of the schedule [default: `America/New_York`]'
            cand --skill 'The skill that it runs: its folder, its label or its id'
            cand --assignment-skill 'The skill that makes the schedule, if there is one'
            cand --child 'The id of the child that it is for; `dibber family show` lists them'
            cand --chat 'The id of the chat whose participants it gets; otherwise the family''s'
            cand --input 'What an input of the skill is filled in with; `NAME:=JSON` for a value that is not a string (can be repeated)'
            cand --only 'Only the heartbeat of that name in sprout.yaml (can be repeated)'
            cand --server 'The server: an MCP endpoint, or `local` for the one in this program'
            cand --data 'Where the server in this program keeps its database'
            cand --token-file 'The file that holds the token for the server; otherwise DIBBER_TOKEN'
            cand --timeout 'How long to wait for an answer, in seconds [default: 30]'
            cand --color 'When to use colour: auto, always or never'
            cand --post-result 'Post what comes of it to the family''s inbox'
            cand --yes 'Make them without asking'
            cand --json 'Print JSON'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'dibber;heartbeat;describe'= {
            cand --cron 'When it fires: five fields, in quotes'
            cand --tz 'The time zone of the schedule [default: `America/New_York`]'
            cand --skill 'The skill that it runs: its folder, its label or its id'
            cand --assignment-skill 'The skill that makes the schedule, if there is one'
            cand --child 'The id of the child that it is for; `dibber family show` lists them'
            cand --chat 'The id of the chat whose participants it gets; otherwise the family''s'
            cand --input 'What an input of the skill is filled in with; `NAME:=JSON` for a value that is not a string (can be repeated)'
            cand --only 'Only the heartbeat of that name in sprout.yaml (can be repeated)'
            cand --server 'The server: an MCP endpoint, or `local` for the one in this program'
            cand --data 'Where the server in this program keeps its database'
            cand --token-file 'The file that holds the token for the server; otherwise DIBBER_TOKEN'
            cand --timeout 'How long to wait for an answer, in seconds [default: 30]'
            cand --color 'When to use colour: auto, always or never'
            cand --post-result 'Post what comes of it to the family''s inbox'
            cand --json 'Print JSON'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'dibber;heartbeat;list'= {
            cand --server 'The server: an MCP endpoint, or `local` for the one in this program'
            cand --data 'Where the server in this program keeps its database'
            cand --token-file 'The file that holds the token for the server; otherwise DIBBER_TOKEN'
            cand --timeout 'How long to wait for an answer, in seconds [default: 30]'
            cand --color 'When to use colour: auto, always or never'
            cand --json 'Print JSON'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'dibber;heartbeat;edit'= {
            cand --cron 'When it fires: five fields, in quotes'
            cand --tz 'The time zone of the schedule'
            cand --name 'Another name'
            cand --text 'Another text, for a heartbeat that runs no skill'
            cand --server 'The server: an MCP endpoint, or `local` for the one in this program'
            cand --data 'Where the server in this program keeps its database'
            cand --token-file 'The file that holds the token for the server; otherwise DIBBER_TOKEN'
            cand --timeout 'How long to wait for an answer, in seconds [default: 30]'
            cand --color 'When to use colour: auto, always or never'
            cand --json 'Print JSON'
            cand --yes 'Change it without asking'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'dibber;heartbeat;pause'= {
            cand --server 'The server: an MCP endpoint, or `local` for the one in this program'
            cand --data 'Where the server in this program keeps its database'
            cand --token-file 'The file that holds the token for the server; otherwise DIBBER_TOKEN'
            cand --timeout 'How long to wait for an answer, in seconds [default: 30]'
            cand --color 'When to use colour: auto, always or never'
            cand --json 'Print JSON'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'dibber;heartbeat;resume'= {
            cand --server 'The server: an MCP endpoint, or `local` for the one in this program'
            cand --data 'Where the server in this program keeps its database'
            cand --token-file 'The file that holds the token for the server; otherwise DIBBER_TOKEN'
            cand --timeout 'How long to wait for an answer, in seconds [default: 30]'
            cand --color 'When to use colour: auto, always or never'
            cand --json 'Print JSON'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'dibber;heartbeat;cancel'= {
            cand --server 'The server: an MCP endpoint, or `local` for the one in this program'
            cand --data 'Where the server in this program keeps its database'
            cand --token-file 'The file that holds the token for the server; otherwise DIBBER_TOKEN'
            cand --timeout 'How long to wait for an answer, in seconds [default: 30]'
            cand --color 'When to use colour: auto, always or never'
            cand --json 'Print JSON'
            cand --yes 'Cancel it without asking'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'dibber;heartbeat;members'= {
            cand --add 'Add this grown-up'
            cand --remove 'Remove this grown-up'
            cand --promote 'Make this grown-up an admin'
            cand --server 'The server: an MCP endpoint, or `local` for the one in this program'
            cand --data 'Where the server in this program keeps its database'
            cand --token-file 'The file that holds the token for the server; otherwise DIBBER_TOKEN'
            cand --timeout 'How long to wait for an answer, in seconds [default: 30]'
            cand --color 'When to use colour: auto, always or never'
            cand --json 'Print JSON'
            cand --leave 'Leave it yourself'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'dibber;family'= {
            cand --family 'Another family of the same database'
            cand --data 'The directory of the database of the server in this program'
            cand --color 'When to use colour: auto, always or never'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand show 'Show the family: ids, ages and canvases, but no name of a child'
            cand add-child 'Add a child; skills that contain its name are refused from then on'
            cand add-member 'Add a grown-up'
            cand add-canvas 'Add a canvas that skills can link'
            cand archive-skill 'Archive a skill, so that it can no longer be run'
            cand token 'Issue, list or revoke tokens for `dibber serve`'
        }
        &'dibber;family;show'= {
            cand --family 'Another family of the same database'
            cand --data 'The directory of the database of the server in this program'
            cand --color 'When to use colour: auto, always or never'
            cand --json 'Print JSON'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'dibber;family;add-child'= {
            cand --born 'The date of birth, such as 2019-04-30'
            cand --name 'The name, or `-` to read it from standard input; a name that is typed here stays in the history of your shell'
            cand --family 'Another family of the same database'
            cand --data 'The directory of the database of the server in this program'
            cand --color 'When to use colour: auto, always or never'
            cand --json 'Print JSON'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'dibber;family;add-member'= {
            cand --family 'Another family of the same database'
            cand --data 'The directory of the database of the server in this program'
            cand --color 'When to use colour: auto, always or never'
            cand --json 'Print JSON'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'dibber;family;add-canvas'= {
            cand --emoji 'An emoji for it'
            cand --ages 'The ages that it is for, such as 5-7; skills cannot link a canvas without them'
            cand --family 'Another family of the same database'
            cand --data 'The directory of the database of the server in this program'
            cand --color 'When to use colour: auto, always or never'
            cand --json 'Print JSON'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'dibber;family;archive-skill'= {
            cand --family 'Another family of the same database'
            cand --data 'The directory of the database of the server in this program'
            cand --color 'When to use colour: auto, always or never'
            cand --yes 'Do not ask for confirmation'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'dibber;family;token'= {
            cand --member 'The id of the grown-up; the default is the one who founded the family'
            cand --scope 'A scope of the token, such as `skill:read` (can be repeated); the default is every scope'
            cand --name 'A name for the token, which `--list` shows'
            cand --expires 'How long the token is valid, such as 30d, 12h or 1y; the default is until it is revoked'
            cand --output 'Issue a token, and write it to a file that only you will be able to read; `-` prints it'
            cand --revoke 'Revoke the token with this id (can be repeated)'
            cand --family 'Another family of the same database'
            cand --data 'The directory of the database of the server in this program'
            cand --color 'When to use colour: auto, always or never'
            cand --list 'List the tokens of the family: ids, names, scopes and times, but no secret'
            cand --json 'Print the list as JSON'
            cand --revoke-all 'Revoke every token of the grown-up, including that of `dibber serve`'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'dibber;guide'= {
            cand --server 'The server: an MCP endpoint, or `local` for the one in this program'
            cand --data 'Where the server in this program keeps its database'
            cand --token-file 'The file that holds the token for the server; otherwise DIBBER_TOKEN'
            cand --timeout 'How long to wait for an answer, in seconds [default: 30]'
            cand --color 'When to use colour: auto, always or never'
            cand --raw 'Print it as the server sends it, as Markdown'
            cand --json 'Print JSON'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'dibber;names'= {
            cand --color 'When to use colour: auto, always or never'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand add 'Add names'
            cand list 'Show how many names there are, and the initials of each'
            cand remove 'Take names out'
        }
        &'dibber;names;add'= {
            cand --color 'When to use colour: auto, always or never'
            cand --any-case 'Find names that are common words, such as Will, in lowercase, too'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'dibber;names;list'= {
            cand --color 'When to use colour: auto, always or never'
            cand --json 'Print JSON'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'dibber;names;remove'= {
            cand --color 'When to use colour: auto, always or never'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'dibber;serve'= {
            cand --listen 'The address and port to listen on; port 0 takes a free one'
            cand --data 'The directory of the database and the token; the default is `DIBBER_DATA`, or your state directory'
            cand --log 'The format of the log: human or json'
            cand --print-config 'Print the configuration that an MCP client needs for this server, and start nothing'
            cand --color 'When to use colour: auto, always or never'
            cand --stdio 'Use standard input and output instead, a message on a line'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'dibber;status'= {
            cand --server 'The server: an MCP endpoint, or `local` for the one in this program'
            cand --data 'Where the server in this program keeps its database'
            cand --token-file 'The file that holds the token for the server; otherwise DIBBER_TOKEN'
            cand --timeout 'How long to wait for an answer, in seconds [default: 30]'
            cand --color 'When to use colour: auto, always or never'
            cand --json 'Print JSON'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'dibber;tools'= {
            cand --server 'The server: an MCP endpoint, or `local` for the one in this program'
            cand --data 'Where the server in this program keeps its database'
            cand --token-file 'The file that holds the token for the server; otherwise DIBBER_TOKEN'
            cand --timeout 'How long to wait for an answer, in seconds [default: 30]'
            cand --color 'When to use colour: auto, always or never'
            cand --json 'Print JSON'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'dibber;call'= {
            cand --args-json 'The file with all arguments, a JSON object; `-` for standard input'
            cand --idempotency-key 'The idempotency key, in place of a new one; it asserts that the server honours keys'
            cand --output 'Save images, audio and other bytes of the answer as new files in this directory'
            cand --server 'The server: an MCP endpoint, or `local` for the one in this program'
            cand --data 'Where the server in this program keeps its database'
            cand --token-file 'The file that holds the token for the server; otherwise DIBBER_TOKEN'
            cand --timeout 'How long to wait for an answer, in seconds [default: 30]'
            cand --color 'When to use colour: auto, always or never'
            cand --json 'Print the result as the server sent it, as JSON'
            cand --new 'Send it, even if the outcome of the same call before is unknown'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'dibber;journal'= {
            cand --color 'When to use colour: auto, always or never'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand list 'List the writes that were interrupted, the oldest first'
            cand discard 'Discard entries; the same command then starts a new write'
        }
        &'dibber;journal;list'= {
            cand --data 'The directory of the embedded server''s database, in which the journal is'
            cand --color 'When to use colour: auto, always or never'
            cand --json 'Print JSON'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'dibber;journal;discard'= {
            cand --data 'The directory of the embedded server''s database, in which the journal is'
            cand --color 'When to use colour: auto, always or never'
            cand --all 'Discard every entry'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'dibber;doctor'= {
            cand --data 'The directory of the database; the default is `DIBBER_DATA`, or your state directory'
            cand --color 'When to use colour: auto, always or never'
            cand --json 'Print JSON'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'dibber;schema'= {
            cand --color 'When to use colour: auto, always or never'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'dibber;completions'= {
            cand --color 'When to use colour: auto, always or never'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'dibber;man'= {
            cand --color 'When to use colour: auto, always or never'
            cand -h 'Print help'
            cand --help 'Print help'
        }
    ]
    $completions[$command]
}
