import { readEventWith } from '../meetings/event.ts'
import type { Vote } from './committee.ts'
import { rangeOf, wallText } from './moments.ts'
import { companion, pickEmail, pickEvent } from './picks.ts'
import { type Draft, draft, proof, type Request } from './request.ts'

/** How much of the models' certainty is kept: they know what is wanted, but not by which words. */
const TRUST = 0.85

/** A reading by what the models say is wanted, where no form of words has said it. */
export const guessIntent = (request: Request, { wish, share }: Vote): Draft | undefined => {
  const { times, context, timeless, text } = request
  const sure = Math.round(share * TRUST * 100) / 100
  const time = times.find(({ start, kind }) => start && kind !== 'recurrence')
  const seen = time ? proof(request, 'from', [time]) : []
  const person = companion(timeless)
  if (wish === 'ask_events')
    return draft(
      'list_events',
      { ...rangeOf(time, context), ...(person ? { person: person.text } : {}) },
      sure,
      seen,
    )
  if (wish === 'make_event' && time) {
    const event = readEventWith(text, times)
    const set = times.find(({ kind }) => kind === 'recurrence')
    if (!event.start || (!event.title && event.people.length === 0)) return undefined
    return draft(
      'create_event',
      {
        ...(event.title ? { title: event.title.text } : {}),
        start: wallText(event.start),
        ...(event.minutes ? { minutes: event.minutes } : {}),
        ...(event.people.length > 0 ? { people: event.people.map(({ text: name }) => name) } : {}),
        ...(event.place ? { place: event.place.text } : {}),
        ...(set?.rule ? { recurrence: set.rule } : {}),
      },
      sure,
      seen,
    )
  }
  if (wish === 'drop_event') {
    const { pick, evidence } = pickEvent(request, /^\p{L}+\s+/u.exec(text)?.[0].length ?? 0, text.length)
    return pick.person || pick.at || pick.next
      ? draft('cancel_event', { event: pick }, sure, evidence)
      : undefined
  }
  if (wish === 'find_mail') {
    const { pick, evidence } = pickEmail(request)
    return draft('find_emails', { ...pick, ...rangeOf(time, context) }, sure, [...evidence, ...seen])
  }
  if (wish === 'ask_tasks') return draft('list_tasks', rangeOf(time, context), sure, seen)
  return undefined
}
