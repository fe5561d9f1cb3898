import { useQueryClient } from '@tanstack/react-query'
import * as t from '#locale/calendar'
import { unwrap } from '../../api/client.ts'
import { useClient } from '../../api/context.tsx'
import { describeError } from '../../api/problem.ts'
import { useNotify } from '../../ui/toast.tsx'
import { useAttempt } from '../../ui/use-attempt.ts'
import { isEditable } from './calendars/calendar-access.ts'
import { momentOf } from './days.ts'
import { type ChangeTarget, type Scope, useDelete } from './delete-event.ts'
import type { DisplayedEvent } from './displayed-event.ts'
import { bodyOf, type Draft, draftOf } from './editor/draft.ts'
import { moveRepeat } from './editor/repeat.ts'
import type { LoadedEvent } from './editor/use-event-form.ts'
import type { CalendarEvent, EventChange } from './event.ts'
import type { InvitationAnswer } from './event-popover.tsx'
import { eventQuery } from './events.ts'
import { type AskInvitations, planChange } from './invitation-question.tsx'
import { type CreateShowAction, isOutdated, useSaveEvent } from './save-event.ts'
import type { AskScope, SeriesAction } from './scope-question.tsx'
import type { When } from './timing.ts'

interface ActionsOptions {
  askScope: AskScope
  askInvitations: AskInvitations
  timezone: string
  createShowAction: CreateShowAction
}

const isSame = (one: CalendarEvent, other: CalendarEvent): boolean =>
  one.start === other.start && one.end === other.end && one.updatedAt === other.updatedAt

const NOTHING = { sendInvitations: false }

const toWhen = ({ start, end, allDay }: When): When => ({ start, end, allDay })

/** The form of a copy. An event in a calendar that the user cannot change is copied to the default calendar. */
export const copyDraft = (item: DisplayedEvent): Draft => {
  const { event } = item
  const draft = draftOf(event, null)
  return {
    ...draft,
    calendarId: isEditable(item) ? event.calendarId : null,
    attendees: draft.attendees.map((attendee) => ({ ...attendee, status: 'needs-action' })),
    status: event.status === 'cancelled' ? 'confirmed' : event.status,
  }
}

/** In a shared calendar, only the owner sends invitations. */
const isForOwner = ({ calendar }: DisplayedEvent): boolean => calendar === null || calendar.owner === null

/** Actions on existing events: read, move, delete, respond. */
export const useEventActions = ({ askScope, askInvitations, timezone, createShowAction }: ActionsOptions) => {
  const client = useClient()
  const queries = useQueryClient()
  const notify = useNotify()
  const attempt = useAttempt()
  const saving = useSaveEvent(createShowAction)
  const deleteLater = useDelete()

  const read = async ({ id, occurrenceStart }: CalendarEvent): Promise<LoadedEvent> => {
    const version = await queries.fetchQuery(eventQuery(client, id, occurrenceStart))
    if (occurrenceStart === null) return { version, recurrence: version.value.recurrence }
    const series = await queries.fetchQuery(eventQuery(client, id, null))
    return { version, recurrence: series.value.recurrence }
  }

  const scopeFor = (event: CalendarEvent, action: SeriesAction): Promise<Scope | null> =>
    event.recurringEventId === null ? Promise.resolve('all') : askScope(action)

  const toChangeTarget = ({ id, occurrenceStart }: CalendarEvent, scope: Scope): ChangeTarget => ({
    id,
    occurrence: occurrenceStart,
    scope,
  })

  /** Shifts the recurrence rule when the series moves to other weekdays. */
  const withRule = (
    { timezone: eventZone }: CalendarEvent,
    from: When,
    to: When,
    recurrence: string | null,
  ): EventChange => {
    const contextAt = ({ start, allDay }: When) => ({
      start: momentOf(start, eventZone, timezone).toPlainDate(),
      allDay,
      timezone: eventZone,
    })
    const moved = moveRepeat(recurrence, contextAt(from), contextAt(to))
    return moved === recurrence ? to : { ...to, recurrence: moved }
  }

  /**
   * Moves a series back. `before` is the whole series before the move, and `moved` the result, which is another series
   * if the move began at a later occurrence.
   */
  const moveSeriesBack = async (
    event: CalendarEvent,
    when: When,
    before: CalendarEvent,
    moved: CalendarEvent,
  ): Promise<void> => {
    const target = { id: moved.id, occurrence: null, scope: 'all' } as const
    if (moved.id === before.id) {
      const { recurrence } = before
      await saving.undoChange(target, { ...toWhen(before), recurrence }, t.moveUndone)
    } else {
      const { value } = await queries.fetchQuery(eventQuery(client, moved.id, null))
      const change = withRule(event, when, toWhen(event), value.recurrence)
      await saving.undoChange(target, change, t.moveUndone)
    }
  }

  const reportFailure = (error: unknown): void => notifyFailure(describeError(error))
  const notifyFailure = (text: string): void => void notify(text, { failed: true })

  return {
    read,

    async move(item: DisplayedEvent, when: When): Promise<void> {
      const { event } = item
      const scope = await scopeFor(event, 'change')
      if (scope === null) return
      const choice = isForOwner(item) ? await askInvitations(planChange('change', event)) : NOTHING
      if (choice === null) return
      try {
        const { version, recurrence } = await read(event)
        if (!isSame(version.value, event)) throw new Error(t.changedMeanwhile)
        const isWhole = event.recurringEventId !== null && scope !== 'this'
        const changeTarget = toChangeTarget(event, scope)
        let undo = () =>
          saving
            .change(changeTarget, toWhen(event), null, { toastText: t.moveUndone })
            .then(() => {}, reportFailure)
        const toast = { toastText: t.eventMoved(event.title), undo: () => void undo() }
        if (!isWhole) {
          await saving.change(changeTarget, when, version.etag, toast, choice)
          return
        }
        const before = (await queries.fetchQuery(eventQuery(client, event.id, null))).value
        const change = withRule(event, toWhen(event), when, recurrence)
        const moved = saving.change(changeTarget, change, version.etag, toast, choice)
        undo = async () => moveSeriesBack(event, when, before, (await moved).value).catch(reportFailure)
        await moved
      } catch (error) {
        const isStale = isOutdated(error) || (error instanceof Error && error.message === t.changedMeanwhile)
        notify(isStale ? t.changedMeanwhile : describeError(error), { failed: true })
        await saving.refresh()
      }
    },

    /** Creates a copy at another time. A copy of an occurrence does not repeat. */
    async copy(item: DisplayedEvent, when: When): Promise<void> {
      const draft = copyDraft(item)
      const choice = await askInvitations(planChange('create', { ...draft, organizer: null }))
      if (choice === null) return
      await attempt(() => saving.create({ ...bodyOf(draft), ...when }, choice))
    },

    async remove(item: DisplayedEvent): Promise<void> {
      const { event } = item
      const scope = await scopeFor(event, 'delete')
      if (scope === null) return
      const choice = isForOwner(item) ? await askInvitations(planChange('delete', event)) : NOTHING
      if (choice === null) return
      try {
        const { version } = await read(event)
        const isSeries = event.recurringEventId !== null && scope !== 'this'
        const { title } = event
        const words = {
          toastText: isSeries ? t.seriesDeleted(title) : t.eventDeleted(title),
          undoneText: t.eventRestored(title),
        }
        deleteLater(toChangeTarget(event, scope), version.etag, words, choice.sendInvitations)
      } catch (error) {
        notify(describeError(error), { failed: true })
        await saving.refresh()
      }
    },

    /** Sets the user's own reminders for an event of somebody else. They apply to the whole series. */
    async remind({ event }: DisplayedEvent, minutes: readonly number[]): Promise<void> {
      const body = { reminders: minutes.map((minutesBefore) => ({ minutesBefore })) }
      await attempt(async () => {
        const params = { path: { id: event.id }, query: {} }
        await unwrap(client.PATCH('/api/calendar/events/{id}', { params, body }))
        notify(t.remindersSaved)
      })
      await saving.refresh()
    },

    /** Answers an invitation. The server sends the answer to the organizer. */
    async respond({ event }: DisplayedEvent, status: InvitationAnswer): Promise<void> {
      const scope = await scopeFor(event, 'respond')
      if (scope === null) return
      const { id, occurrenceStart, title } = event
      const query = scope === 'this' && occurrenceStart !== null ? { occurrence: occurrenceStart } : {}
      await attempt(async () => {
        await unwrap(
          client.POST('/api/calendar/events/{id}/respond', {
            params: { path: { id }, query },
            body: { status },
          }),
        )
        notify(t.responseSent(title))
      })
      await saving.refresh()
    },
  }
}
