import type { OpenCalendarServer } from '../../features/calendar-accounts/calendar-server.ts'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import { findChanges } from './changes.ts'
import { createConversation } from './conversation.ts'
import { findCalendars } from './discovery.ts'
import { readObjects, removeObject, writeObject } from './objects.ts'

/** Calendars on servers that speak CalDAV (RFC 4791), reached through the guarded client. */
export const createCalDav =
  (outbound: Pick<Outbound, 'fetch'>): OpenCalendarServer =>
  (target) => {
    const conversation = createConversation(outbound, target)
    return {
      calendars: (signal) => findCalendars(conversation, signal),
      changes: (calendarHref, syncToken, signal) =>
        findChanges(conversation, calendarHref, syncToken, signal),
      read: (calendarHref, hrefs, signal) => readObjects(conversation, calendarHref, hrefs, signal),
      write: (href, body, replacing, signal) => writeObject(conversation, href, body, replacing, signal),
      remove: (href, etag, signal) => removeObject(conversation, href, etag, signal),
    }
  }
