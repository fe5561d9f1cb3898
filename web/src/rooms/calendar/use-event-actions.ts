import { useQueryClient } from '@tanstack/react-query'
import { useClient } from '../../api/context.tsx'
import { tell } from '../../api/problem.ts'
import { useNotify } from '../../ui/toast.tsx'
import { momentOf } from './days.ts'
import type { Read } from './editor/editor-dialog.tsx'
import { moveRepeat } from './editor/repeat.ts'
import { eventQuery } from './events.ts'
import { type Aim, type Scope, useDelete } from './leaving.ts'
import { type EventChange, isOutdated, useSaving, type WayTo } from './saving.ts'
import type { Shown } from './shown.ts'
import type { When } from './timing.ts'
import type { CalendarEvent } from './words.ts'

interface ActionsOptions {
  askScope: (question: { verb: 'Change' | 'Delete'; canThis: boolean }) => Promise<Scope | null>
  timezone: string
  wayTo: WayTo
}

const MEANWHILE = 'It was changed in the meantime. This is how it is now.'

const isSame = (one: CalendarEvent, other: CalendarEvent): boolean =>
  one.start === other.start && one.end === other.end && one.updatedAt === other.updatedAt

/** What can be done to an event that is there, by all the ways that lead to it. */
export const useEventActions = ({ askScope, timezone, wayTo }: ActionsOptions) => {
  const client = useClient()
  const queries = useQueryClient()
  const notify = useNotify()
  const saving = useSaving(wayTo)
  const deleteLater = useDelete()

  const read = async ({ id, occurrenceStart }: CalendarEvent): Promise<Read> => {
    const version = await queries.fetchQuery(eventQuery(client, id, occurrenceStart))
    if (occurrenceStart === null) return { version, recurrence: version.value.recurrence }
    const series = await queries.fetchQuery(eventQuery(client, id, null))
    return { version, recurrence: series.value.recurrence }
  }

  const scopeFor = (event: CalendarEvent, verb: 'Change' | 'Delete'): Promise<Scope | null> =>
    event.recurringEventId === null ? Promise.resolve('all') : askScope({ verb, canThis: true })

  const aimAt = ({ id, occurrenceStart }: CalendarEvent, scope: Scope): Aim => ({
    id,
    occurrence: occurrenceStart,
    scope,
  })

  /** A series that goes to other days repeats on those from then on. */
  const withRule = (event: CalendarEvent, when: When, recurrence: string | null): EventChange => {
    const { allDay } = event
    const contextAt = (start: string) => ({
      start: momentOf(start, event.timezone, timezone).toPlainDate(),
      allDay,
      timezone: event.timezone,
    })
    const moved = moveRepeat(recurrence, contextAt(event.start), contextAt(when.start))
    return moved === recurrence ? when : { ...when, recurrence: moved }
  }

  return {
    read,

    async move({ event }: Shown, when: When): Promise<void> {
      const scope = await scopeFor(event, 'Change')
      if (scope === null) return
      try {
        const { version, recurrence } = await read(event)
        if (!isSame(version.value, event)) throw new Error(MEANWHILE)
        const isWhole = event.recurringEventId !== null && scope !== 'this'
        const change = isWhole ? withRule(event, when, recurrence) : when
        const aim = aimAt(event, scope)
        const back = { start: event.start, end: event.end }
        await saving.change(aim, change, version.etag, {
          said: `“${event.title}” is moved.`,
          ...(!isWhole && {
            undo: () =>
              void saving
                .change(aim, back, null, { said: `“${event.title}” is back where it was.` })
                .catch((error: unknown) => notify(tell(error), { failed: true })),
          }),
        })
      } catch (error) {
        const isStale = isOutdated(error) || (error instanceof Error && error.message === MEANWHILE)
        notify(isStale ? MEANWHILE : tell(error), { failed: true })
        await saving.refresh()
      }
    },

    /** Whether it is on its way out. */
    async remove({ event }: Shown): Promise<boolean> {
      const scope = await scopeFor(event, 'Delete')
      if (scope === null) return false
      try {
        const { version } = await read(event)
        const isSeries = event.recurringEventId !== null && scope !== 'this'
        const { title } = event
        deleteLater(aimAt(event, scope), version.etag, {
          said: isSeries ? `“${title}” and its repetitions are deleted.` : `“${title}” is deleted.`,
          back: isSeries ? `“${title}” and its repetitions are back.` : `“${title}” is back.`,
        })
        return true
      } catch (error) {
        notify(tell(error), { failed: true })
        await saving.refresh()
        return true
      }
    },
  }
}
