# Completes 'kvs'; made by 'kvs completion fish'. For this shell: kvs completion fish | source

function __kvs_subcommands
  switch "$argv[1]"
@SUBCOMMANDS@
  end
end

function __kvs_options
  switch "$argv[1]"
@OPTIONS@
  end
end

# Prints the kind of value that an option takes: words, <file>, <tenant>, <map>, <store>, or <any>; nothing if it takes none.
function __kvs_value
  switch "$argv[1] $argv[2]"
@VALUES@
  end
end

# The same of the argument with this index.
function __kvs_argument
  switch "$argv[1] $argv[2]"
@ARGUMENTS@
  end
end

function __kvs_offer --argument-names begin kind lead program
  switch "$kind"
    case '<file>'
      set -l files (__fish_complete_path "$begin")
      string replace -r '^' -- "$lead" $files
    case '<tenant>'
      string replace -r '^' -- "$lead" ($program names tenants "$begin" $argv[5..-1] 2>/dev/null </dev/null)
    case '<store>'
      string replace -r '^' -- "$lead" ($program names stores "$begin" $argv[5..-1] 2>/dev/null </dev/null)
    case '<map>'
      string replace -r '^' -- "$lead" ($program names maps "$begin" $argv[5..-1] 2>/dev/null </dev/null)
    case '<*'
    case '*'
      string replace -r '^' -- "$lead" (string split -n ' ' -- "$kind")
  end
end

function __kvs_complete
  set -l words (commandline -opc)
  set -l cur (commandline -ct)
  set -l path kvs
  set -l option
  set -l n 0
  set -l at
  set -l program $words[1]
  for word in $words[2..-1]
    if test -n "$option"
      if contains -- $option --url --key-file
        set -a at $option $word
      end
      set option
      continue
    end
    switch "$word"
      case '--*=*'
      case '-*'
        if test -n (__kvs_value "$path" "$word" | string collect -a)
          set option $word
        end
      case '*'
        if contains -- $word (string split -n ' ' -- (__kvs_subcommands "$path"))
          set path "$path $word"
          set n 0
        else
          set n (math $n + 1)
        end
    end
  end
  set -l lead ''
  if test -z "$option"; and string match -q -- '--*=*' "$cur"
    set option (string split -m 1 = -- "$cur")[1]
    set lead "$option="
    set cur (string split -m 1 = -- "$cur")[2]
  end
  if test -n "$option"
    __kvs_offer "$cur" (__kvs_value "$path" "$option" | string collect -a) "$lead" $program $at
  else if string match -q -- '-*' "$cur"
    __kvs_offer "$cur" (__kvs_options "$path" | string collect -a) '' $program $at
  else
    set -l kind (__kvs_subcommands "$path" | string collect -a)
    if test -z "$kind"
      set kind (__kvs_argument "$path" $n | string collect -a)
    end
    __kvs_offer "$cur" "$kind" '' $program $at
  end
end

complete -c kvs -f -a '(__kvs_complete)'
