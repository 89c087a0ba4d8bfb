#include "options.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace pinchtp {

std::optional<double> value_of(const SearchOption& option, const SearchOptions& options) {
  return std::visit([&](auto member) { return std::optional<double>(options.*member); }, option.member);
}

void set_option(SearchOptions& options, std::string_view name, double value) {
  const auto* const option = std::ranges::find(kSearchOptions, name, &SearchOption::name);
  if (option == std::end(kSearchOptions))
    throw std::invalid_argument("unknown search option: " + std::string(name));
  std::visit(
      [&](auto member) {
        using T = std::remove_reference_t<decltype(options.*member)>;
        const bool fits = !std::is_integral_v<T> || value == std::floor(value);
        if (!(option->min <= value && value <= option->max && fits)) {  // NaN does not
          std::ostringstream message;
          message << name << ": expected " << (std::is_integral_v<T> ? "an integer" : "a number")
                  << " from " << option->min << " to " << option->max << ": " << value;
          throw std::invalid_argument(message.str());
        }
        options.*member = static_cast<T>(value);
      },
      option->member);
}

}  // namespace pinchtp
