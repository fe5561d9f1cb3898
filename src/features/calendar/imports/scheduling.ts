import type { Db } from '../../../database/db.ts'
import { type Attendee, type EventFields, type EventRecord, fieldsOf } from '../event.ts'
import { findNamed, listOverrides } from '../event-repository.ts'
import { changedFields, type Saving } from '../event-writer.ts'
import { type FoundEvent, readExtra } from '../ical/entry.ts'
import type { Occurrences } from '../occurrences.ts'

export type Verdict = 'created' | 'updated' | 'unchanged' | { reason: string }

/** RFC 5546: components with these methods are messages about an event, not events. */
const REASONS: Readonly<Record<string, string>> = {
  COUNTER: 'The file contains a proposal for another time, which is not applied automatically.',
  DECLINECOUNTER: 'The file declines a proposal. The event is unchanged.',
  REFRESH: 'The file requests the current version of the event from its organizer.',
  ADD: 'The file adds occurrences to an existing series. Import the whole series instead.',
}

/** Whether the message is older than the author's last revision. Local changes do not count. */
const isOutdated = ({ sequence, revisedAt }: FoundEvent['entry'], row: EventRecord): boolean =>
  sequence < row.sequence && row.revisedAt !== null && (revisedAt ?? '') < row.revisedAt

const withReplies = (attendees: readonly Attendee[], answers: readonly Attendee[]): Attendee[] => {
  const byEmail = new Map(answers.map((answer) => [answer.email.toLowerCase(), answer]))
  const answered = attendees.map((one) => {
    const answer = byEmail.get(one.email.toLowerCase())
    byEmail.delete(one.email.toLowerCase())
    return answer ? { ...one, status: answer.status } : one
  })
  // An attendee who was not invited may reply and is added (RFC 5546, 3.2.3).
  return [...answered, ...byEmail.values()]
}

/** Applies messages about stored events: cancellations, replies and others. */
export const createSchedulingWriter = (deps: { saving: Saving; occurrences: Occurrences }) => {
  const { saving, occurrences } = deps

  const isCancellation = ({ method }: FoundEvent): boolean => method === 'CANCEL'
  const isReply = ({ method }: FoundEvent): boolean => method === 'REPLY'
  const isOtherMessage = ({ method }: FoundEvent): boolean =>
    method !== null && Object.hasOwn(REASONS, method)

  const change = async (
    tx: Db,
    row: EventRecord,
    component: FoundEvent,
    make: (fields: EventFields) => EventFields,
  ): Promise<Verdict> => {
    const [before, after] = [fieldsOf(row), make(fieldsOf(row))]
    if (isOutdated(component.entry, row) || changedFields(before, after).length === 0) return 'unchanged'
    // Keep the author's revision, because the organizer's next message is compared with it.
    const { sequence, revisedAt } = component.entry
    const kept = isCancellation(component)
      ? { sequence: Math.max(sequence, row.sequence), revisedAt: revisedAt ?? row.revisedAt }
      : { revisedAt: row.revisedAt }
    await saving.update(tx, row, after, kept)
    if (isCancellation(component))
      for (const one of await listOverrides(tx, row.id)) await change(tx, one, component, make)
    return 'updated'
  }

  /**
   * Changes an unchanged occurrence, or cancels it and all following. Returns undefined if it does not exist.
   */
  const changeOccurrence = async (
    tx: Db,
    component: FoundEvent,
    make: (fields: EventFields) => EventFields,
  ): Promise<Verdict | undefined> => {
    const { uid, recurrenceId, extra } = component.entry
    const series = recurrenceId === null ? undefined : await findNamed(tx, uid, '')
    const one = series && (await occurrences.locate(tx, series, recurrenceId as string))
    if (!series || !one) return undefined
    const after = make(one.fields)
    if (isOutdated(component.entry, series) || changedFields(one.fields, after).length === 0)
      return 'unchanged'
    if (isCancellation(component) && readExtra(extra).recurrenceId?.range)
      await occurrences.remove(tx, series.id, { occurrence: one.start, scope: 'following' }, undefined)
    else await occurrences.changeOne(tx, series, one, after)
    return 'updated'
  }

  return {
    /** Whether the component is a message about an event. */
    isMessage: (component: FoundEvent): boolean =>
      isCancellation(component) || isReply(component) || isOtherMessage(component),

    /** Without a stored series, the message is the only information, so it becomes an event. */
    isAboutKnown: (component: FoundEvent, series: EventRecord | undefined): boolean =>
      series !== undefined && (isCancellation(component) || isReply(component) || isOtherMessage(component)),

    async write(tx: Db, row: EventRecord | undefined, component: FoundEvent): Promise<Verdict> {
      if (isOtherMessage(component)) return { reason: REASONS[component.method as string] as string }
      const make = (fields: EventFields): EventFields =>
        isCancellation(component)
          ? { ...fields, status: 'cancelled' }
          : { ...fields, attendees: withReplies(fields.attendees, component.entry.attendees) }
      const verdict = row
        ? await change(tx, row, component, make)
        : await changeOccurrence(tx, component, make)
      return (
        verdict ?? {
          reason: isCancellation(component)
            ? 'The file cancels an event that is not in the calendar.'
            : 'The file replies to an occurrence that the series does not have.',
        }
      )
    },
  }
}
