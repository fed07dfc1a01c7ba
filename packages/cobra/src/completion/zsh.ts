export const zshScript = (program: string): string => `#compdef ${program}
# zsh completion for ${program}

_${fn(program)}() {
    local line directive=0 name about
    local -a asked candidates flags

    asked=("\${(@)words[2,CURRENT]}")
    (( \${#asked} )) || asked=("")

    while IFS= read -r line; do
        if [[ "\${line}" == :<-> ]]; then
            directive="\${line#:}"
        elif [[ -n "\${line}" ]]; then
            name="\${line%%$'\\t'*}"
            about="\${line#*$'\\t'}"
            name="\${name//:/\\\\:}"
            [[ "\${line}" == *$'\\t'* ]] && candidates+=("\${name}:\${about}") || candidates+=("\${name}")
        fi
    done < <("\${words[1]}" __complete "\${asked[@]}" 2>/dev/null)

    (( directive & 1 )) && return
    (( directive & 2 )) && flags+=(-S '')
    if (( directive & 8 )); then
        _files -g "*.(\${(j:|:)candidates})"
    elif (( directive & 16 )); then
        _files -/
    elif (( \${#candidates} )); then
        (( directive & 32 )) && flags+=(-V unsorted)
        _describe 'completions' candidates "\${flags[@]}"
    elif (( (directive & 4) == 0 )); then
        _files
    fi
}

# When it is sourced instead of found on fpath.
if [[ "\${funcstack[1]}" != "_${fn(program)}" ]]; then
    compdef _${fn(program)} ${program}
fi
`;

const fn = (program: string): string => program.replace(/\W/g, '_');
