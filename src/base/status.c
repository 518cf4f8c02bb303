// SPDX-License-Identifier: Apache-2.0
#include "amontons/status.h"

const char *amo_status_name(amo_status st)
{
  switch (st) {
#define NAME(name, value, text) \
  case AMO_##name: return "AMO_" #name;
    AMO_STATUS_LIST(NAME)
#undef NAME
  }
  return "AMO_?";
}

const char *amo_status_text(amo_status st)
{
  switch (st) {
#define TEXT(name, value, text) \
  case AMO_##name: return text;
    AMO_STATUS_LIST(TEXT)
#undef TEXT
  }
  return "unknown status";
}
