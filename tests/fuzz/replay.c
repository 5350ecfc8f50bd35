/* Gives a fuzz target the inputs that are named, one after the other: its corpus in any build,
 * without libFuzzer. Folders are read whole. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static size_t given;

static int give(const char *path)
{
    static uint8_t room[1 << 20];
    FILE *file = fopen(path, "rb");

    if (!file) {
        perror(path);
        return 1;
    }
    size_t size = fread(room, 1, sizeof room, file);
    fclose(file);
    uint8_t *data = malloc(size + 1); /* exactly as large, so that a sanitizer sees its end */
    if (!data)
        return 1;
    memcpy(data, room, size);
    fprintf(stderr, "%s\n", path); /* the last one said is the one that it died of */
    LLVMFuzzerTestOneInput(data, size);
    free(data);
    given++;
    return 0;
}

static int give_all(const char *folder)
{
    struct dirent **list;
    char path[512];
    int bad = 0, count = scandir(folder, &list, NULL, alphasort);

    for (int i = 0; i < count; i++) {
        if (list[i]->d_name[0] != '.') {
            snprintf(path, sizeof path, "%s/%s", folder, list[i]->d_name);
            bad += give(path);
        }
        free(list[i]);
    }
    if (count >= 0)
        free(list);
    return count < 0 ? 1 : bad;
}

int main(int argc, char **argv)
{
    int bad = 0;

    for (int i = 1; i < argc; i++)
        bad += give_all(argv[i]);
    printf("%zu inputs\n", given);
    return bad || given == 0;
}
