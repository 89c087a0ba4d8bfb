// The code that is compiled once for all instruction sets, as one translation unit
// (instances/instruction_set.cpp). The rules and Bushka's search are in instances/baseline.cpp.
#include "batch.cpp"
#include "evaluation/board_fill.cpp"
#include "evaluation/network/evaluator.cpp"
#include "evaluation/network/inference.cpp"
#include "evaluation/network/network.cpp"
#include "instruction_sets.cpp"
#include "position.cpp"
#include "search/choices.cpp"
#include "search/options.cpp"
#include "search/perft.cpp"
#include "search/search.cpp"
#include "solver.cpp"
