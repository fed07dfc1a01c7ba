export const fishScript = (program: string): string => `# fish completion for ${program}

function __${fn(program)}_ask
    set -l words (commandline -opc)
    set -l asked $words[2..-1] (commandline -ct)
    $words[1] __complete $asked 2>/dev/null
end

function __${fn(program)}_directive
    string match -r '^:\\d+$' -- (__${fn(program)}_ask) | string sub -s 2
end

function __${fn(program)}_candidates
    set -l lines (__${fn(program)}_ask)
    set -l directive (string match -r '^:\\d+$' -- $lines | string sub -s 2)
    test (math "bitand($directive, 1)") -eq 1; and return
    if test (math "bitand($directive, 16)") -ne 0
        __fish_complete_directories (commandline -ct)
        return
    end
    set -l found (string match -v -r '^:\\d+$' -- $lines)
    if test (math "bitand($directive, 8)") -ne 0
        # The candidates are extensions: directories, and the files that end in one of them.
        __fish_complete_directories (commandline -ct)
        for extension in $found
            __fish_complete_suffix (commandline -ct) ".$extension"
        end
        return
    end
    if test (count $found) -eq 0; and test (math "bitand($directive, 4)") -eq 0
        __fish_complete_path (commandline -ct)
        return
    end
    printf '%s\\n' $found
end

complete -c ${program} -e
complete -c ${program} -f -k -a '(__${fn(program)}_candidates)'
`;

const fn = (program: string): string => program.replace(/\W/g, '_');
