#!/usr/bin/env bash
# godash 2.1.0 (npm), sgfToJS: a property with two values, the form in which every program
# writes a position (`AW[cc][dd]`), is "Invalid SGF". A repeated property, which FF[4] forbids, is
# accepted, and the last value silently replaces the first: one stone of two.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
npm install --silent --no-audit --no-fund --prefix "$folder" godash@2.1.0
cd "$folder"
output=$(node -e '
const { sgfToJS } = require("godash");
for (const text of ["(;SZ[9]AW[cc][dd])", "(;SZ[9]AW[cc]AW[dd])"]) {
  try {
    console.log(text, JSON.stringify(sgfToJS(text)));
  } catch (error) {
    console.log(text, error.message);
  }
}')
echo "$output"
[ "$output" = '(;SZ[9]AW[cc][dd]) Invalid SGF
(;SZ[9]AW[cc]AW[dd]) [{"SZ":"9","AW":"dd"}]' ]
