// Time zones by their names in the tz database: offsets, and local times with what becomes of them where clocks are
// set forward or back. Over cctz; never the process's own TZ. Safe from any thread.

#ifndef ZONE_SHIM_H
#define ZONE_SHIM_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// A zone; it lives as long as the process.
typedef struct zone_data zone_data;

// A local date and time.
typedef struct zone_civil {
  int64_t year;
  int32_t month, day, hour, minute, second;
  int32_t weekday;   // 1 for Monday to 7 for Sunday
  int32_t year_day;  // from 1
  int32_t offset;    // seconds east of UTC
} zone_civil;

// When a local time is, in seconds since 1970 UTC.
typedef struct zone_instant {
  int64_t first;    // where it comes twice, the first time; where it is skipped, the moment of the change
  bool is_skipped;  // no clock ever shows it
} zone_instant;

// Finds a zone such as "Europe/Berlin"; NULL where the database has none of that name.
const zone_data *_Nullable zone_find(const char *_Nonnull name);

// The local time at a number of seconds since 1970 UTC.
zone_civil zone_civil_at(const zone_data *_Nonnull zone, int64_t seconds);

// When a local time is. Days beyond the end of a month count on into the next one.
zone_instant zone_instant_of(
  const zone_data *_Nonnull zone, int64_t year, int32_t month, int32_t day, int32_t hour, int32_t minute,
  int32_t second);

// The abbreviation that is in use at a time, such as "CEST"; at most 15 bytes and a zero.
void zone_abbreviation(const zone_data *_Nonnull zone, int64_t seconds, char *_Nonnull text);

#ifdef __cplusplus
}
#endif

#endif
