"""Counts the days from one date to another."""

from datetime import date


def main(args):
    """Takes {"date", "from"} as ISO dates; gives {"days", "weeks", "rest"}."""
    start = day(args, "from") if "from" in args else date.today()
    days = (day(args, "date") - start).days
    weeks, rest = divmod(abs(days), 7)
    return {"days": days, "weeks": weeks, "rest": rest}


def day(args, key):
    try:
        return date.fromisoformat(args[key])
    except (TypeError, ValueError) as error:
        raise ValueError(f"`{key}` is no date such as 2026-12-24: {args[key]!r}") from error
