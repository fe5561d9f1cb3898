"""Reads {"ics", "instants"} from stdin with an independent parser, and writes the events to stdout as JSON."""

import json
import sys
from datetime import datetime, timezone

import icalendar


def instant(value):
    if not isinstance(value, datetime) or value.tzinfo is None:
        return value.isoformat()
    return value.astimezone(timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.000Z")


def dates(event, name):
    found = event.get(name, [])
    lists = found if isinstance(found, list) else [found]
    return sorted(instant(moment.dt) for entry in lists for moment in entry.dts)


def count(event, name):
    found = event.get(name, [])
    return len(found) if isinstance(found, list) else 1


def describe(event):
    return {
        "uid": str(event.get("UID")),
        "title": str(event.get("SUMMARY", "")),
        "description": str(event.get("DESCRIPTION", "")),
        "start": instant(event.decoded("DTSTART")),
        "end": instant(event.decoded("DTEND")) if "DTEND" in event else None,
        "exdates": dates(event, "EXDATE"),
        "attendees": count(event, "ATTENDEE"),
        "alarms": len([inner for inner in event.subcomponents if inner.name == "VALARM"]),
    }


request = json.load(sys.stdin)
calendar = icalendar.Calendar.from_ical(request["ics"])
moments = [datetime.fromtimestamp(ms / 1000, timezone.utc) for ms in request["instants"]]
zones = {}
for component in calendar.walk("VTIMEZONE"):
    zone = component.to_tz()
    zones[str(component["TZID"])] = [moment.astimezone(zone).utcoffset().total_seconds() * 1000 for moment in moments]
json.dump({"events": [describe(event) for event in calendar.walk("VEVENT")], "zones": zones}, sys.stdout)
