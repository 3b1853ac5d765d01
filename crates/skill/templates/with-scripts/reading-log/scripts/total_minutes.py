#!/usr/bin/env python3
"""Adds up the minutes of a reading log, by ISO week.

usage: total_minutes.py LOG
"""

import sys
from collections import Counter
from datetime import date


def weeks(lines):
    """The minutes of each week, as {(year, week): minutes}; ValueError names a bad line."""
    minutes_of = Counter()
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            day, minutes = line.split(",")[:2]
            year, week, _ = date.fromisoformat(day.strip()).isocalendar()
            minutes_of[year, week] += int(minutes)
        except ValueError as error:
            raise ValueError(f"line {number}: {error}") from error
    return minutes_of


def main(arguments):
    if len(arguments) != 1 or arguments[0] in ("-h", "--help"):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    try:
        with open(arguments[0], encoding="utf-8") as log:
            minutes_of = weeks(log)
    except (OSError, ValueError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    for (year, week), minutes in sorted(minutes_of.items()):
        print(f"{year}-W{week:02}: {minutes} minutes")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
