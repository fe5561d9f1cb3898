import { fold } from './folding.ts'
import { escapeText } from './text.ts'

interface Head {
  name?: string
  timezone?: string
  /** RFC 5546. None for what is put on a CalDAV server (RFC 4791, 4.1). */
  method?: string
  /** How often those who subscribe shall look again, in minutes. */
  refreshMinutes?: number
}

/** What comes before the time zones and events of a calendar, by the names of RFC 7986 and those before it. */
export const calendarHead = ({ name, timezone, method, refreshMinutes }: Head): string =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Factotum//Calendar//EN',
    'CALSCALE:GREGORIAN',
    ...(method === undefined ? [] : [`METHOD:${method}`]),
    ...(name === undefined ? [] : [`NAME:${escapeText(name)}`, `X-WR-CALNAME:${escapeText(name)}`]),
    ...(timezone === undefined ? [] : [`X-WR-TIMEZONE:${escapeText(timezone)}`]),
    ...(refreshMinutes === undefined
      ? []
      : [`REFRESH-INTERVAL;VALUE=DURATION:PT${refreshMinutes}M`, `X-PUBLISHED-TTL:PT${refreshMinutes}M`]),
  ]
    .map(fold)
    .join('')

export const calendarTail = (): string => 'END:VCALENDAR\r\n'
