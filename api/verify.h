/* Verifies tokens and transcripts, with no store, no clock and no network.
 *
 * docs/protocol.md, "How to verify". A transcript's record is made again from what was opened,
 * by the same deeds that made it; every event must come out byte for byte.
 */
#ifndef API_VERIFY_H
#define API_VERIFY_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "api/out.h"

/* Writes {"checks":[{"name","ok","detail"}],"key","ok","pinned"} and returns whether all holds.
 * `pinned`: a k4.public or k4.pid that must be the signer's, or NULL. */
bool verify_transcript(const json_t *transcript, const char *pinned, struct out *out);

/* The same for one token. `keys` are the public keys that may have signed it. */
bool verify_token(const char *token, const char *pinned, const uint8_t (*keys)[32],
                  size_t key_count, struct out *out);

/* Either of them, from the text of a file; what is neither is told as a failed check. */
bool verify_text(const char *text, size_t size, const char *pinned, struct out *out);

#endif
