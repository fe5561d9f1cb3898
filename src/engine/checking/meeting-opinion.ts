import type { TimeExpression } from '../dates/read.ts'
import type { DetectedMeeting } from '../meetings/detect.ts'
import { findLinks } from '../meetings/links.ts'
import type { Piece } from '../meetings/piece.ts'
import { toInstant, toWall } from '../time-zones.ts'

/** A meeting that a model sees in a mail; its times are on the reader's wall clock. */
export interface MeetingSaid {
  title: string
  start: string
  end: string | null
  place: string | null
  people: readonly string[]
  quote: string
}

const DAY = 86_400_000
const USUAL_MS = 60 * 60_000
const LONGEST_MS = 24 * 60 * 60_000
const FOUND = 0.6
const LONGEST_TITLE = 200
const MOST_PEOPLE = 50

const wallOf = (said: string | null): number | undefined => {
  const [, day, clock] = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})/.exec(said?.trim() ?? '') ?? []
  const ms = Date.parse(`${day}T${clock}Z`)
  return Number.isNaN(ms) ? undefined : ms
}

/** Both the day and the hour must be said in the mail; they may stand apart. */
const isTold = (wall: number, times: readonly TimeExpression[]): boolean => {
  const day = Math.floor(wall / DAY)
  const seconds = (wall - day * DAY) / 1000
  const hasClock = times.some(({ start, end }) => start?.seconds === seconds || end?.seconds === seconds)
  return (
    hasClock && times.some(({ start, dated }) => start?.day === day && (dated || start.seconds === seconds))
  )
}

/** The meetings that the mail bears out. Where the engine found the same, its reading stands, with what the model adds to it. */
export const checkMeetings = (
  said: readonly MeetingSaid[],
  mail: {
    own: string
    times: readonly TimeExpression[]
    find: (quote: string) => Piece | undefined
    timezone: string
    subject: string
    isSound: (words: string) => boolean
    found: readonly DetectedMeeting[]
    people: readonly string[]
  },
): { meetings: DetectedMeeting[]; rejected: string[] } => {
  const { times, find, timezone, found } = mail
  const meetings: DetectedMeeting[] = []
  const rejected: string[] = []
  const named = mail.people.join('\n').toLowerCase()
  const stands = (name: string): boolean => {
    const words = name.slice(0, LONGEST_TITLE).trim().toLowerCase()
    return words !== '' && (find(words) !== undefined || named.includes(words))
  }
  for (const { title, start, end, place, people, quote } of said) {
    const wall = wallOf(start)
    const piece = find(quote)
    if (wall === undefined || !piece) {
      rejected.push(title)
      continue
    }
    const instant = toInstant(wall, timezone)
    const same = found.find(
      (one) =>
        one.start === instant ||
        (one.allDay && Math.floor(toWall(one.start, timezone) / DAY) === Math.floor(wall / DAY)),
    )
    if (meetings.some((one) => one.start === (same?.start ?? instant))) continue
    if (!same && !isTold(wall, times)) {
      rejected.push(title)
      continue
    }
    const location = place !== null && stands(place) ? (find(place)?.text ?? place) : null
    const attendees = people.filter(stands).slice(0, MOST_PEOPLE)
    const name = title.trim() !== '' && mail.isSound(title) ? title.trim().slice(0, LONGEST_TITLE) : undefined
    const until = wallOf(end)
    const isEnd = until !== undefined && until > wall && until - wall <= LONGEST_MS && isTold(until, times)
    meetings.push(
      same
        ? {
            ...same,
            title: name ?? same.title,
            location: same.location ?? location,
            attendees: [...new Set([...same.attendees, ...attendees])],
          }
        : {
            ...{ title: name ?? (mail.subject.trim() || 'Meeting'), start: instant },
            ...{ end: isEnd ? toInstant(until, timezone) : instant + USUAL_MS, endStated: isEnd },
            ...{ allDay: false, timezone, location, attendees, recurrence: null, confidence: FOUND },
            meetingUrl: findLinks(mail.own).find(({ kind }) => kind !== 'phone')?.text ?? null,
            evidence: [piece],
          },
    )
  }
  return { meetings, rejected }
}
