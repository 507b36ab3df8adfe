#include <cctz/civil_time.h>
#include <cctz/time_zone.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "ZoneShim.h"

struct zone_data {
  cctz::time_zone zone;
};

namespace {

using Seconds = std::chrono::time_point<std::chrono::system_clock, cctz::seconds>;

Seconds at(int64_t seconds) { return Seconds(cctz::seconds(seconds)); }

// The names of the database and nothing that leads out of its folder or to the process's own zone.
bool is_zone_name(const std::string &name) {
  if (name.empty() || name.size() > 64 || name.front() == '/' || name == "localtime") return false;
  return std::all_of(name.begin(), name.end(), [](unsigned char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '/' || c == '_' || c == '+' || c == '-';
  });
}

}  // namespace

const zone_data *zone_find(const char *text) {
  static std::mutex mutex;
  static std::map<std::string, std::unique_ptr<zone_data>> zones;
  std::string name(text);
  if (!is_zone_name(name)) return nullptr;
  std::lock_guard<std::mutex> lock(mutex);
  auto found = zones.find(name);
  if (found != zones.end()) return found->second.get();
  cctz::time_zone zone;
  if (!cctz::load_time_zone(name, &zone)) return nullptr;
  return zones.emplace(name, std::make_unique<zone_data>(zone_data{zone})).first->second.get();
}

zone_civil zone_civil_at(const zone_data *data, int64_t seconds) {
  auto local = data->zone.lookup(at(seconds));
  cctz::civil_day day(local.cs);
  return {local.cs.year(), local.cs.month(), local.cs.day(), local.cs.hour(), local.cs.minute(), local.cs.second(),
          int(cctz::get_weekday(day)) + 1, cctz::get_yearday(day), local.offset};
}

zone_instant zone_instant_of(const zone_data *data, int64_t year, int32_t month, int32_t day, int32_t hour, int32_t minute,
                             int32_t second) {
  auto found = data->zone.lookup(cctz::civil_second(year, month, day, hour, minute, second));
  bool is_skipped = found.kind == cctz::time_zone::civil_lookup::SKIPPED;
  return {(is_skipped ? found.trans : found.pre).time_since_epoch().count(), is_skipped};
}

void zone_abbreviation(const zone_data *data, int64_t seconds, char *text) {
  auto local = data->zone.lookup(at(seconds));
  strncpy(text, local.abbr, 15);
  text[15] = 0;
}
