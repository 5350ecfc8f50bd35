# Reports what has grown long: functions over 40 lines, files over 400, parameters over 5.
# A report, not a gate. A function's brace stands on its own line, so ^{ and ^} delimit it.
#
#   awk -f tests/lint/lengths.awk $(git ls-files '*.[ch]')
function parameters(text, depth, i, c, n)
{
    sub(/^[^(]*\(/, "", text)
    n = 1
    for (i = 1; i <= length(text); i++) {
        c = substr(text, i, 1)
        if (c == "(" || c == "[")
            depth++
        else if (c == ")" && depth == 0)
            break
        else if (c == ")" || c == "]")
            depth--
        else if (c == "," && depth == 0)
            n++
    }
    return n
}
function close_file()
{
    if (lines > 400)
        print file ": " lines " lines"
}
FNR == 1 { close_file(); file = FILENAME; head = ""; start = 0 }
{ lines = FNR }
/^\{/ {
    start = FNR
    if (head ~ /\(/ && parameters(head) > 5)
        print FILENAME ":" FNR - 1 ": " parameters(head) " parameters: " name
    next
}
/^\}/ {
    if (start && FNR - start - 1 > 40)
        print FILENAME ":" start ": " FNR - start - 1 " lines: " name
    start = 0
    head = ""
    next
}
/^[a-z].*\(/ && !/;/ { head = ""; name = $0; sub(/\(.*/, "", name); sub(/.*[ *]/, "", name) }
/^$|;$|^#/ { if (!start) head = "" }
!start { head = head $0 " " }
END { close_file() }
