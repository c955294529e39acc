// main() of deadheat, deadheat-cc and deadheat-c++, and nothing else.
#include "driver/verbs.h"

int main(int count, char **arguments) { return deadheat::driver::dispatch({arguments, arguments + count}); }
