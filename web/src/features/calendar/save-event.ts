import * as t from '#locale/calendar'
import { withInvitations } from '#locale/invitations'
import { type Client, ifMatch, type Shape, unwrap, unwrapVersion, type Versioned } from '../../api/client.ts'
import { useClient } from '../../api/context.tsx'
import { ApiError } from '../../api/problem.ts'
import { useRefetch } from '../../api/use-refetch.ts'
import { useNotify } from '../../ui/toast.tsx'
import { useAttempt } from '../../ui/use-attempt.ts'
import { type ChangeTarget, toScopeQuery } from './delete-event.ts'
import type { CalendarEvent, EventChange, NewEvent } from './event.ts'
import { calendarKey } from './events.ts'
import type { InvitationChoice } from './invitation-question.tsx'

const takesTime = ({ busy, status }: CalendarEvent): boolean => busy && status !== 'cancelled'

/** Titles of busy events at the same time. */
const overlapsWith = async (client: Client, event: CalendarEvent): Promise<string[]> => {
  if (!takesTime(event)) return []
  const query = { start: event.start, end: event.end, limit: 20 }
  const { events } = await unwrap(client.GET('/api/calendar/events', { params: { query } }))
  return events.filter((other) => takesTime(other) && other.id !== event.id).map(({ title }) => title)
}

const withOverlaps = (text: string, [first, ...rest]: string[]): string =>
  first === undefined ? text : t.overlapsWith({ text, first, others: rest.length })

export const isOutdated = (error: unknown): boolean => error instanceof ApiError && error.status === 412

type Invitations = NonNullable<Shape<'SavedEvent'>['invitations']>

const describeSent = (text: string, invitations: Invitations | undefined): string =>
  invitations && invitations.length > 0 ? withInvitations(text) : text

interface SaveToast {
  toastText: string
  undo?: () => void
}

/** Returns a function that navigates to the event, or null if the event is visible. */
export type CreateShowAction = (event: CalendarEvent) => (() => void) | null

/** Saves an event, shows a toast with its conflicts and refetches the calendar. */
export const useSaveEvent = (createShowAction: CreateShowAction = () => null) => {
  const client = useClient()
  const notify = useNotify()
  const attempt = useAttempt()
  const refresh = useRefetch(calendarKey)

  const finish = async (event: CalendarEvent, { toastText, undo }: SaveToast, names?: Promise<string[]>) => {
    // A failed conflict lookup must not look like a failed save.
    const overlaps = await (names ?? overlapsWith(client, event)).catch(() => [])
    const show = createShowAction(event)
    notify(withOverlaps(toastText, overlaps), {
      ...(undo && { undo }),
      ...(show && { offer: { label: t.show, accept: show } }),
    })
    await refresh()
  }

  /** Stops email that has not left yet. Returns false if some has left. */
  const stopSending = async (invitations: Invitations): Promise<boolean> => {
    let isStopped = true
    for (const { emailId } of invitations)
      try {
        const params = { path: { id: emailId } }
        await unwrap(client.POST('/api/emails/{id}/cancel-send', { params }))
        await unwrap(client.DELETE('/api/emails/{id}', { params }))
      } catch {
        isStopped = false
      }
    return isStopped
  }

  const remove = async ({ id, title }: CalendarEvent, invitations: Invitations): Promise<void> => {
    await attempt(async () => {
      const query = (await stopSending(invitations)) ? {} : { sendInvitations: true }
      await unwrap(client.DELETE('/api/calendar/events/{id}', { params: { path: { id }, query } }))
      notify(t.eventDeleted(title))
    })
    await refresh()
  }

  const namesOf = (ids: readonly number[]): Promise<string[]> =>
    Promise.all(
      ids.map(async (id, index) => {
        if (index > 0) return ''
        const call = client.GET('/api/calendar/events/{id}', { params: { path: { id }, query: {} } })
        return (await unwrap(call)).title
      }),
    )

  return {
    refresh,
    async create(
      given: NewEvent,
      { sendInvitations, organizer }: InvitationChoice = { sendInvitations: false },
    ): Promise<void> {
      const query = sendInvitations ? { sendInvitations } : {}
      const body = { ...given, ...(organizer && { organizer }) }
      const event = await unwrap(client.POST('/api/calendar/events', { params: { query }, body }))
      const undo = () => void remove(event, event.invitations ?? [])
      const toastText = describeSent(t.eventAdded(event.title), event.invitations)
      await finish(event, { toastText, undo }, namesOf(event.conflicts))
    },
    /** Deletes alarms. Ignores alarms that no longer exist. */
    async deleteAlarms(id: number, alarmIds: readonly string[]): Promise<void> {
      for (const alarmId of alarmIds)
        try {
          const path = { id, alarmId }
          await unwrap(client.DELETE('/api/calendar/events/{id}/alarms/{alarmId}', { params: { path } }))
        } catch (error) {
          if (!(error instanceof ApiError && error.status === 404)) throw error
        }
      await refresh()
    },
    /** Writes the previous values back. Does not check the version: the undo of a toast follows its change. */
    async undoChange(changeTarget: ChangeTarget, previous: EventChange, toastText: string): Promise<void> {
      await attempt(async () => {
        const params = { path: { id: changeTarget.id }, query: {} }
        await unwrap(client.PATCH('/api/calendar/events/{id}', { params, body: previous }))
        notify(toastText)
      })
      await refresh()
    },
    async change(
      changeTarget: ChangeTarget,
      body: EventChange,
      etag: string | null,
      toast: SaveToast,
      { sendInvitations, organizer }: InvitationChoice = { sendInvitations: false },
    ): Promise<Versioned<CalendarEvent>> {
      const query = { ...toScopeQuery(changeTarget), ...(sendInvitations && { sendInvitations }) }
      const saved = await unwrapVersion(
        client.PATCH('/api/calendar/events/{id}', {
          params: { path: { id: changeTarget.id }, query },
          body: { ...body, ...(organizer && { organizer }) },
          headers: ifMatch(etag),
        }),
      )
      const { undo } = toast
      // Undo would have to tell the attendees again.
      const canUndo = undo !== undefined && !sendInvitations
      const toastText = describeSent(toast.toastText, saved.value.invitations)
      await finish(saved.value, { toastText, ...(canUndo && { undo }) })
      return saved
    },
  }
}
