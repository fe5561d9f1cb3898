import { useQueryClient } from '@tanstack/react-query'
import * as t from '#locale/home'
import { type Shape, unwrap } from '../../api/client.ts'
import { useClient } from '../../api/context.tsx'
import { describeError } from '../../api/problem.ts'
import { useRefetch } from '../../api/use-refetch.ts'
import { useDates } from '../../ui/time.tsx'
import { useNotify } from '../../ui/toast.tsx'
import type { Task } from '../tasks/groups.ts'
import type { CalendarEvent } from './today.ts'
import { briefingKey } from './use-today.ts'

const PLANNED_DAYS = 7
const DAY_MS = 86_400_000

type Briefing = Shape<'DailyBriefing'>
export type Response = keyof typeof t.responses

/** Actions of the home page that no other page has. */
export const useHomeActions = () => {
  const client = useClient()
  const queries = useQueryClient()
  const notify = useNotify()
  const { nearDay, dayOf, hours } = useDates()
  const report = (error: unknown): void => void notify(describeError(error), { failed: true })
  const refreshCalendar = useRefetch(['calendar'])

  const undoPlan = async (id: number): Promise<void> => {
    try {
      await unwrap(client.POST('/api/actions/{id}/undo', { params: { path: { id } } }))
      notify(t.planUndone)
    } catch (error) {
      report(error)
    }
    await refreshCalendar()
  }

  const moveEmail = (id: number, folder: 'archive' | 'inbox') =>
    unwrap(client.PATCH('/api/emails/{id}', { params: { path: { id } }, body: { folder } }))

  return {
    /** Books the next free time for one task. */
    async plan(task: Task): Promise<void> {
      const now = Date.now()
      try {
        const { blocks, unplanned, actionId } = await unwrap(
          client.POST('/api/tasks/plan', {
            body: {
              start: new Date(now).toISOString(),
              end: new Date(now + PLANNED_DAYS * DAY_MS).toISOString(),
              taskIds: [task.id],
              apply: true,
            },
          }),
        )
        const [first] = blocks
        if (!first || actionId === null) {
          const reason = unplanned[0]?.reason
          if (reason === 'already_planned') notify(t.alreadyPlanned(task.title))
          else notify(reason === 'due_too_soon' ? t.noFreeTimeBeforeDue : t.noFreeTime, { failed: true })
          return
        }
        const when = `${nearDay(dayOf(first.start), new Date())}, ${hours(first.start, first.end)}`
        notify(t.taskPlanned({ title: task.title, when }), { undo: () => void undoPlan(actionId) })
        await refreshCalendar()
      } catch (error) {
        report(error)
      }
    },

    async respond({ id, occurrenceStart }: CalendarEvent, status: Response): Promise<void> {
      try {
        await unwrap(
          client.POST('/api/calendar/events/{id}/respond', {
            params: {
              path: { id },
              query: occurrenceStart === null ? {} : { occurrence: occurrenceStart },
            },
            body: { status },
          }),
        )
        notify(t.responsesSent[status])
      } catch (error) {
        report(error)
      }
      await refreshCalendar()
    },

    /** Optimistic: the email leaves the list before the service has confirmed the change. */
    async archive(id: number): Promise<void> {
      await queries.cancelQueries({ queryKey: briefingKey })
      queries.setQueryData<Briefing>(
        briefingKey,
        (before) =>
          before && {
            ...before,
            waiting: before.waiting?.filter(({ emailId }) => emailId !== id) ?? [],
          },
      )
      const undo = async (): Promise<void> => {
        try {
          await moveEmail(id, 'inbox')
          notify(t.archivingUndone)
        } catch (error) {
          report(error)
        }
        await queries.invalidateQueries({ queryKey: ['emails'] })
      }
      try {
        await moveEmail(id, 'archive')
        notify(t.emailArchived, { undo: () => void undo() })
      } catch (error) {
        report(error)
      }
      await queries.invalidateQueries({ queryKey: ['emails'] })
    },
  }
}

export type HomeActions = ReturnType<typeof useHomeActions>
