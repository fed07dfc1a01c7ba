/** Works with and without the bash-completion package. */
export const bashScript = (program: string): string => `# bash completion for ${program}

_${fn(program)}_complete() {
    local word="\${COMP_WORDS[COMP_CWORD]}" line directive=0
    local -a asked=() candidates=()

    # Words as the shell splits them, but with --name=value put together again.
    local i text="\${COMP_LINE:0:COMP_POINT}"
    read -r -a asked <<< "\${text#* }"
    [[ "\${text}" == *" " || \${#asked[@]} -eq 0 ]] && asked+=("")
    word="\${asked[\${#asked[@]}-1]}"

    while IFS= read -r line; do
        if [[ "\${line}" == :* ]]; then
            directive="\${line#:}"
        elif [[ -n "\${line}" ]]; then
            candidates+=("\${line%%$'\\t'*}")
        fi
    done < <("\${COMP_WORDS[0]}" __completeNoDesc "\${asked[@]}" 2>/dev/null)

    (( directive & 1 )) && return
    (( directive & 2 )) && compopt -o nospace 2>/dev/null
    (( directive & 32 )) && compopt -o nosort 2>/dev/null
    if (( directive & 8 )); then
        for i in "\${candidates[@]}"; do
            while IFS= read -r line; do COMPREPLY+=("\${line}"); done < <(compgen -f -X "!*.\${i}" -- "\${word}")
        done
        return
    fi
    if (( directive & 16 )); then
        while IFS= read -r line; do COMPREPLY+=("\${line}"); done < <(compgen -d -- "\${word}")
        return
    fi
    # bash takes "=" and ":" for the end of a word: give back only what follows them.
    local prefix=""
    case "\${word}" in *[=:]*) prefix="\${word%"\${word##*[=:]}"}" ;; esac
    for i in "\${candidates[@]}"; do
        [[ "\${i}" == "\${word}"* ]] && COMPREPLY+=("\${i#"\${prefix}"}")
    done
    if (( \${#COMPREPLY[@]} == 0 && (directive & 4) == 0 )); then
        while IFS= read -r line; do COMPREPLY+=("\${line}"); done < <(compgen -f -- "\${word##*=}")
    fi
}

complete -o default -F _${fn(program)}_complete ${program}
`;

const fn = (program: string): string => program.replace(/\W/g, '_');
