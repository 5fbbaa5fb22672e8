/* Folders: what is in one. */
#if !defined(_POSIX_C_SOURCE)
#define _POSIX_C_SOURCE 200809L /* stat under -std=c99 */
#endif
#include "command.h"

#include <stdlib.h>
#include <string.h>

typedef struct name_list {
  arena *memory;
  const char **names;
  size_t count, room;
} name_list;

static void add_name(name_list *l, const char *name) {
  if (name[0] == '.')
    return;
  if (l->count == l->room) {
    const char **larger = (const char **)take(l->memory, (2 * l->room + 64) * sizeof *larger);
    if (l->count > 0)
      memcpy(larger, l->names, l->count * sizeof *larger);
    l->names = larger;
    l->room = 2 * l->room + 64;
  }
  l->names[l->count++] = take_text(l->memory, "%s", name);
}

#ifdef _WIN32
#ifndef WIN32_LEAN_AND_MEAN
#define WIN32_LEAN_AND_MEAN
#endif
#include <windows.h>

bool is_folder(const char *path) {
  const DWORD attributes = GetFileAttributesA(path);
  return attributes != INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_DIRECTORY);
}

static void list_names(name_list *l, const char *path) {
  WIN32_FIND_DATAA found;
  const HANDLE search = FindFirstFileA(take_text(l->memory, "%s/*", path), &found);
  if (search == INVALID_HANDLE_VALUE)
    return;
  do
    add_name(l, found.cFileName);
  while (FindNextFileA(search, &found));
  FindClose(search);
}
#else
#include <dirent.h>
#include <sys/stat.h>

bool is_folder(const char *path) {
  struct stat about;
  return stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

static void list_names(name_list *l, const char *path) {
  DIR *folder = opendir(path);
  const struct dirent *entry;
  while (folder && (entry = readdir(folder)) != NULL)
    add_name(l, entry->d_name);
  if (folder)
    closedir(folder);
}
#endif

/* A folder that is there already is none that is made; whether it is one is asked afterwards. */
static void make_one(const char *path) {
#ifdef _WIN32
  (void)CreateDirectoryA(path, NULL);
#else
  (void)mkdir(path, 0777);
#endif
}

bool make_folder(arena *memory, const char *path) {
  char *part = take_text(memory, "%s", path);
  for (char *c = part; *c; c++) {
    if ((*c != '/' && *c != '\\') || c == part)
      continue;
    {
      const char separator = *c;
      *c = 0;
      if (!is_folder(part))
        make_one(part);
      *c = separator;
    }
  }
  if (!is_folder(path))
    make_one(path);
  return is_folder(path) || complain(NULL, "--out %s: the folder cannot be made", path);
}

static int compare_names(const void *left, const void *right) {
  return strcmp(*(const char *const *)left, *(const char *const *)right);
}

const char **folder_names(arena *memory, const char *path, size_t *count) {
  name_list l;
  memset(&l, 0, sizeof l);
  l.memory = memory;
  list_names(&l, path);
  if (l.count > 0)
    qsort(l.names, l.count, sizeof *l.names, compare_names);
  *count = l.count;
  return l.names;
}
