// SPDX-License-Identifier: BSD-3-Clause
#include "miniapp/indirect/plan_file.hpp"

#include <cstring>
#include <fstream>

#include "miniapp/core/error.hpp"

namespace miniapp::indirect {
namespace {

constexpr char magic[] = "miniapp plan 1\n";
constexpr std::size_t magic_size = sizeof(magic) - 1;

std::uint64_t checksum(const char* bytes, std::size_t size) {
  std::uint64_t value = 14695981039346656037u;
  for (std::size_t i = 0; i < size; ++i) value = (value ^ static_cast<unsigned char>(bytes[i])) * 1099511628211u;
  return value;
}

/// Appends values and arrays to a buffer.
class Writer {
 public:
  template <class T>
  void operator()(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof(T));
  }
  template <class T>
  void operator()(const std::vector<T>& values) {
    (*this)(static_cast<std::uint64_t>(values.size()));
    bytes_.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
  }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_ = magic;
};

/// Takes them out again.
class Reader {
 public:
  Reader(const std::string& path, const std::string& bytes, std::size_t end) : path_(path), bytes_(bytes), end_(end) {}
  template <class T>
  void operator()(T& value) {
    take(reinterpret_cast<char*>(&value), sizeof(T));
  }
  template <class T>
  void operator()(std::vector<T>& values) {
    std::uint64_t size = 0;
    (*this)(size);
    require(size <= (end_ - place_) / sizeof(T), path_ + ": ends early");
    values.resize(size);
    take(reinterpret_cast<char*>(values.data()), size * sizeof(T));
  }
  bool at_end() const { return place_ == end_; }

 private:
  void take(char* to, std::size_t size) {
    require(size <= end_ - place_, path_ + ": ends early");
    if (size > 0) std::memcpy(to, bytes_.data() + place_, size);
    place_ += size;
  }
  const std::string& path_;
  const std::string& bytes_;
  std::size_t end_, place_ = magic_size;
};

/// All members, for writing and for reading.
template <class Stream, class Saved>
void visit(Stream& stream, Saved& saved) {
  stream(saved.map_hash);
  stream(saved.ordering.from.offsets), stream(saved.ordering.from.order), stream(saved.ordering.to);
  auto& plan = saved.plan;
  stream(plan.options), stream(plan.arity), stream(plan.from_size), stream(plan.to_size), stream(plan.map_hash);
  stream(plan.order), stream(plan.colour_offsets), stream(plan.launch_order);
  stream(plan.first_position), stream(plan.first_target), stream(plan.targets), stream(plan.local);
  stream(plan.thread_colour), stream(plan.thread_colours), stream(plan.first_row), stream(plan.rows);
  stream(plan.row_offsets), stream(plan.row_entries);
}

}  // namespace

void save_plan(const std::string& path, const SavedPlan& saved) {
  Writer writer;
  visit(writer, saved);
  const std::uint64_t sum = checksum(writer.bytes().data(), writer.bytes().size());
  std::ofstream file(path, std::ios::binary);
  file << writer.bytes();
  file.write(reinterpret_cast<const char*>(&sum), sizeof(sum));
  file.close();
  require(bool(file), path + ": cannot be written");
}

SavedPlan load_plan(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  require(bool(file), path + ": cannot be read");
  const std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  require(!file.bad(), path + ": cannot be read");
  std::uint64_t sum = 0;
  require(bytes.compare(0, magic_size, magic) == 0,
          path + ": not a plan of this version, which begins with '" + std::string(magic, magic_size - 1) + "'");
  require(bytes.size() >= magic_size + sizeof(sum), path + ": ends early");
  const std::size_t end = bytes.size() - sizeof(sum);
  std::memcpy(&sum, bytes.data() + end, sizeof(sum));
  require(sum == checksum(bytes.data(), end), path + ": damaged: its checksum is another");
  SavedPlan saved;
  Reader reader(path, bytes, end);
  visit(reader, saved);
  require(reader.at_end(), path + ": damaged: it goes on after its end");
  return saved;
}

}  // namespace miniapp::indirect
