#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/system/fleet_table.h"

/* A square of a board with that many files and rows, now and then off it. */
static json_t *square(struct table *table, uint32_t files, uint32_t rows)
{
    char text[8];

    (void)snprintf(text, sizeof text, "%c%u", (char)('a' + roll(table, files)),
                   1 + roll(table, rows));
    return json_string(text);
}

static json_t *random_duel(struct table *table)
{
    static const char *const types[] = {"advance", "retreat",        "attack",
                                        "parry",   "advance_attack", "dance"};
    const char *type = types[roll(table, rarely(table, 8) ? 6 : 5)];
    json_t *move = json_pack("{s:s}", "type", type);
    bool attack = strstr(type, "attack");

    if (strcmp(type, "parry") != 0)
        json_object_set_new(move, "card", json_integer(roll(table, 7)));
    if (attack || strcmp(type, "parry") == 0)
        json_object_set_new(move, "count", json_integer(roll(table, 7)));
    if (strcmp(type, "advance_attack") == 0)
        json_object_set_new(move, "move", json_integer((json_int_t)roll(table, 8) - 1));
    return move;
}

static json_t *random_castle(struct table *table)
{
    static const char *const types[] = {"enter", "uncover", "step",
                                        "jump",  "shift",   "end_turn"};
    static const char *const towers[] = {"a1", "g1", "a7", "g7", "b2", "h8"};
    static const char *const slots[] = {"Nb", "Nd", "Nf", "Sb", "Sd", "Sf", "W2",
                                        "W4", "W6", "E2", "E4", "E6", "Na"};
    uint32_t type = roll(table, 6);
    json_t *move = json_pack("{s:s}", "type", types[type]);

    if (type == 0)
        json_object_set_new(move, "tower", json_string(towers[roll(table, 6)]));
    if (type == 1)
        json_object_set_new(move, "square", square(table, 8, 8));
    if (type == 2 || type == 3) {
        json_object_set_new(move, "from", square(table, 7, 7));
        json_object_set_new(move, "to", square(table, 7, 7));
    }
    if (type == 4)
        json_object_set_new(move, "slot", json_string(slots[roll(table, 13)]));
    return move;
}

static json_t *random_battle(struct table *table)
{
    return json_pack("{s:o, s:o}", "from", square(table, 11, 11), "to", square(table, 11, 11));
}

/* The square a few steps from another, on a board of any size. */
static json_t *near_to(struct table *table, const char *from)
{
    uint32_t reach = rarely(table, 4) ? 3 : 1, span = 2 * reach + 1;
    unsigned long row = strtoul(from + 1, NULL, 10);
    char text[8];

    (void)snprintf(text, sizeof text, "%c%lu",
                   (char)(*from + (int)roll(table, span) - (int)reach),
                   (row + roll(table, span) + 99 - reach) % 100 + 1);
    return json_string(text);
}

/* How near a move comes to the enemy's rows: battles must come to blows. */
static int eagerness(const struct table *table, const json_t *move)
{
    const char *to = json_string_value(json_object_get(move, "to"));
    int row = 0;

    for (const char *at = to ? to + 1 : ""; *at; at++)
        row = row * 10 + (*at - '0');
    return table->to_act & 1 ? row : 11 - row;
}

json_t *choose_move(struct table *table, const json_t *moves)
{
    uint32_t count = (uint32_t)json_array_size(moves);
    json_t *chosen = json_array_get(moves, roll(table, count));
    bool battle = strcmp(table->codec->rules->id, "stratego") == 0;

    for (int i = 0; battle && i < 12 && !rarely(table, 8); i++) {
        json_t *other = json_array_get(moves, roll(table, count));
        if (eagerness(table, other) > eagerness(table, chosen))
            chosen = other;
    }
    return json_incref(chosen);
}

/* A legal move with one thing changed: most of the fine refusals lie there. */
static json_t *bent_move(struct table *table)
{
    json_t *chosen = choose_move(table, table->listed), *move = json_deep_copy(chosen);
    uint32_t member = roll(table, (uint32_t)json_object_size(move));
    void *at = json_object_iter(move);

    json_decref(chosen);
    while (member--)
        at = json_object_iter_next(move, at);
    const char *key = json_object_iter_key(at);
    const json_t *value = json_object_iter_value(at), *from = json_object_get(move, "from");
    const char *start = json_string_value(from ? from : value);
    if (from && !rarely(table, 4)) /* mostly a piece that there is, to where it may not go */
        key = "to";
    if (json_is_integer(value))
        json_object_set_new(move, key,
                            json_integer(json_integer_value(value) + 1 - (int)roll(table, 3)));
    else if (strcmp(key, "type") != 0 && strcmp(key, "slot") != 0)
        json_object_set_new(move, key, near_to(table, start));
    else if (strcmp(key, "type") == 0 && from)
        json_object_set_new(move, key, json_string(rarely(table, 2) ? "jump" : "step"));
    return move;
}

static json_t *free_move(struct table *table)
{
    const char *id = table->codec->rules->id;

    if (strcmp(id, "engarde") == 0)
        return random_duel(table);
    return strcmp(id, "roquefort") == 0 ? random_castle(table) : random_battle(table);
}

json_t *random_move(struct table *table)
{
    bool bends = json_array_size(table->listed) && !rarely(table, 3);
    json_t *move = bends ? bent_move(table) : free_move(table);

    if (rarely(table, 20))
        json_object_set_new(move, "extra", json_true());
    if (rarely(table, 20))
        json_object_del(move, json_object_iter_key(json_object_iter(move)));
    if (rarely(table, 30))
        json_object_set_new(move, "type", json_integer(1));
    return move;
}

/* Each square a room of its own, some joined with the next one of their row. */
static json_t *random_plate(struct table *table)
{
    json_t *rooms = json_array();
    char name[4];

    for (char row = '1'; row <= '7'; row++)
        for (char file = 'a'; file <= 'g'; file++) {
            json_t *room = json_array();
            bool edge = row == '1' || row == '7';
            if (edge && (file == 'a' || file == 'g')) {
                json_decref(room);
                continue;
            }
            (void)snprintf(name, sizeof name, "%c%c", file, row);
            json_array_append_new(room, json_string(name));
            if (file < (edge ? 'f' : 'g') && rarely(table, 2)) {
                (void)snprintf(name, sizeof name, "%c%c", ++file, row);
                json_array_append_new(room, json_string(name));
            }
            json_array_append_new(rooms, room);
        }
    return rooms;
}

static json_t *random_value(struct table *table, const struct option *option, uint8_t players)
{
    uint32_t words = 0;
    int max = option->max > option->min + 60 ? option->min + 60 : option->max;

    if (option->kind == OPTION_SWITCH)
        return json_boolean(rarely(table, 2));
    if (option->kind == OPTION_INT)
        return json_integer(option->min + (int)roll(table, (uint32_t)(max - option->min + 1)));
    if (option->kind == OPTION_PLATE)
        return rarely(table, 3) ? random_plate(table)
                                : json_string(rarely(table, 2) ? "A" : "B");
    while (option->words[words])
        words++;
    if (strcmp(option->name, "first") == 0)
        words = players + 1U;
    return json_string(option->words[roll(table, words)]);
}

json_t *random_options(struct table *table, uint8_t variant, uint8_t players)
{
    const struct ruleset *rules = table->codec->rules;
    json_t *options = json_object();

    for (size_t i = 0; i < rules->option_count; i++)
        if (rules->options[i].variants >> variant & 1 && !rules->options[i].custodies &&
            rarely(table, 3))
            json_object_set_new(options, rules->options[i].name,
                                random_value(table, &rules->options[i], players));
    return options;
}
