#!/bin/bash
# An engine in another language: it speaks GTP without rules, and plays the first point of a list
# that was never occupied. With `first_point.sh FAULT FLAG` it shows a fault at its second move,
# unless the file FLAG exists, which it then creates.
fault=$1 flag=$2 width=9 height=9
declare -a played
answer() { printf '= %s\n\n' "$1"; }
misbehave() {
  [ -n "$fault" ] && [ ! -e "$flag" ] && [ ${#played[@]} -ge 2 ] || return 1
  [ "$fault" = always ] || touch "$flag"
  case $fault in
    dies | always) echo 'out of luck' >&2; exit 3 ;;
    hangs) sleep 1000 ;;
    floods) while :; do echo 'what a nice move, and another, and another'; done ;;
    lies) answer "${played[0]}"; return 0 ;;
    talks) answer Z99; return 0 ;;
  esac
}
free_point() {
  for ((y = 1; y <= height; y++)); do
    for ((x = 0; x < width; x++)); do
      point=${letters:x:1}$y
      [[ " ${played[*]} " == *" $point "* ]] || return
    done
  done
}
letters=ABCDEFGHJKLMNOPQRSTUVWXYZ
while read -r name first second _; do
  case $name in
    '' | '#'*) ;;
    name) answer 'First point' ;;
    version) answer 1 ;;
    protocol_version) answer 2 ;;
    list_commands) answer $'name\nversion\nboardsize\nclear_board\nplay\ngenmove\nundo\nquit' ;;
    boardsize) width=$first height=${second:-$first} played=(); answer ;;
    clear_board) played=(); answer ;;
    play) played+=("${second^^}"); answer ;;
    undo) unset 'played[-1]'; answer ;;
    genmove) misbehave && continue; free_point; played+=("$point"); answer "$point" ;;
    quit) answer; exit ;;
    *) printf '? unknown command\n\n' ;;
  esac
done
