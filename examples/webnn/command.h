/* The subcommands, and what they share with main.c and options.c. Read main.c first. */
#ifndef WEBNN_COMMAND_H
#define WEBNN_COMMAND_H

#include "exact/exact.h"
#include "read/model.h"

/* ---- Subcommands, each in the file of its name ----------------------------------------------- */

typedef enum command_id {
  COMMAND_RUN,
  COMMAND_PROFILE,
  COMMAND_INFO,
  COMMAND_CHECK,
  COMMAND_TEST,
  COMMAND_DUMP,
  COMMAND_CONVERT,
  COMMAND_RUN_EXACT,
  COMMAND_JUDGE,
  COMMAND_TRACE,
  COMMAND_GRAPH,
  COMMAND_CONVERT_TO_TEXT,
  COMMAND_EXPLAIN,
  COMMAND_EXERCISE,
  COMMAND_LIMITS,
  COMMAND_EXAMPLES,
  COMMAND_COMPLETION,
  COMMANDS /* how many there are */
} command_id;

/* Models of all kinds. */
int run_command(const request *r);
int profile_command(const request *r);
int info_command(const request *r);
int check_command(const request *r);
int test_command(const request *r);
int dump_command(const request *r);
int convert_command(const request *r);

/* One graph, or pages with examples; the session has its context. */
int run_exact_command(const session *s);
int judge_command(const session *s);
int trace_command(const session *s);
int graph_command(const session *s);
int convert_to_text_command(const session *s);
int explain_command(const session *s);
int exercise_command(const session *s);
int limits_command(const session *s);
int examples_command(const session *s);

/* Runs an open model as often as the command line says, and prints times: as JSON to `to` if that
   is given. False after a complaint. */
bool profile_model(model *m, webnn_xla_array *inputs, webnn_xla_array *outputs, FILE *to);
/* Does the command line ask for that? */
bool is_measured(const request *r);

/* ---- Completion (completion.c) --------------------------------------------------------------- */

/* A subcommand, by the name that the program is called by. */
typedef struct verb_row {
  const char *name, *help; /* NULL: that name has no such subcommand */
} verb_row;

/* A script for the shell of this name, in which the program has this name and all these verbs by
   command. False after a complaint. */
bool write_completion(const char *shell, const char *program, const verb_row verbs[COMMANDS]);

/* ---- Options (options.c) --------------------------------------------------------------------- */

/* A row of the table. An option may have several, for different commands. */
struct option_row {
  const char *name, *value; /* what stands for its value in the help; NULL: it stands alone */
  uint32_t commands;
  bool (*take)(request *r, const option_row *o, const char *text); /* False after a complaint. */
  size_t offset; /* in request, of what `take` sets */
  const char *help;
};
const option_row *option_rows(size_t *count);

#define SHOW_AS_USUAL ((size_t)-1) /* no --show is given */
#define WARM_UP_AS_USUAL ((size_t)-1)

/* Takes the option and its value, which may be in the same argument or the next. Returns how many
   arguments these are; 0 after a complaint. */
int take_argument(request *r, command_id command, int count, char **arguments);
/* Does this command, `name` in the complaint, take all options that were given? */
bool options_fit(const request *r, command_id command, const char *name);
/* A line of the help, or several. */
void print_help_line(FILE *file, const char *what, const char *help);
void print_options(arena *memory, command_id command);
/* `; is "--inputs" meant?`: the nearest of the words, if it is near. */
const char *near_text(arena *memory, const char *word, const char *const *words, size_t count);
const char *near_operator(arena *memory, const char *word);

/* Can the kind of file that convert writes hold dynamic dimensions (convert.c)? Text and JSON hold
   sizes only. */
bool says_dynamic_sizes(const char *out);

/* ---- C source (convert_to_c.c) ----------------------------------------------------------------- */

/* Writes the graph as C source that builds it, from what webnn.h reports of it. Constants too large
   for the source go to a file of weights. `name` is a name in C. False after a complaint. */
bool source_write(const session *s, const graph_view *v, const char *name, FILE *source,
                  FILE *stored);
/* Does it have constants that go to the file of weights? */
bool source_has_weights(const session *s, const graph_view *v);

#endif
