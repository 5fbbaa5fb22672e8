/* The command completion: a script for bash or zsh, made of the tables of commands and options. */
#include "command.h"

#include <string.h>

/* ---- What both shells need ------------------------------------------------------------------- */

typedef struct naming {
  const char *program, *function;
  const verb_row *verbs;
} naming;

/* The shell's function: _webnn, _webnn_oracle. */
static const char *function_text(arena *memory, const char *program) {
  char *text = take_text(memory, "_%s", program);
  for (char *c = text; *c; c++)
    *c = (char)(*c == '-' ? '_' : *c);
  return text;
}

static bool is_of(const option_row *o, command_id id) {
  return (o->commands >> id & 1) != 0;
}

/* "npy raw" of the value "npy|raw"; NULL: the value is not one of some words. */
static const char *choices_of(arena *memory, const option_row *o) {
  char *words;
  if (!o->value || !strchr(o->value, '|'))
    return NULL;
  for (const char *c = o->value; *c; c++)
    if (*c != '|' && *c != '-' && (*c < 'a' || *c > 'z'))
      return NULL;
  words = take_text(memory, "%s", o->value);
  for (char *c = words; *c; c++)
    *c = (char)(*c == '|' ? ' ' : *c);
  return words;
}

/* What may stand after a verb, of some words; NULL: files. */
static const char *words_after(arena *memory, command_id id) {
  const char *names = "";
  if (id == COMMAND_COMPLETION)
    return "bash zsh";
  if (id != COMMAND_EXPLAIN && id != COMMAND_EXERCISE && id != COMMAND_TRACE)
    return NULL;
  for (int op = 0; op < WEBNN_OP_COUNT; op++)
    names = take_text(memory, "%s%s%s", names, op ? " " : "", webnn_op_name((webnn_op)op));
  return names;
}

/* ---- bash ------------------------------------------------------------------------------------ */

static void print_bash_command(const naming *n, arena *memory, command_id id) {
  const char *words = words_after(memory, id);
  size_t count;
  const option_row *rows = option_rows(&count);
  printf("  %s)\n    options=\"--help", n->verbs[id].name);
  for (size_t i = 0; i < count; i++)
    if (is_of(&rows[i], id))
      printf(" %s", rows[i].name);
  printf("\"\n    words=\"%s\"\n", words ? words : "");
  for (size_t i = 0; words && i < count; i++) /* a value is not one of the words */
    if (is_of(&rows[i], id) && rows[i].value)
      printf("    [ \"$previous\" = %s ] && words=\n", rows[i].name);
  for (size_t i = 0; i < count; i++) {
    const char *choices = is_of(&rows[i], id) ? choices_of(memory, &rows[i]) : NULL;
    if (choices)
      printf("    [ \"$previous\" = %s ] && values=\"%s\"\n", rows[i].name, choices);
  }
  fputs("    ;;\n", stdout);
}

/* In bash --x=y is three words. Where nothing is offered it completes names of files. */
static void print_bash(const naming *n, arena *memory) {
  printf("# Completion of %s for bash: source <(%s completion bash)\n%s() {\n", n->program,
         n->program, n->function);
  fputs("  local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}\n"
        "  local options= words= values=\n"
        "  if [ \"$word\" = = ]; then\n"
        "    word=\n"
        "  elif [ \"$previous\" = = ]; then\n"
        "    previous=${COMP_WORDS[COMP_CWORD-2]}\n"
        "  fi\n"
        "  COMPREPLY=()\n"
        "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
        "    COMPREPLY=($(compgen -W \"--help --version",
        stdout);
  for (int id = 0; id < COMMANDS; id++)
    if (n->verbs[id].name)
      printf(" %s", n->verbs[id].name);
  fputs("\" -- \"$word\"))\n    return\n  fi\n  case ${COMP_WORDS[1]} in\n", stdout);
  for (int id = 0; id < COMMANDS; id++)
    if (n->verbs[id].name)
      print_bash_command(n, memory, (command_id)id);
  printf("  esac\n"
         "  case $word in\n"
         "  -*) COMPREPLY=($(compgen -W \"$options\" -- \"$word\")) ;;\n"
         "  *) COMPREPLY=($(compgen -W \"${values:-$words}\" -- \"$word\")) ;;\n"
         "  esac\n"
         "}\n"
         "complete -o bashdefault -o default -F %s %s\n",
         n->function, n->program);
}

/* ---- zsh ------------------------------------------------------------------------------------- */

/* Text within single quotes and within the brackets of _arguments. */
static void print_quoted(const char *text) {
  for (; *text; text++) {
    if (*text == '\'')
      fputs("'\\''", stdout);
    else if (strchr("[]:\\", *text))
      printf("\\%c", *text);
    else
      fputc(*text, stdout);
  }
}

static void print_zsh_option(arena *memory, const option_row *o) {
  const char *choices = choices_of(memory, o);
  printf("      '*%s%s[", o->name, o->value ? "=" : "");
  print_quoted(o->help);
  fputs("]", stdout);
  if (o->value) {
    fputs(":", stdout);
    print_quoted(o->value);
    if (choices)
      printf(":(%s)", choices);
    else
      fputs(":_files", stdout);
  }
  fputs("' \\\n", stdout);
}

static void print_zsh_command(const naming *n, arena *memory, command_id id) {
  const char *words = words_after(memory, id);
  size_t count;
  const option_row *rows = option_rows(&count);
  printf("  %s)\n    _arguments \\\n      '--help[the options of this command]' \\\n",
         n->verbs[id].name);
  for (size_t i = 0; i < count; i++)
    if (is_of(&rows[i], id))
      print_zsh_option(memory, &rows[i]);
  if (words)
    printf("      '*:word:(%s)' \\\n", words);
  if (!words || id == COMMAND_TRACE)
    fputs("      '*:file:_files' \\\n", stdout);
  fputs("      && return 0\n    ;;\n", stdout);
}

static void print_zsh(const naming *n, arena *memory) {
  printf("#compdef %s\n# Completion of %s for zsh: %s completion zsh >FOLDER/_%s, FOLDER being in "
         "$fpath\n%s() {\n  local -a commands\n  commands=(\n",
         n->program, n->program, n->program, n->program, n->function);
  for (int id = 0; id < COMMANDS; id++) {
    if (!n->verbs[id].name)
      continue;
    printf("    '%s:", n->verbs[id].name);
    print_quoted(n->verbs[id].help);
    fputs("'\n", stdout);
  }
  fputs("  )\n"
        "  if (( CURRENT == 2 )); then\n"
        "    _describe command commands\n"
        "    return\n"
        "  fi\n"
        "  shift words\n"
        "  (( CURRENT-- ))\n"
        "  case $words[1] in\n",
        stdout);
  for (int id = 0; id < COMMANDS; id++)
    if (n->verbs[id].name)
      print_zsh_command(n, memory, (command_id)id);
  printf("  esac\n}\n"
         "if [ \"$funcstack[1]\" = _%s ]; then\n  %s \"$@\"\nelse\n  compdef %s %s\nfi\n",
         n->program, n->function, n->function, n->program);
}

/* ---- The command ----------------------------------------------------------------------------- */

bool write_completion(const char *shell, const char *program, const verb_row verbs[COMMANDS]) {
  arena memory = {NULL, 0};
  const naming n = {program, function_text(&memory, program), verbs};
  bool right = true;
  if (strcmp(shell, "bash") == 0)
    print_bash(&n, &memory);
  else if (strcmp(shell, "zsh") == 0)
    print_zsh(&n, &memory);
  else
    right = complain(NULL, "completion takes bash or zsh, not \"%s\"", shell);
  release(&memory);
  return right;
}
