import { useQuery } from '@tanstack/react-query'
import { type ListedTasks, tasksKey } from '../../api/cached-tasks.ts'
import { type Calendar, useCalendars } from '../../api/calendars.ts'
import { unwrap } from '../../api/client.ts'
import { useClient } from '../../api/context.tsx'
import { usePaged } from '../../api/paged.ts'
import { useTaskLists } from '../../api/task-lists.ts'
import { useDates } from '../../ui/time.tsx'
import { isPendingDeletion, usePendingEventDeletions } from '../calendar/delete-event.ts'
import { addDays, instantOf } from '../tasks/local-time.ts'
import { usePendingTaskDeletions } from '../tasks/use-tasks.ts'

const MAX_TASKS = 100
const MAX_EVENTS = 100
const REFRESH_MS = 60_000
const BRIEFING_REFRESH_MS = 5 * 60_000

/** Live email events invalidate every key that starts with `emails`. */
export const briefingKey = ['emails', 'briefing'] as const

const ALL_OPEN: ListedTasks = { view: 'open', q: '', tag: null, priority: null, listId: null }

/** Busy times of other people are no plans of the user. */
const isDisplayed = (calendar: Calendar | undefined): boolean =>
  calendar === undefined || (calendar.visible && calendar.role !== 'freeBusy')

/** The tasks and events of today and tomorrow, and the emails that need a reply: one request each. */
export const useToday = (today: string) => {
  const client = useClient()
  const { timeZone } = useDates()
  const pendingTasks = usePendingTaskDeletions()
  const lists = useTaskLists()
  const { byId: calendars } = useCalendars()
  const pendingEvents = usePendingEventDeletions()
  const start = instantOf(`${today}T00:00`, timeZone)
  const end = instantOf(`${addDays(today, 2)}T00:00`, timeZone)

  const tasks = usePaged([...tasksKey, ALL_OPEN, { dueBefore: end }], (page) =>
    unwrap(
      client.GET('/api/tasks', {
        params: { query: { ...page, status: 'open', dueBefore: end, limit: MAX_TASKS } },
      }),
    ),
  )
  const events = useQuery({
    queryKey: ['calendar', 'home', start, end],
    queryFn: ({ signal }) =>
      unwrap(
        client.GET('/api/calendar/events', { params: { query: { start, end, limit: MAX_EVENTS } }, signal }),
      ),
    refetchInterval: REFRESH_MS,
  })
  const briefing = useQuery({
    queryKey: briefingKey,
    queryFn: ({ signal }) => unwrap(client.GET('/api/briefing', { signal })),
    refetchInterval: BRIEFING_REFRESH_MS,
  })
  return {
    tasks,
    events,
    briefing,
    data: tasks.data &&
      events.data &&
      briefing.data && {
        tasks: tasks.data.pages
          .flatMap((page) => page.tasks)
          .filter(
            ({ id, listId, dueAt }) =>
              !pendingTasks.has(id) && lists.isVisible(listId) && dueAt !== null && dueAt < end,
          ),
        events: events.data.events.filter(
          (event) => isDisplayed(calendars.get(event.calendarId)) && !isPendingDeletion(event, pendingEvents),
        ),
        briefing: briefing.data,
      },
  }
}
