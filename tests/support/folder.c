#include "tests/support/folder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int folder_make(char ret_folder[static FOLDER_SIZE])
{
    strcpy(ret_folder, "/tmp/refereed-test-XXXXXX");
    return mkdtemp(ret_folder) ? 0 : -1;
}

int folder_remove(const char *folder)
{
    char command[FOLDER_SIZE + 16];

    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command) == 0 ? 0 : -1;
}
