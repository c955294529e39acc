// VERBS check run confirm
// FLAGS -Wall
// SHOWN
// Ticket shop: every row of seats has its lock, and the shop's total is counted under whichever row's lock is held.
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>

#define ROWS 6
#define SEATS 8

struct seat {
  unsigned taken : 1;
  unsigned vip : 1;
  unsigned customer : 16;
};

struct row {
  pthread_mutex_t lock;
  struct seat seats[SEATS];
  int sold;
};

static struct shop {
  struct row rows[ROWS];
  int total_sold;
  long revenue;
  pthread_mutex_t till;
} shop;

static bool buy(struct shop *s, int row_no, unsigned customer) {
  struct row *row = &s->rows[row_no];
  bool done = false;
  pthread_mutex_lock(&row->lock);
  for (int i = 0; i < SEATS; i++) {
    struct seat *seat = &row->seats[i];
    if (seat->taken) continue;
    seat->taken = 1;
    seat->customer = customer;
    row->sold++;
    s->total_sold++; // RACE total SELF
    done = true;
    break;
  }
  pthread_mutex_unlock(&row->lock);
  if (done) {
    pthread_mutex_lock(&s->till);
    s->revenue += row_no < 2 ? 80 : 50;
    pthread_mutex_unlock(&s->till);
  }
  return done;
}

static void *customer_agent(void *arg) {
  unsigned customer = *(unsigned *)arg;
  for (int i = 0; i < 20; i++) buy(&shop, (int)(i * 5 + customer) % ROWS, customer);
  return NULL;
}

int main(void) {
  pthread_t agents[3];
  unsigned ids[3] = {1, 2, 3};
  int by_rows = 0;
  pthread_mutex_init(&shop.till, NULL);
  for (int r = 0; r < ROWS; r++) {
    pthread_mutex_init(&shop.rows[r].lock, NULL);
    for (int i = 0; i < SEATS; i++) shop.rows[r].seats[i].vip = r < 2;
  }
  for (int i = 0; i < 3; i++) pthread_create(&agents[i], NULL, customer_agent, &ids[i]);
  for (int i = 0; i < 3; i++) pthread_join(agents[i], NULL);
  for (int r = 0; r < ROWS; r++) by_rows += shop.rows[r].sold;
  printf("%d sold by rows, %d by shop, revenue %ld\n", by_rows, shop.total_sold, shop.revenue);
  return 0;
}
