#include "rules/rulesets.h"

#include <string.h>

static const char *const reasons[REASONS] = {
    [REASON_NONE] = "",
    [REASON_HITS] = "hits",
    [REASON_FLAG] = "flag",
    [REASON_DEAD] = "dead",
    [REASON_NO_MOVE] = "no_move",
    [REASON_CHEESES] = "cheeses",
    [REASON_LAST_LEFT] = "last_left",
    [REASON_ALL_OUT] = "all_out",
    [REASON_THIRD_FALL] = "third_fall",
    [REASON_AGREED] = "agreed",
    [REASON_RESIGNED] = "resigned",
    [REASON_TIME] = "time",
    [REASON_LIMIT] = "limit",
    [REASON_CHEAT] = "cheat",
    [REASON_NO_AUDIT] = "no_audit",
    [REASON_VOID] = "void",
};

/* rules/ may call no more than mem*, so strings are compared here by hand. */
static bool same(const char *a, const char *b)
{
    while (*a && *a == *b)
        a++, b++;
    return *a == *b;
}

const struct ruleset *ruleset_find(const char *id)
{
    for (size_t i = 0; i < ruleset_count; i++)
        if (same(rulesets[i]->id, id))
            return rulesets[i];
    return NULL;
}

uint8_t ruleset_number(const struct ruleset *rules)
{
    uint8_t i = 0;

    while (i < ruleset_count && rulesets[i] != rules)
        i++;
    return i;
}

uint8_t ruleset_seat(const struct ruleset *rules, const char *name)
{
    for (uint8_t i = 0; i < rules->seats_max; i++)
        if (same(rules->seats[i], name))
            return i;
    return NO_SEAT;
}

const char *ruleset_whose(const struct ruleset *rules, uint8_t seat)
{
    return seat < rules->seats_max ? rules->seats[seat] : NULL;
}

int ruleset_variant(const struct ruleset *rules, const char *id)
{
    for (size_t i = 0; i < rules->variant_count; i++)
        if (same(rules->variants[i].id, id))
            return (int)i;
    return -1;
}

int ruleset_option(const struct ruleset *rules, const char *name)
{
    for (size_t i = 0; i < rules->option_count; i++)
        if (same(rules->options[i].name, name))
            return (int)i;
    return -1;
}

void ruleset_presets(const struct ruleset *rules, uint8_t variant, struct options *ret_options)
{
    memset(ret_options, 0, sizeof *ret_options);
    ret_options->variant = variant;
    ret_options->players = rules->seats_min;
    for (size_t i = 0; i < rules->option_count; i++)
        ret_options->value[i] = rules->options[i].preset[variant];
}

const char *reason_word(uint8_t reason)
{
    return reason < REASONS ? reasons[reason] : "";
}
