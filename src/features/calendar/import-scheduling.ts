import type { Db } from '../../database/db.ts'
import { type Attendee, type EventFields, type EventRecord, fieldsOf } from './event.ts'
import { findNamed } from './event-store.ts'
import { readExtra } from './icalendar/extra.ts'
import type { Told } from './import-batch.ts'
import type { Occurrences } from './occurrences.ts'
import { changedFields, type Saving } from './saving.ts'

export type Verdict = 'created' | 'updated' | 'unchanged' | { reason: string }

/** RFC 5546: what these carry is not an event, but a word about one. */
const WORDS: Readonly<Record<string, string>> = {
  COUNTER: 'It proposes another time for an event, and the proposal is not taken over by itself.',
  DECLINECOUNTER: 'It declines a proposal, which changes nothing about the event.',
  REFRESH: 'It asks the organizer for the event as it is now.',
  ADD: 'It adds to a series that is here already: ask for the whole series.',
}

/** Whether it speaks of an older revision. What was changed here counts by itself, and is no measure for others. */
const isOutdated = ({ entry }: Told, row: EventRecord): boolean =>
  row.revisedAt !== null && entry.sequence < row.sequence

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

  /** To an event, or to one occurrence that nobody has changed so far. */
  const alter = async (
    tx: Db,
    row: EventRecord | undefined,
    told: Told,
    change: (fields: EventFields) => EventFields,
  ): Promise<Verdict | undefined> => {
    const { uid, recurrenceId, sequence } = told.entry
    if (row) {
      if (isOutdated(told, row)) return 'unchanged'
      const [before, after] = [fieldsOf(row), change(fieldsOf(row))]
      if (changedFields(before, after).length === 0) return 'unchanged'
      // It is no change of ours, so that what the organizer says next is measured by what they said before.
      const revision = { sequence: Math.max(sequence, row.sequence), revisedAt: row.revisedAt }
      await saving.update(tx, row, after, isCancellation(told) ? revision : { revisedAt: row.revisedAt })
      return 'updated'
    }
    const series = recurrenceId === null ? undefined : await findNamed(tx, uid, '')
    if (!series || series.expandedFrom === null) return undefined
    if (isOutdated(told, series)) return 'unchanged'
    const isFromThereOn = readExtra(told.entry.extra).recurrenceId?.range != null && isCancellation(told)
    const start = recurrenceId as string
    if (!isFromThereOn) return (await occurrences.alter(tx, series, start, change)) ? 'updated' : undefined
    await occurrences.remove(tx, series.id, { occurrence: start, scope: 'following' }, undefined)
    return 'updated'
  }

  return {
    /** Whether it is a word about an event that is here, or can only be one. */
    concerns: (told: Told): boolean => isCancellation(told) || isAnswer(told) || isWord(told),

    /** Answers to what is not here are all that is known of it: they become events like any other. */
    isAboutKnown: (told: Told, series: EventRecord | undefined): boolean =>
      isCancellation(told) || ((isAnswer(told) || isWord(told)) && series !== undefined),

    async write(tx: Db, row: EventRecord | undefined, told: Told): Promise<Verdict> {
      if (isWord(told)) return { reason: WORDS[told.method as string] as string }
      const verdict = await alter(tx, row, told, (fields) =>
        isCancellation(told)
          ? { ...fields, status: 'cancelled' }
          : { ...fields, attendees: withAnswers(fields.attendees, told.entry.attendees) },
      )
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
