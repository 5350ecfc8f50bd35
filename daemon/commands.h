/* The subcommands that are over at once. Each returns the exit status of the program. */
#ifndef DAEMON_COMMANDS_H
#define DAEMON_COMMANDS_H

#include "daemon/config.h"

int command_keygen(const struct config *config);
int command_rotate(const struct config *config);
int command_backup(const struct config *config);
int command_verify(const struct config *config);
/* Plays a recorded game; exit 0: all of it is legal, 1: it is not, 2: it cannot be read. */
int command_judge(const struct config *config);
int command_check(const struct config *config);
int command_migrate(const struct config *config);
int command_check_config(int argc, char **argv);

#endif
