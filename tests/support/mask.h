/* What must differ between two games that say the same: it is masked letter by letter, so that
 * lengths still count. Ids, credentials and hashes become x, tokens their claims. */
#ifndef TESTS_SUPPORT_MASK_H
#define TESTS_SUPPORT_MASK_H

/* Masks `text`, an answer of the game `id` or a part of one. */
void mask_text(char *text, const char *id);

#endif
