/* The route table: which handler answers what, for whom. */
#ifndef API_ROUTE_H
#define API_ROUTE_H

#include "api/call.h"

enum who { WHO_ANYONE, WHO_VIEWER, WHO_SEAT, WHO_INVITE, WHO_HOST, WHO_OPERATOR };

enum { ROUTE_CHANGE = 1, ROUTE_SECRET = 2, ROUTE_TURN = 4, ROUTE_LARGE = 8, ROUTE_NEW = 16 };

struct route {
    const char *method, *pattern;
    enum problem (*handle)(struct call *call);
    uint8_t who; /* enum who */
    uint8_t flags;
    uint16_t statuses;    /* set of enum status in which a change is taken; 0: any */
    uint8_t pattern_size; /* without its NUL */
};

extern const struct route routes[];
extern const size_t route_count;

/* The route of a request, its parameters put into call->params; NULL: call->response's Allow is
 * set if the path is known with other methods (405), else there is nothing there (404). */
const struct route *route_find(struct call *call);

/* The figures for call->role: all of them for the operator. */
enum problem metrics_answer(struct call *call);

#define ROUTE(method, pattern, handler, who, flags, statuses)                                  \
    enum problem handler(struct call *call);
#include "api/routes.def"
#undef ROUTE

#endif
