/* Problem details (RFC 9457): what goes wrong, as an answer. */
#ifndef API_PROBLEM_H
#define API_PROBLEM_H

#include "api/api.h"
#include "rules/ruleset.h"

enum problem {
    PROBLEM_NONE,
#define PROBLEM(name, code, status, en, cs) PROBLEM_##name,
#include "api/problems.def"
#undef PROBLEM
    PROBLEMS,
};

/* What a problem tells besides its code. All may be NULL or negative: left out. */
struct problem_extra {
    const char *detail;
    const char *pointer; /* RFC 6901, where a body was wrong */
    const char *ruling;
    const char *reason; /* the refusal's own code ("off_strip") */
    int64_t seq;        /* the game's current seq; negative: no game concerned */
    int64_t wait_s;     /* of Retry-After, where the status has it; 0: the usual */
};

/* 0 English, 1 Czech: the better liked in Accept-Language. */
int language_of(const char *accept_language);

/* Makes `ret_response` the answer for a problem, in that language. What it held is freed. */
void problem_answer(enum problem problem, int language, const struct problem_extra *extra,
                    struct response *ret_response);

/* The code of a problem ("not_found"). */
const char *problem_code(enum problem problem);

/* The problem of that code; PROBLEM_BAD_REQUEST if there is none. */
enum problem problem_find(const char *code);

/* The problem for -errno of a store. */
enum problem problem_of_errno(int error);

#endif
