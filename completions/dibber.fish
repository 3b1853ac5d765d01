complete --keep-order --exclusive --command dibber --arguments "(COMPLETE=fish dibber -- (commandline --current-process --tokenize --cut-at-cursor) (commandline --current-token))"
