# Print an optspec for argparse to handle cmd's options that are independent of any subcommand.
function __fish_rhoso_fn_global_optspecs
    string join \n h/help V/version
end

function __fish_rhoso_fn_needs_command
    # Figure out if the current invocation already has a command.
    set -l cmd (commandline -opc)
    set -e cmd[1]
    argparse -s (__fish_rhoso_fn_global_optspecs) -- $cmd 2>/dev/null
    or return
    if set -q argv[1]
        # Also print the command, so this can be used to figure out what it is.
        echo $argv[1]
        return 1
    end
    return 0
end

function __fish_rhoso_fn_using_subcommand
    set -l cmd (__fish_rhoso_fn_needs_command)
    test -z "$cmd"
    and return 1
    contains -- $cmd[1] $argv
end

complete -c rhoso-fn -n "__fish_rhoso_fn_needs_command" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rhoso-fn -n "__fish_rhoso_fn_needs_command" -s V -l version -d 'Print version'
complete -c rhoso-fn -n "__fish_rhoso_fn_needs_command" -f -a "list" -d 'List the functions'
complete -c rhoso-fn -n "__fish_rhoso_fn_needs_command" -f -a "explain" -d 'Print the reference for a function, a field, a rule, a GPU or an instance type'
complete -c rhoso-fn -n "__fish_rhoso_fn_needs_command" -f -a "rules" -d 'List the rules that findings refer to, one per line'
complete -c rhoso-fn -n "__fish_rhoso_fn_needs_command" -f -a "schema" -d 'Print the JSON schema of a functionConfig, for editors'
complete -c rhoso-fn -n "__fish_rhoso_fn_needs_command" -f -a "init" -d 'Print a functionConfig to fill in, or write an example'
complete -c rhoso-fn -n "__fish_rhoso_fn_needs_command" -f -a "install" -d 'Copy this binary into a directory, for images without a shell'
complete -c rhoso-fn -n "__fish_rhoso_fn_needs_command" -f -a "new-secrets" -d 'Print new OpenStack Secrets with strong random values'
complete -c rhoso-fn -n "__fish_rhoso_fn_needs_command" -f -a "check" -d 'Report defects of manifests: addresses that collide, names that do not match, settings without effect'
complete -c rhoso-fn -n "__fish_rhoso_fn_needs_command" -f -a "import" -d 'Convert environment files of install_yamls to a GenerateInstances functionConfig'
complete -c rhoso-fn -n "__fish_rhoso_fn_needs_command" -f -a "map" -d 'Show the address plan of manifests: subnets, their ranges and addresses, and what collides'
complete -c rhoso-fn -n "__fish_rhoso_fn_needs_command" -f -a "diff" -d 'Compare objects by field, not by line'
complete -c rhoso-fn -n "__fish_rhoso_fn_needs_command" -f -a "render" -d 'Run functions on plain files, without kustomize or kpt'
complete -c rhoso-fn -n "__fish_rhoso_fn_needs_command" -f -a "completions" -d 'Print a script that completes commands and options in a shell'
complete -c rhoso-fn -n "__fish_rhoso_fn_needs_command" -f -a "man" -d 'Print a manual page, or write all of them to a directory'
complete -c rhoso-fn -n "__fish_rhoso_fn_needs_command" -f -a "version" -d 'Print the version'
complete -c rhoso-fn -n "__fish_rhoso_fn_needs_command" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c rhoso-fn -n "__fish_rhoso_fn_using_subcommand list" -s o -l output -d 'The format' -r -f -a "text\t''
json\t''"
complete -c rhoso-fn -n "__fish_rhoso_fn_using_subcommand list" -s h -l help -d 'Print help'
complete -c rhoso-fn -n "__fish_rhoso_fn_using_subcommand explain" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rhoso-fn -n "__fish_rhoso_fn_using_subcommand rules" -s h -l help -d 'Print help'
complete -c rhoso-fn -n "__fish_rhoso_fn_using_subcommand schema" -s o -l output -d 'The directory of `--all`. It is created if it does not exist' -r -F
complete -c rhoso-fn -n "__fish_rhoso_fn_using_subcommand schema" -l all -d 'Write the schemas of all kinds to DIR, and one for any of them'
complete -c rhoso-fn -n "__fish_rhoso_fn_using_subcommand schema" -s h -l help -d 'Print help'
complete -c rhoso-fn -n "__fish_rhoso_fn_using_subcommand init" -l example -d 'Write a complete example to DIR. Existing files are never replaced' -r
complete -c rhoso-fn -n "__fish_rhoso_fn_using_subcommand init" -l schemas -d 'Where editors find the schemas: a directory or URL' -r
complete -c rhoso-fn -n "__fish_rhoso_fn_using_subcommand init" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rhoso-fn -n "__fish_rhoso_fn_using_subcommand install" -l plugin-home -d 'Create a plugin home, for hosts without `--enable-exec`' -r -F
complete -c rhoso-fn -n "__fish_rhoso_fn_using_subcommand install" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rhoso-fn -n "__fish_rhoso_fn_using_subcommand new-secrets" -s n -l namespace -d 'The namespace of the Secrets' -r
complete -c rhoso-fn -n "__fish_rhoso_fn_using_subcommand new-secrets" -s o -l output -d 'Write to FILE with mode 0600; never overwrites an existing file' -r -F
complete -c rhoso-fn -n "__fish_rhoso_fn_using_subcommand new-secrets" -l env -d 'Print KEY=VALUE lines instead, for GenerateSecrets'
complete -c rhoso-fn -n "__fish_rhoso_fn_using_subcommand new-secrets" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rhoso-fn -n "__fish_rhoso_fn_using_subcommand check" -l exclude -d 'Skip files and directories that match, as in .gitignore' -r
complete -c rhoso-fn -n "__fish_rhoso_fn_using_subcommand check" -l format -d 'The format of the report' -r -f -a "text\t'The affected source lines, for people'
json\t''
sarif\t'SARIF 2.1.0, for code scanning'
github\t'GitHub workflow commands, which annotate a pull request'"
complete -c rhoso-fn -n "__fish_rhoso_fn_using_subcommand check" -s o -l output -d 'Write the report to FILE instead of stdout' -r -F
complete -c rhoso-fn -n "__fish_rhoso_fn_using_subcommand check" -l select -d 'Run only these rules or groups of rules; `all` includes pedantic ones' -r
complete -c rhoso-fn -n "__fish_rhoso_fn_using_subcommand check" -l ignore -d 'Do not run these rules or groups of rules' -r
complete -c rhoso-fn -n "__fish_rhoso_fn_using_subcommand check" -l crds -d 'Use the fields of these CRDs: files or directories, such as what `oc get crd -o yaml` prints. For kinds without a CRD there, the built-in fields are used' -r -F
complete -c rhoso-fn -n "__fish_rhoso_fn_using_subcommand check" -l ran -d 'Fail if functions of a package, or of a file, have not run' -r -F
complete -c rhoso-fn -n "__fish_rhoso_fn_using_subcommand check" -l color -d 'When to use colors; NO_COLOR turns them off' -r -f -a "auto\t''
always\t''
never\t''"
complete -c rhoso-fn -n "__fish_rhoso_fn_using_subcommand check" -s v -l verbose -d 'Also show infos'
complete -c rhoso-fn -n "__fish_rhoso_fn_using_subcommand check" -l strict -d 'Also fail on warnings'
complete -c rhoso-fn -n "__fish_rhoso_fn_using_subcommand check" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rhoso-fn -n "__fish_rhoso_fn_using_subcommand import" -l nodes -d 'The worker nodes, instead of those in NNCP_NODES' -r
complete -c rhoso-fn -n "__fish_rhoso_fn_using_subcommand import" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rhoso-fn -n "__fish_rhoso_fn_using_subcommand map" -l exclude -d 'Skip files and directories that match, as in .gitignore' -r
complete -c rhoso-fn -n "__fish_rhoso_fn_using_subcommand map" -s o -l output -d 'Write the map to FILE as a page for browsers, which needs no other file' -r -F
complete -c rhoso-fn -n "__fish_rhoso_fn_using_subcommand map" -l color -d 'When to use colors; NO_COLOR turns them off' -r -f -a "auto\t''
always\t''
never\t''"
complete -c rhoso-fn -n "__fish_rhoso_fn_using_subcommand map" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rhoso-fn -n "__fish_rhoso_fn_using_subcommand diff" -l exclude -d 'Skip files and directories that match, as in .gitignore' -r
complete -c rhoso-fn -n "__fish_rhoso_fn_using_subcommand diff" -l format -d 'The format; `markdown` is for a comment on a pull request' -r -f -a "text\t''
json\t''
markdown\t''"
complete -c rhoso-fn -n "__fish_rhoso_fn_using_subcommand diff" -l color -d 'When to use colors; NO_COLOR turns them off' -r -f -a "auto\t''
always\t''
never\t''"
complete -c rhoso-fn -n "__fish_rhoso_fn_using_subcommand diff" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rhoso-fn -n "__fish_rhoso_fn_using_subcommand render" -l exclude -d 'Skip files and directories that match, as in .gitignore' -r
complete -c rhoso-fn -n "__fish_rhoso_fn_using_subcommand render" -s o -l output -d 'Write the files that differ to this directory: either all or none' -r -F
complete -c rhoso-fn -n "__fish_rhoso_fn_using_subcommand render" -l color -d 'When to use colors; NO_COLOR turns them off' -r -f -a "auto\t''
always\t''
never\t''"
complete -c rhoso-fn -n "__fish_rhoso_fn_using_subcommand render" -l format -d 'The format of the findings on stderr' -r -f -a "text\t''
json\t''"
complete -c rhoso-fn -n "__fish_rhoso_fn_using_subcommand render" -l report -d 'Also write the findings to FILE as JSON' -r -F
complete -c rhoso-fn -n "__fish_rhoso_fn_using_subcommand render" -l diff -d 'Print what would change as a unified diff, and write nothing'
complete -c rhoso-fn -n "__fish_rhoso_fn_using_subcommand render" -l check -d 'Fail if anything would change, and write nothing'
complete -c rhoso-fn -n "__fish_rhoso_fn_using_subcommand render" -s v -l verbose -d 'Also show infos'
complete -c rhoso-fn -n "__fish_rhoso_fn_using_subcommand render" -l strict -d 'Also fail on warnings'
complete -c rhoso-fn -n "__fish_rhoso_fn_using_subcommand render" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c rhoso-fn -n "__fish_rhoso_fn_using_subcommand completions" -s h -l help -d 'Print help'
complete -c rhoso-fn -n "__fish_rhoso_fn_using_subcommand man" -s o -l output -d 'Write all pages to DIR, such as ~/.local/share/man/man1' -r -F
complete -c rhoso-fn -n "__fish_rhoso_fn_using_subcommand man" -s h -l help -d 'Print help'
complete -c rhoso-fn -n "__fish_rhoso_fn_using_subcommand version" -s h -l help -d 'Print help'
complete -c rhoso-fn -n "__fish_rhoso_fn_using_subcommand help; and not __fish_seen_subcommand_from list explain rules schema init install new-secrets check import map diff render completions man version help" -f -a "list" -d 'List the functions'
complete -c rhoso-fn -n "__fish_rhoso_fn_using_subcommand help; and not __fish_seen_subcommand_from list explain rules schema init install new-secrets check import map diff render completions man version help" -f -a "explain" -d 'Print the reference for a function, a field, a rule, a GPU or an instance type'
complete -c rhoso-fn -n "__fish_rhoso_fn_using_subcommand help; and not __fish_seen_subcommand_from list explain rules schema init install new-secrets check import map diff render completions man version help" -f -a "rules" -d 'List the rules that findings refer to, one per line'
complete -c rhoso-fn -n "__fish_rhoso_fn_using_subcommand help; and not __fish_seen_subcommand_from list explain rules schema init install new-secrets check import map diff render completions man version help" -f -a "schema" -d 'Print the JSON schema of a functionConfig, for editors'
complete -c rhoso-fn -n "__fish_rhoso_fn_using_subcommand help; and not __fish_seen_subcommand_from list explain rules schema init install new-secrets check import map diff render completions man version help" -f -a "init" -d 'Print a functionConfig to fill in, or write an example'
complete -c rhoso-fn -n "__fish_rhoso_fn_using_subcommand help; and not __fish_seen_subcommand_from list explain rules schema init install new-secrets check import map diff render completions man version help" -f -a "install" -d 'Copy this binary into a directory, for images without a shell'
complete -c rhoso-fn -n "__fish_rhoso_fn_using_subcommand help; and not __fish_seen_subcommand_from list explain rules schema init install new-secrets check import map diff render completions man version help" -f -a "new-secrets" -d 'Print new OpenStack Secrets with strong random values'
complete -c rhoso-fn -n "__fish_rhoso_fn_using_subcommand help; and not __fish_seen_subcommand_from list explain rules schema init install new-secrets check import map diff render completions man version help" -f -a "check" -d 'Report defects of manifests: addresses that collide, names that do not match, settings without effect'
complete -c rhoso-fn -n "__fish_rhoso_fn_using_subcommand help; and not __fish_seen_subcommand_from list explain rules schema init install new-secrets check import map diff render completions man version help" -f -a "import" -d 'Convert environment files of install_yamls to a GenerateInstances functionConfig'
complete -c rhoso-fn -n "__fish_rhoso_fn_using_subcommand help; and not __fish_seen_subcommand_from list explain rules schema init install new-secrets check import map diff render completions man version help" -f -a "map" -d 'Show the address plan of manifests: subnets, their ranges and addresses, and what collides'
complete -c rhoso-fn -n "__fish_rhoso_fn_using_subcommand help; and not __fish_seen_subcommand_from list explain rules schema init install new-secrets check import map diff render completions man version help" -f -a "diff" -d 'Compare objects by field, not by line'
complete -c rhoso-fn -n "__fish_rhoso_fn_using_subcommand help; and not __fish_seen_subcommand_from list explain rules schema init install new-secrets check import map diff render completions man version help" -f -a "render" -d 'Run functions on plain files, without kustomize or kpt'
complete -c rhoso-fn -n "__fish_rhoso_fn_using_subcommand help; and not __fish_seen_subcommand_from list explain rules schema init install new-secrets check import map diff render completions man version help" -f -a "completions" -d 'Print a script that completes commands and options in a shell'
complete -c rhoso-fn -n "__fish_rhoso_fn_using_subcommand help; and not __fish_seen_subcommand_from list explain rules schema init install new-secrets check import map diff render completions man version help" -f -a "man" -d 'Print a manual page, or write all of them to a directory'
complete -c rhoso-fn -n "__fish_rhoso_fn_using_subcommand help; and not __fish_seen_subcommand_from list explain rules schema init install new-secrets check import map diff render completions man version help" -f -a "version" -d 'Print the version'
complete -c rhoso-fn -n "__fish_rhoso_fn_using_subcommand help; and not __fish_seen_subcommand_from list explain rules schema init install new-secrets check import map diff render completions man version help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
