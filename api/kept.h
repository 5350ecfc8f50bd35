/* Answers kept under an Idempotency-Key, sealed, for a day. */
#ifndef API_KEPT_H
#define API_KEPT_H

#include "api/call.h"

/* Looks whether the request's Idempotency-Key has an answer already. *ret_answered: it is in
 * call->response. Else, if there is a key, call->has_kept is set. PROBLEM_BAD_REQUEST for a key
 * of the wrong form, PROBLEM_IDEMPOTENCY_CONFLICT for another body. */
enum problem kept_find(struct call *call, bool secret, bool *ret_answered);

/* Seals call->response into `sealed` and describes it in `ret_kept`, which points into both. */
void kept_make(struct call *call, struct out *sealed, struct kept *ret_kept);

#endif
