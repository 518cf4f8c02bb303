// SPDX-License-Identifier: Apache-2.0
#include "study/verdicts.h"

#include <stdlib.h>

#include "base/file.h"
#include "base/text.h"
#include "result/json.h"

static char *file_in(const char *dir)
{
  amo_text path = {0};
  amo_text_printf(&path, "%s/verdicts.json", dir);
  return amo_text_take(&path);
}

cJSON *amo_verdicts_read(const char *dir)
{
  char *path = file_in(dir), *text = NULL;
  size_t size = 0;
  cJSON *all = NULL;
  if (path && amo_file_read(path, (size_t)1 << 20, NULL, &text, &size) == AMO_OK) all = cJSON_Parse(text);
  free(text);
  free(path);
  if (!cJSON_IsObject(all)) {
    cJSON_Delete(all);
    all = cJSON_CreateObject();
  }
  return all;
}

amo_status amo_verdicts_write(const char *dir, const cJSON *entries, amo_diags *diags)
{
  char *path = file_in(dir), *text = NULL;
  cJSON *all = path ? amo_verdicts_read(dir) : NULL;
  const cJSON *e = NULL, *id = NULL;
  cJSON_ArrayForEach(e, entries) cJSON_ArrayForEach(id, cJSON_GetObjectItemCaseSensitive(e, "ids"))
  {
    cJSON_DeleteItemFromObjectCaseSensitive(all, id->valuestring);
    cJSON_AddStringToObject(all, id->valuestring, amo_json_text(e, "verdict"));
  }
  if (all) text = amo_json_print(all);
  amo_status st = text ? amo_file_write_text(path, text, diags) : AMO_ENOMEM;
  free(text);
  free(path);
  cJSON_Delete(all);
  return st;
}
