// The code for the baseline instruction set, with the rules for all sets, and Bushka's alpha-beta
// search, which uses these rules.
#include "../search/alpha_beta/bushka.cpp"
#include "instruction_set.cpp"
#include "list.cpp"
