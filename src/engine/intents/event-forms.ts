import { readEventWith } from '../meetings/event.ts'
import { wallText } from './moments.ts'
import { namesOf } from './picks.ts'
import { draft, proof, type Rule } from './request.ts'

const AWAY =
  /^(?:i(?:'m|’m| am|'ll be|’ll be| will be)|ich bin)\s+(?:on |in |im |auf )?(vacation|holidays?|annual leave|leave|parental leave|away|out of (?:the )?office|travell?ing|off work|urlaub|verreist|abwesend|elternzeit)(?![\p{L}])/iu
const INVITE =
  /^(?:invite|lade?)\s+(.+?)\s+(?:to|for|zu[mr]?)\s+(?:an?\s+|the\s+|my\s+|eine[mr]?\s+)?(?=\p{L})/iu

/** "I'm on vacation from 6 to 10 April": whole days. */
export const awayEvent: Rule = (request) => {
  const word = AWAY.exec(request.text)?.[1]
  if (word === undefined) return undefined
  const time = request.times.find(({ start, kind }) => start && kind !== 'recurrence' && kind !== 'duration')
  if (!time?.start || time.start.seconds !== undefined) return undefined
  const last = time.end ? time.end.day - (time.inclusive ? 0 : 1) : undefined
  const title = word.charAt(0).toUpperCase() + word.slice(1)
  return draft(
    'create_event',
    {
      ...{ title, start: wallText({ day: time.start.day }), allDay: true as const },
      ...(last !== undefined && last > time.start.day ? { end: wallText({ day: last }) } : {}),
    },
    0.92,
    proof(request, 'start', [time]),
  )
}

/** "invite Ana and carla@example.org to a review on Friday at 3". */
export const inviteEvent: Rule = (request) => {
  const [head, names] = INVITE.exec(request.text) ?? []
  if (head === undefined || names === undefined) return undefined
  const from = head.length
  const { text, times } = request
  const rest = text.slice(from)
  const event = readEventWith(
    `schedule ${rest}`,
    times
      .filter(({ offset }) => offset >= from)
      .map((time) => ({ ...time, offset: time.offset - from + 'schedule '.length })),
  )
  if (!event.start) return undefined
  return draft(
    'create_event',
    {
      ...(event.title ? { title: event.title.text } : {}),
      ...{ start: wallText(event.start), people: namesOf(names) },
      ...(event.end ? { end: wallText(event.end) } : {}),
      ...(event.minutes ? { minutes: event.minutes } : {}),
      ...(event.place ? { place: event.place.text } : {}),
    },
    0.92,
    proof(request, 'start', times),
  )
}
