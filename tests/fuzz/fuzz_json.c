/* Fuzzes the gate: what it lets in is JSON that jansson, too, can print and read again. */
#include <stdlib.h>

#include "api/json.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fault fault = {0};
    json_t *json = json_gate((const char *)data, size, &fault), *again, *object = NULL;
    const char *text = NULL;
    int64_t number = 0;
    bool flag = false;
    uint8_t bytes[32];
    const struct field fields[] = {
        {.name = "text", .kind = FIELD_TEXT, .value = &text, .max = 16},
        {.name = "number", .kind = FIELD_INT, .value = &number, .min = -1, .max = 99},
        {.name = "flag", .kind = FIELD_BOOL, .value = &flag, .nullable = true},
        {.name = "bytes", .kind = FIELD_HEX, .value = bytes, .max = sizeof bytes},
        {.name = "object", .kind = FIELD_OBJECT, .value = &object},
    };
    char *printed;

    if (!json) {
        if (!*fault.detail)
            abort(); /* a refusal says why */
        return 0;
    }
    printed = json_dumps(json, JSON_COMPACT | JSON_ENCODE_ANY);
    again = json_loads(printed, JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL);
    if (!again || !json_equal(json, again))
        abort();
    if (json_is_object(json) && json_fields(json, "", fields, 5, &fault) && number > 99)
        abort();
    free(printed);
    json_decref(again);
    json_decref(json);
    return 0;
}
