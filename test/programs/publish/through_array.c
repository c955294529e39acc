// VERBS check run confirm
// SHOWN
// Main fills an array of arguments in one loop and starts the threads in another: what the arguments lead to is known to all of them from
// then on, also where main has it by a name of its own. What it does before and after that is its own.
#include <pthread.h>
#include <stdlib.h>

struct scene {
  int lights;
  float *image;
};

struct argument {
  struct scene *scene;
  int number, step;
};

enum { kPixels = 64 };

static void *render(void *given) {
  struct argument *argument = given;
  struct scene *scene = argument->scene;
  int lights = scene->lights;                                                                 // RACE lights
  for (int i = argument->number; i < kPixels; i += argument->step) scene->image[i] = (float)lights; // RACE image
  return NULL;
}

int main(int argc, char **argv) {
  (void)argv;
  const int count = argc + 1;
  struct scene *scene = malloc(sizeof *scene);
  float *image = malloc(kPixels * sizeof *image);
  struct argument *arguments = malloc((size_t)count * sizeof *arguments);
  pthread_t *threads = malloc((size_t)count * sizeof *threads);
  for (int i = 0; i < kPixels; ++i) image[i] = 0; // NORACE
  scene->image = image;
  scene->lights = 2; // NORACE
  for (int i = 0; i < count; ++i) {
    arguments[i].scene = scene;
    arguments[i].number = i;
    arguments[i].step = count;
  }
  for (int i = 0; i < count; ++i) pthread_create(&threads[i], NULL, render, &arguments[i]);
  scene->lights++; // RACE lights
  float sum = 0;
  for (int i = 0; i < kPixels; ++i) sum += image[i]; // RACE image
  for (int i = 0; i < count; ++i) pthread_join(threads[i], NULL);
  for (int i = 0; i < kPixels; ++i) sum -= image[i]; // NORACE
  scene->lights--;                                   // NORACE
  return sum > 0 ? scene->lights - 2 : 0;
}
