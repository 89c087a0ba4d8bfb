// The code of the plainest instruction set, with the rules for all sets, and Bushka's alpha-beta
// search, which uses its rules.
#include "../search/alpha_beta/bushka.cpp"
#include "instruction_set.cpp"
#include "list.cpp"
