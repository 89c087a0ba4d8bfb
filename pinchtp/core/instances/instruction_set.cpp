// The code that is compiled once for each instruction set, as one translation unit, so that headers are
// parsed once. (CMake's own unity files lie elsewhere in each build, where ccache would not know them
// again.)
#include "../search/alpha_beta/bushka.cpp"
#include "../search/mcts/vectors/kernels.cpp"
#include "list.cpp"
