import { useQueryClient } from '@tanstack/react-query'
import { useClient } from '../../api/context.tsx'
import { describeError } from '../../api/problem.ts'
import { useNotify } from '../../ui/toast.tsx'
import { momentOf } from './days.ts'
import { type ChangeTarget, type Scope, useDelete } from './delete-event.ts'
import type { DisplayedEvent } from './displayed-event.ts'
import type { LoadedEvent } from './editor/editor-dialog.tsx'
import { moveRepeat } from './editor/repeat.ts'
import { eventQuery } from './events.ts'
import { type CreateShowAction, type EventChange, isOutdated, useSaveEvent } from './save-event.ts'
import type { When } from './timing.ts'
import type { CalendarEvent } from './words.ts'

interface ActionsOptions {
  askScope: (question: { verb: 'Change' | 'Delete'; canThis: boolean }) => Promise<Scope | null>
  timezone: string
  createShowAction: CreateShowAction
}

const MEANWHILE = 'It was changed in the meantime. This is how it is now.'

const isSame = (one: CalendarEvent, other: CalendarEvent): boolean =>
  one.start === other.start && one.end === other.end && one.updatedAt === other.updatedAt

/** Actions on existing events: read, move, delete. */
export const useEventActions = ({ askScope, timezone, createShowAction }: ActionsOptions) => {
  const client = useClient()
  const queries = useQueryClient()
  const notify = useNotify()
  const saving = useSaveEvent(createShowAction)
  const deleteLater = useDelete()

  const read = async ({ id, occurrenceStart }: CalendarEvent): Promise<LoadedEvent> => {
    const version = await queries.fetchQuery(eventQuery(client, id, occurrenceStart))
    if (occurrenceStart === null) return { version, recurrence: version.value.recurrence }
    const series = await queries.fetchQuery(eventQuery(client, id, null))
    return { version, recurrence: series.value.recurrence }
  }

  const scopeFor = (event: CalendarEvent, verb: 'Change' | 'Delete'): Promise<Scope | null> =>
    event.recurringEventId === null ? Promise.resolve('all') : askScope({ verb, canThis: true })

  const toChangeTarget = ({ id, occurrenceStart }: CalendarEvent, scope: Scope): ChangeTarget => ({
    id,
    occurrence: occurrenceStart,
    scope,
  })

  /** Shifts the recurrence rule when the series moves to other weekdays. */
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

    async move({ event }: DisplayedEvent, when: When): Promise<void> {
      const scope = await scopeFor(event, 'Change')
      if (scope === null) return
      try {
        const { version, recurrence } = await read(event)
        if (!isSame(version.value, event)) throw new Error(MEANWHILE)
        const isWhole = event.recurringEventId !== null && scope !== 'this'
        const change = isWhole ? withRule(event, when, recurrence) : when
        const changeTarget = toChangeTarget(event, scope)
        const before = { start: event.start, end: event.end }
        await saving.change(changeTarget, change, version.etag, {
          toastText: `“${event.title}” is moved.`,
          ...(!isWhole && {
            undo: () =>
              void saving
                .change(changeTarget, before, null, { toastText: `“${event.title}” is back where it was.` })
                .catch((error: unknown) => notify(describeError(error), { failed: true })),
          }),
        })
      } catch (error) {
        const isStale = isOutdated(error) || (error instanceof Error && error.message === MEANWHILE)
        notify(isStale ? MEANWHILE : describeError(error), { failed: true })
        await saving.refresh()
      }
    },

    /** Resolves to false only if the user cancelled. */
    async remove({ event }: DisplayedEvent): Promise<boolean> {
      const scope = await scopeFor(event, 'Delete')
      if (scope === null) return false
      try {
        const { version } = await read(event)
        const isSeries = event.recurringEventId !== null && scope !== 'this'
        const { title } = event
        deleteLater(toChangeTarget(event, scope), version.etag, {
          toastText: isSeries ? `“${title}” and its repetitions are deleted.` : `“${title}” is deleted.`,
          undoneText: isSeries ? `“${title}” and its repetitions are back.` : `“${title}” is back.`,
        })
        return true
      } catch (error) {
        notify(describeError(error), { failed: true })
        await saving.refresh()
        return true
      }
    },
  }
}
