// Makes the positions behind the interface in engine.hpp.
#pragma once

#include <memory>

#include "any_game.hpp"
#include "engine.hpp"

namespace pinchtp {

// A starting position, or the one set up. Throws std::invalid_argument for an option that the game does
// not have, or for what makes no position.
std::unique_ptr<const Position> position_of(const GameType& type, const Rules& rules,
                                            const Placement* placement);

}  // namespace pinchtp
