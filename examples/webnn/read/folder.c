/* Folders: what is in one, and the tensors that the command line names in one, or in a file. */
#if !defined(_POSIX_C_SOURCE)
#define _POSIX_C_SOURCE 200809L /* stat under -std=c99 */
#endif
#include "read.h"

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

/* Fails silently, also where the folder exists: the caller looks afterwards. */
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

/* ---- Tensors in a folder --------------------------------------------------------------------- */

/* Characters that not every file system takes become %XX. */
static char *put_escaped(char *to, const char *text) {
  for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
    if ((*c >= '0' && *c <= '9') || (*c >= 'A' && *c <= 'Z') || (*c >= 'a' && *c <= 'z') ||
        strchr("_-.", *c))
      *to++ = (char)*c;
    else
      to += sprintf(to, "%%%02X", *c);
  }
  return to;
}

const char *tensor_path(arena *memory, const char *folder, const char *case_prefix,
                        const char *name, const char *extension) {
  const size_t length = strlen(folder) + 3 * (strlen(case_prefix) + strlen(name));
  char *path = (char *)take(memory, length + strlen(extension) + 3);
  char *to = path + sprintf(path, "%s/", folder);
  to = put_escaped(to, case_prefix);
  if (*case_prefix)
    *to++ = '.';
  to = put_escaped(to, name);
  strcpy(to, extension);
  return path;
}

/* Only files that may be tensors. */
static void list_files(arena *memory, tensor_source *s) {
  size_t count;
  const char **names = folder_names(memory, s->path, &count);
  s->files = (const char **)take(memory, (count + 1) * sizeof *s->files);
  s->used = (bool *)take(memory, count + 1);
  for (size_t i = 0; i < count; i++)
    if (ends_with(names[i], ".npy") || ends_with(names[i], ".bin"))
      s->files[s->count++] = names[i];
}

bool source_open(arena *memory, const char *path, tensor_source *s) {
  memset(s, 0, sizeof *s);
  s->path = path;
  if (!path)
    return true;
  if (ends_with(path, ".json")) {
    s->root = json_read(memory, path);
    return s->root != NULL;
  }
  if (!is_folder(path))
    return complain(NULL, "%s: this must be a folder or a .json file", path);
  list_files(memory, s);
  return true;
}

static void mark_used(tensor_source *s, const char *path) {
  const char *name = path + strlen(s->path) + 1;
  for (size_t i = 0; i < s->count; i++)
    s->used[i] = s->used[i] || strcmp(s->files[i], name) == 0;
}

const char *source_raw(const network *n, const tensor_source *from, bool many,
                       const network_value *v) {
  const char *prefix = many ? n->name : "";
  const char *raw = tensor_path(n->memory, from->path, prefix, v->name, ".bin");
  return !file_exists(tensor_path(n->memory, from->path, prefix, v->name, ".npy")) &&
                 file_exists(raw)
             ? raw
             : NULL;
}

bool source_take(const network *n, tensor_source *from, bool many, const network_value *v,
                 const tensor *form, tensor *t) {
  const char *prefix = many ? n->name : "";
  const char *npy = tensor_path(n->memory, from->path, prefix, v->name, ".npy");
  const char *raw = tensor_path(n->memory, from->path, prefix, v->name, ".bin");
  if (file_exists(npy)) {
    mark_used(from, npy);
    return npy_read(n->session, n->memory, NULL, npy, t);
  }
  if (!file_exists(raw))
    return true;
  mark_used(from, raw);
  *t = *form;
  t->data = NULL;
  return raw_read(n->session, n->memory, NULL, raw, t);
}

enum { MOST_NAMES = 8 };

bool source_close(arena *memory, const tensor_source *s) {
  const char *names = "";
  size_t unused = 0;
  if (!s->path || s->root)
    return true;
  for (size_t i = 0; i < s->count; i++) {
    if (s->used[i])
      continue;
    if (unused < MOST_NAMES)
      names = take_text(memory, "%s%s%s", names, unused > 0 ? ", " : "", s->files[i]);
    unused++;
  }
  if (unused > MOST_NAMES)
    names = take_text(memory, "%s and %lu more", names, (unsigned long)(unused - MOST_NAMES));
  if (s->count == 0)
    return complain(NULL, "%s: the folder has no file NAME.npy or NAME.bin", s->path);
  if (unused > 0)
    complain(NULL, "%s: no value uses %s", s->path, names);
  return unused < s->count;
}
