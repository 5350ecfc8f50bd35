/* A folder of a test's own under /tmp. */
#ifndef TESTS_SUPPORT_FOLDER_H
#define TESTS_SUPPORT_FOLDER_H

enum { FOLDER_SIZE = 64 };

/* 0, or -1 if there is none to be had: what cmocka's set-up and tear-down return. */
int folder_make(char ret_folder[static FOLDER_SIZE]);
/* With all that is in it. */
int folder_remove(const char *folder);

#endif
