import type { Db } from '../../../database/db.ts'
import type { BriefedEvent, EventSource } from '../../briefing/sources.ts'
import { textOf } from '../shown-event.ts'
import { lookThrough } from './window.ts'

const MOST = 100

/** A day of the calendar, as far as a briefing tells of it. What was cancelled does not take place. */
export const createBriefedEvents =
  (db: Db): EventSource =>
  async ({ from, until }) => {
    const rows = await lookThrough(db, { expanded: true, from, until, among: 'standing', limit: MOST })
    return rows.map((row) => {
      const event = JSON.parse(textOf(row)) as BriefedEvent
      const { id, occurrenceStart, title, start, end, allDay, location, meetingUrl, status, busy } = event
      return { id, occurrenceStart, title, start, end, allDay, location, meetingUrl, status, busy }
    })
  }
