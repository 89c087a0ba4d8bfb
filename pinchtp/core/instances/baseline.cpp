// The code of the plainest instruction set, which has the rules for all.
#include "instruction_set.cpp"
#include "list.cpp"
