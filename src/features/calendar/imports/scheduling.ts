import type { Db } from '../../../database/db.ts'
import { type Attendee, type EventFields, type EventRecord, fieldsOf } from '../event.ts'
import { findNamed, listOverrides } from '../event-store.ts'
import type { Told } from '../icalendar/entry.ts'
import { readExtra } from '../icalendar/extra.ts'
import type { Occurrences } from '../occurrences.ts'
import { changedFields, type Saving } from '../saving.ts'

export type Verdict = 'created' | 'updated' | 'unchanged' | { reason: string }

/** RFC 5546: what these carry is not an event, but a word about one. */
const WORDS: Readonly<Record<string, string>> = {
  COUNTER: 'It proposes another time for an event, and the proposal is not taken over by itself.',
  DECLINECOUNTER: 'It declines a proposal, which changes nothing about the event.',
  REFRESH: 'It asks the organizer for the event as it is now.',
  ADD: 'It adds to a series that is here already: ask for the whole series.',
}

/** Said before it was last revised by the same author. What was changed here tells nothing of that. */
const isOutdated = ({ sequence, revisedAt }: Told['entry'], row: EventRecord): boolean =>
  sequence < row.sequence && row.revisedAt !== null && (revisedAt ?? '') < row.revisedAt

const withAnswers = (attendees: readonly Attendee[], answers: readonly Attendee[]): Attendee[] => {
  const told = new Map(answers.map((answer) => [answer.email.toLowerCase(), answer]))
  const answered = attendees.map((one) => {
    const answer = told.get(one.email.toLowerCase())
    told.delete(one.email.toLowerCase())
    return answer ? { ...one, status: answer.status } : one
  })
  // Whoever was not invited and answers comes along (RFC 5546, 3.2.3).
  return [...answered, ...told.values()]
}

/** What files say about events that are here, instead of saying an event: cancellations, answers, and the like. */
export const createSchedulingWriter = (deps: { saving: Saving; occurrences: Occurrences }) => {
  const { saving, occurrences } = deps

  const isCancellation = ({ method }: Told): boolean => method === 'CANCEL'
  const isAnswer = ({ method }: Told): boolean => method === 'REPLY'
  const isWord = ({ method }: Told): boolean => method !== null && Object.hasOwn(WORDS, method)

  const change = async (
    tx: Db,
    row: EventRecord,
    told: Told,
    make: (fields: EventFields) => EventFields,
  ): Promise<Verdict> => {
    const [before, after] = [fieldsOf(row), make(fieldsOf(row))]
    if (isOutdated(told.entry, row) || changedFields(before, after).length === 0) return 'unchanged'
    // It is no change of ours, so that what the organizer says next is measured by what they said before.
    const { sequence, revisedAt } = told.entry
    const kept = isCancellation(told)
      ? { sequence: Math.max(sequence, row.sequence), revisedAt: revisedAt ?? row.revisedAt }
      : { revisedAt: row.revisedAt }
    await saving.update(tx, row, after, kept)
    if (isCancellation(told))
      for (const one of await listOverrides(tx, row.id)) await change(tx, one, told, make)
    return 'updated'
  }

  /** To one occurrence that nobody has changed so far, or from there on; undefined when there is none. */
  const changeOccurrence = async (
    tx: Db,
    told: Told,
    make: (fields: EventFields) => EventFields,
  ): Promise<Verdict | undefined> => {
    const { uid, recurrenceId, extra } = told.entry
    const series = recurrenceId === null ? undefined : await findNamed(tx, uid, '')
    const one = series && (await occurrences.locate(tx, series, recurrenceId as string))
    if (!series || !one) return undefined
    const after = make(one.fields)
    if (isOutdated(told.entry, series) || changedFields(one.fields, after).length === 0) return 'unchanged'
    if (isCancellation(told) && readExtra(extra).recurrenceId?.range)
      await occurrences.remove(tx, series.id, { occurrence: one.start, scope: 'following' }, undefined)
    else await occurrences.changeOne(tx, series, one, after)
    return 'updated'
  }

  return {
    /** Whether it is a word about an event that is here, or can only be one. */
    concerns: (told: Told): boolean => isCancellation(told) || isAnswer(told) || isWord(told),

    /** Words about what is not here are all that is known of it: they become events like any other. */
    isAboutKnown: (told: Told, series: EventRecord | undefined): boolean =>
      series !== undefined && (isCancellation(told) || isAnswer(told) || isWord(told)),

    async write(tx: Db, row: EventRecord | undefined, told: Told): Promise<Verdict> {
      if (isWord(told)) return { reason: WORDS[told.method as string] as string }
      const make = (fields: EventFields): EventFields =>
        isCancellation(told)
          ? { ...fields, status: 'cancelled' }
          : { ...fields, attendees: withAnswers(fields.attendees, told.entry.attendees) }
      const verdict = row ? await change(tx, row, told, make) : await changeOccurrence(tx, told, make)
      return (
        verdict ?? {
          reason: isCancellation(told)
            ? 'It cancels an event that is not here.'
            : 'It answers an occurrence that the series does not have.',
        }
      )
    },
  }
}
