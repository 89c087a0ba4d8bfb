// Positions of one game, stored together.
#pragma once

#include <cstddef>
#include <memory_resource>
#include <utility>
#include <vector>

#include "any_game.hpp"

namespace pinchtp {

// A compact list of positions of one game, in blocks, so that growth copies nothing.
class GameList {
 public:
  explicit GameList(const GameType& type,
                    std::pmr::memory_resource& memory = *std::pmr::get_default_resource())
      : type_(&type),
        bytes_((type.traits.bytes + GameType::kAlignment - 1) & -GameType::kAlignment),
        memory_(&memory),
        blocks_(&memory) {}
  GameList(const GameList&) = delete;
  GameList& operator=(const GameList&) = delete;
  ~GameList() { clear(); }

  std::size_t size() const { return size_; }
  AnyGame operator[](std::size_t number) const { return {*type_, place(number)}; }

  // Throws std::bad_alloc.
  void push_back(const AnyGame& game) {
    if (size_ == blocks_.size() * in_block()) {
      if (blocks_.size() == blocks_.capacity()) blocks_.reserve(2 * blocks_.size() + 1);
      blocks_.push_back(static_cast<std::byte*>(memory_->allocate(kBlockBytes, GameType::kAlignment)));
    }
    type_->copy(place(size_), game.memory());
    ++size_;
  }

  void clear() {
    for (std::byte* block : blocks_) memory_->deallocate(block, kBlockBytes, GameType::kAlignment);
    blocks_.clear();
    size_ = 0;
  }

  // `other`: a list of the same game in the same memory.
  void swap(GameList& other) {
    std::swap(size_, other.size_);
    blocks_.swap(other.blocks_);
  }

 private:
  static constexpr std::size_t kBlockBytes = std::size_t{64} << 10;

  std::size_t in_block() const { return kBlockBytes / bytes_; }
  std::byte* place(std::size_t number) const {
    return blocks_[number / in_block()] + number % in_block() * bytes_;
  }

  const GameType* type_;
  std::size_t bytes_;
  std::size_t size_ = 0;
  std::pmr::memory_resource* memory_;
  std::pmr::vector<std::byte*> blocks_;
};

}  // namespace pinchtp
