// The code of the plainest instruction set, which has the rules for all, and the search that goes by
// Bushka's.
#include "../search/alpha_beta/bushka.cpp"
#include "instruction_set.cpp"
#include "list.cpp"
