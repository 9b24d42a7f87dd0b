// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser

/// The script that connects a shell to a program, which completes the words itself.
///
/// Each script runs `PROGRAM ---complete WORD...` with the words up to the cursor. The first line of the answer is `words`
/// or `files` with the extensions, if any; each following line is a word, a tab and its summary.
enum CompletionScript {
    /// The option of a program that answers a script.
    static let request = "---complete"

    static func text(for shell: CompletionShell, program: String) -> String {
        let script =
            switch shell {
            case .zsh: zsh
            case .fish: fish
            default: bash
            }
        return script.replacing("PROGRAM", with: program)
    }

    private static let bash = #"""
        # Completion of PROGRAM for bash: the program itself completes the words.
        _PROGRAM() {
            local line="${COMP_LINE:-${COMP_WORDS[*]:0:COMP_CWORD+1}}" part word i answer kind="" name tail quote
            local -a words=()
            line="${line:0:${COMP_POINT:-${#line}}}"
            # Bash splits words at = and :, too. Parts without a space between them are one word.
            for ((i = 0; i <= COMP_CWORD; i++)); do
                part="${line#"${line%%[![:space:]]*}"}"
                word="${COMP_WORDS[i]}"
                ((i < COMP_CWORD)) || word="$part"
                if ((i > 0)) && [[ "$part" == "$line" ]]; then
                    words[${#words[@]}-1]+="$word"
                else
                    words+=("$word")
                fi
                line="${part#"$word"}"
            done
            # The program receives words without their quotes, of which the last one may be open.
            local quotes="\"'"
            for i in "${!words[@]}"; do
                part="${words[i]}" word="" quote=""
                while true; do
                    tail="${part%%[${quote:-$quotes}]*}"
                    word+="$tail"
                    [[ "$tail" != "$part" ]] || break
                    part="${part#"$tail"}"
                    if [[ -n "$quote" ]]; then quote=""; else quote="${part:0:1}"; fi
                    part="${part:1}"
                done
                words[i]="$word"
            done
            local current="$word" program="${words[0]/#\~/$HOME}"
            # What bash replaces is the part after the last quote, and outside quotes after the last of these.
            local breaks="${COMP_WORDBREAKS-}"
            breaks="${breaks//[^:=]/}"
            [[ -n "$quote" || -z "$breaks" ]] || tail="${tail##*[$breaks]}"
            local head="${current%"$tail"}"
            COMPREPLY=()
            # An alias is no command here.
            type -P -- "$program" >/dev/null || program=PROGRAM
            answer="$("$program" ---complete "${words[@]:1}" 2>/dev/null)" || return 0
            while IFS= read -r line; do
                if [[ -z "$kind" ]]; then
                    kind="$line"
                elif [[ -n "$line" ]]; then
                    name="${line%%$'\t'*}"
                    name="${name#"$head"}"
                    if [[ -z "$quote" ]]; then
                        printf -v name %q "$name"
                    elif [[ "$name" == *["$quotes\\\$\`"]* ]]; then
                        # These may have a meaning in the quotes.
                        continue
                    fi
                    COMPREPLY+=("$name")
                fi
            done <<<"$answer"
            [[ "$kind" == files* ]] || return 0
            compopt -o filenames 2>/dev/null
            [[ "$current" != --*=* ]] || current="${current#*=}"
            head="${current%"$tail"}"
            local -a filters=(-f)
            [[ "$kind" == files ]] || filters=(-d)
            for name in ${kind#files}; do filters+=("-fX!*.$name"); done
            for part in "${filters[@]}"; do
                while IFS= read -r line; do
                    [[ -z "$line" ]] || COMPREPLY+=("${line#"$head"}")
                done <<<"$(compgen "$part" -- "$current")"
            done
            # Readline's own completion knows quotes.
            ((${#COMPREPLY[@]} > 0)) || compopt -o default 2>/dev/null
            return 0
        }
        complete -F _PROGRAM PROGRAM
        """#

    private static let zsh = #"""
        #compdef PROGRAM
        # Completion of PROGRAM for zsh: the program itself completes the words.
        _PROGRAM() {
            local program=${(Q)words[1]} kind line name
            local -a answer patterns candidates
            answer=("${(@f)$(${~program} ---complete "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)}")
            kind=$answer[1]
            shift answer
            case $kind in
                files*)
                    compset -P '--*='
                    [[ $kind == files ]] || patterns=(${${=kind#files}/#/*.})
                    _files ${patterns:+-g} ${patterns:+"$patterns"}
                    ;;
                words)
                    for line in $answer; do
                        name=${line%%$'\t'*}
                        candidates+=("${name//:/\\:}${${line#*$'\t'}:+:${line#*$'\t'}}")
                    done
                    _describe -t values value candidates
                    ;;
            esac
        }
        if [[ $funcstack[1] == _PROGRAM ]]; then
            _PROGRAM "$@"
        else
            compdef _PROGRAM PROGRAM
        fi
        """#

    private static let fish = #"""
        # Completion of PROGRAM for fish: the program itself completes the words.
        function __PROGRAM_complete
            set -l words (commandline -opc)
            set -l current (commandline -ct)
            set -l program (string replace -r '^~/' "$HOME/" -- $words[1])
            set -e words[1]
            set -l answer ($program ---complete $words "$current" 2>/dev/null)
            set -l kind (string split ' ' -- $answer[1])
            set -e answer[1]
            switch "$kind[1]"
                case words
                    string join \n -- $answer
                case files
                    set -l option (string match -r '^--[^=]*=' -- "$current")
                    set -l paths (__fish_complete_path (string replace -r '^--[^=]*=' '' -- "$current"))
                    if set -q kind[2]
                        set -l extensions (string join '|' -- $kind[2..])
                        set paths (string match -r "^[^\t]*(?:/|\.(?:$extensions))(?:\t.*)?\$" -- $paths)
                    end
                    string join \n -- "$option"$paths
            end
        end
        complete -c PROGRAM -f -a '(__PROGRAM_complete)'
        """#
}
