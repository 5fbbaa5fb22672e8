/* main.c - the program of the live page: the command webnn and the program of the pictures in one module. The name that
   it is called by says which of them is meant. */
#include <string.h>

int webnn_main(int count, char **arguments);
int pictures_main(int count, char **arguments);

int main(int count, char **arguments) {
  const int pictures = count > 0 && strcmp(arguments[0], "pictures") == 0;
  return pictures ? pictures_main(count, arguments) : webnn_main(count, arguments);
}
