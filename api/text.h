/* Answers as text for a terminal, by `Accept: text/plain`.
 *
 * Each is made from the very JSON that its asker would have got, so that it cannot tell more,
 * and from the view type of the game. Names are the players' own: what a terminal would obey is
 * taken out of them.
 */
#ifndef API_TEXT_H
#define API_TEXT_H

#include "api/call.h"
#include "api/codec.h"

/* Does the asker want text rather than JSON? */
bool text_wanted(const struct call *call);

/* Each takes `json`, a whole answer, and answers with its text instead; PROBLEM_UNAVAILABLE
 * without memory. `padded` as for call_answer(): blanks at the end. */
enum problem text_view(struct call *call, struct out *json, bool padded);
enum problem text_events(struct call *call, struct out *json, bool padded);
enum problem text_moves(struct call *call, struct out *json, bool padded);

/* A verdict of the stateless judge; `state` is drawn below it, NULL: nothing is. */
enum problem text_verdict(struct call *call, struct out *json, const struct codec *codec,
                          const void *state);

#endif
