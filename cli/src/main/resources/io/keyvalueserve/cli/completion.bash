# Completes 'kvs'; made by 'kvs completion bash'. For this shell: source <(kvs completion bash)

_kvs_subcommands() {
  case "$1" in
@SUBCOMMANDS@
  *) REPLY= ;;
  esac
}

_kvs_options() {
  case "$1" in
@OPTIONS@
  *) REPLY= ;;
  esac
}

# Prints the kind of value that an option takes: words, <file>, <tenant>, <map>, <store>, or <any>; nothing if it takes none.
_kvs_value() {
  case "$1 $2" in
@VALUES@
  *) REPLY= ;;
  esac
}

# The same of the argument with this index.
_kvs_argument() {
  case "$1 $2" in
@ARGUMENTS@
  *) REPLY= ;;
  esac
}

# Names that the server knows; nothing if it does not answer at once.
_kvs_names() {
  REPLY=$("$_kvs_program" names "$1" "$2" ${_kvs_at[@]+"${_kvs_at[@]}"} 2>/dev/null </dev/null)
}

_kvs_offer() {
  local begin=$1 word list
  case "$2" in
  '<file>') list=$(compgen -f -- "$begin") ;;
  '<tenant>') _kvs_names tenants "$begin"; list=$REPLY ;;
  '<store>') _kvs_names stores "$begin"; list=$REPLY ;;
  '<map>')
    _kvs_names maps "$begin"; list=$REPLY
    [[ $list == */ ]] && compopt -o nospace 2>/dev/null ;;
  '<'*) list= ;;
  *) list=$(printf '%s\n' $2) ;;
  esac
  while IFS= read -r word; do
    if [[ -n $word && $word == "$begin"* ]]; then COMPREPLY+=("$3$word"); fi
  done <<<"$list"
}

_kvs() {
  local IFS=$' \t\n' REPLY cur=${COMP_WORDS[COMP_CWORD]} place=kvs option= n=0 i word lead=
  local _kvs_program=${COMP_WORDS[0]} _kvs_at=()
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=${COMP_WORDS[i]}
    case "$word" in
    =) i=$((i + 1)); option=${COMP_WORDS[i - 2]} ;;
    -*)
      option=
      _kvs_value "$place" "$word"
      if [[ -n $REPLY && ${COMP_WORDS[i + 1]-} != '=' ]]; then i=$((i + 1)); option=$word; fi
      if [[ $word == --url || $word == --key-file ]]; then _kvs_at+=("$word" "${COMP_WORDS[i]}"); fi ;;
    *)
      option=
      _kvs_subcommands "$place"
      if [[ " $REPLY " == *" $word "* ]]; then place="$place $word"; n=0; else n=$((n + 1)); fi ;;
    esac
  done
  if [[ $i -eq $COMP_CWORD ]]; then option=; fi # the last option has its value
  if [[ $cur == '=' ]]; then cur=; option=${COMP_WORDS[COMP_CWORD - 1]}; fi
  if [[ $cur == --*=* ]]; then option=${cur%%=*}; cur=${cur#*=}; lead=$option=; fi
  if [[ -n $option ]]; then
    _kvs_value "$place" "$option"; _kvs_offer "$cur" "$REPLY" "$lead"
  elif [[ $cur == -* ]]; then
    _kvs_options "$place"; _kvs_offer "$cur" "$REPLY" ''
  else
    _kvs_subcommands "$place"
    if [[ -z $REPLY ]]; then _kvs_argument "$place" "$n"; fi
    _kvs_offer "$cur" "$REPLY" ''
  fi
}

complete -o default -F _kvs kvs ./kvs
