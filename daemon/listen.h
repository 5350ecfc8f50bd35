/* Listening sockets: by address, or handed over by systemd. */
#ifndef DAEMON_LISTEN_H
#define DAEMON_LISTEN_H

#include <stddef.h>

enum { LISTEN_TEXT_SIZE = 160, LISTEN_ERROR_SIZE = 256 };

/* Opens HOST:PORT, [ADDRESS]:PORT or unix:PATH. `ret_text` is how to name it on the ready line
 * ("http://127.0.0.1:8480", with the port that was picked). 0 or -errno and one line. */
int listen_open(const char *address, const char *scheme, int *ret_fd,
                char ret_text[static LISTEN_TEXT_SIZE],
                char ret_error[static LISTEN_ERROR_SIZE]);

/* Whether it could be opened, as far as its text tells. 0 or -EINVAL and one line. */
int listen_check(const char *address, char ret_error[static LISTEN_ERROR_SIZE]);

/* How many sockets were handed over (LISTEN_FDS); they are 3, 4, ... `ret_metrics` is the one
 * named "metrics" (FileDescriptorName= of systemd.socket), or -1. Takes the variables away, so
 * that it is asked once. */
int listen_inherited(int *ret_metrics);

#endif
