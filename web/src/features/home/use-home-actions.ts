import { useQueryClient } from '@tanstack/react-query'
import * as t from '#locale/home'
import { type Shape, unwrap } from '../../api/client.ts'
import { useClient } from '../../api/context.tsx'
import { useRefetch } from '../../api/use-refetch.ts'
import { useDates } from '../../ui/time.tsx'
import { useNotify } from '../../ui/toast.tsx'
import { useAttempt } from '../../ui/use-attempt.ts'
import { useUndoActions } from '../../ui/use-undo-actions.ts'
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
  const attempt = useAttempt()
  const { nearDay, dayOf, hours } = useDates()
  const refreshCalendar = useRefetch(['calendar'])
  const refreshMail = useRefetch(['emails'])
  const undoActions = useUndoActions(['calendar'])

  const moveEmail = (id: number, folder: 'archive' | 'inbox') =>
    unwrap(client.PATCH('/api/emails/{id}', { params: { path: { id } }, body: { folder } }))

  return {
    /** Books the next free time for one task. */
    async plan(task: Task): Promise<void> {
      const now = Date.now()
      await attempt(async () => {
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
        notify(t.taskPlanned({ title: task.title, when }), {
          undo: () => void undoActions([actionId], t.planUndone),
        })
        await refreshCalendar()
      })
    },

    async respond({ id, occurrenceStart }: CalendarEvent, status: Response): Promise<void> {
      await attempt(async () => {
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
      })
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
        await attempt(async () => {
          await moveEmail(id, 'inbox')
          notify(t.archivingUndone)
        })
        await refreshMail()
      }
      await attempt(async () => {
        await moveEmail(id, 'archive')
        notify(t.emailArchived, { undo: () => void undo() })
      })
      await refreshMail()
    },
  }
}

export type HomeActions = ReturnType<typeof useHomeActions>
