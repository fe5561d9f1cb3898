import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { CalendarDays, CalendarSearch, ListChecks, ListPlus, Mail, MailSearch } from 'lucide-react'
import { unwrap } from '../../api/client.ts'
import { useClient } from '../../api/context.tsx'
import { tell } from '../../api/problem.ts'
import { useDates } from '../../ui/time.tsx'
import { useNotify } from '../../ui/toast.tsx'
import { useNow } from '../../ui/use-now.ts'
import { useSettled } from '../../ui/use-settled.ts'
import { isFound } from '../calendar/finding.ts'
import { addressOf } from '../calendar/place.ts'
import { peopleOf, subjectOf } from '../mail/folders.ts'
import { hrefOf } from '../mail/place.ts'
import { taskHref } from '../tasks/place.ts'
import { useTaskActions } from '../tasks/use-tasks.ts'
import { type Group, settingsFor } from './entries.ts'

const FEW = 5
const DAYS_AHEAD = 90
const LONGEST_TASK = 500

/** The word that is being typed may go on. */
const begun = (words: string): string => words.replace(/(^|\s)([\p{L}\p{N}]{2,})$/u, '$1$2*')

const useAnswers = (words: string) => {
  const client = useClient()
  const options = { enabled: words !== '', placeholderData: keepPreviousData, retry: false }
  const emails = useQuery({
    ...options,
    queryKey: ['emails', 'found', words],
    queryFn: ({ signal }) =>
      unwrap(client.GET('/api/emails', { params: { query: { q: begun(words), limit: FEW } }, signal })),
  })
  const tasks = useQuery({
    ...options,
    queryKey: ['finder', 'tasks', words],
    queryFn: ({ signal }) =>
      unwrap(client.GET('/api/tasks', { params: { query: { q: words, limit: FEW } }, signal })),
  })
  const events = useQuery({
    ...options,
    queryKey: ['calendar', 'finder'],
    queryFn: ({ signal }) =>
      unwrap(
        client.GET('/api/calendar/upcoming', { params: { query: { days: DAYS_AHEAD, limit: 200 } }, signal }),
      ),
  })
  return { emails, tasks, events }
}

/** What there is by these words in every room, and what else can be done with them. */
export const useFound = (query: string) => {
  const words = useSettled(query)
  const now = useNow()
  const { shortDate, nearDue, nearDay, dayOf, time } = useDates()
  const notify = useNotify()
  const { capture } = useTaskActions()
  const { emails, tasks, events } = useAnswers(words)
  const isPending = query !== words || [emails, tasks, events].some(({ isFetching }) => isFetching)
  if (query === '' || words === '') return { groups: [], isPending: query !== '' }

  const seen = new Set<number>()
  const met = (events.data?.events ?? [])
    // Of a series, the occurrence that comes next.
    .filter((event) => isFound(event, words) && !seen.has(event.id) && seen.add(event.id))
    .slice(0, FEW)
  const groups: Group[] = [
    {
      title: 'E-mails',
      entries: (emails.data?.emails ?? []).map((email) => ({
        key: `email-${email.id}`,
        icon: Mail,
        label: subjectOf(email),
        note: `${peopleOf(email)} · ${shortDate(email.date, now)}`,
        href: hrefOf({ folder: email.folder, open: email.id, q: '', here: false, tag: null, unread: false }),
      })),
    },
    {
      title: 'Tasks',
      entries: (tasks.data?.tasks ?? []).map(({ id, title, status, dueAt, dueDay }) => ({
        key: `task-${id}`,
        icon: ListChecks,
        label: title,
        ...(status === 'done' || status === 'cancelled'
          ? { note: status }
          : dueAt !== null && { note: `due ${nearDue(dueAt, dueDay, now)}` }),
        href: taskHref(id),
      })),
    },
    {
      title: 'Events',
      entries: met.map(({ id, title, start, allDay }) => {
        const day = allDay ? start.slice(0, 10) : dayOf(start)
        return {
          key: `event-${id}`,
          icon: CalendarDays,
          label: title,
          note: allDay ? nearDay(day, now) : `${nearDay(day, now)}, ${time(start)}`,
          href: addressOf({ date: day }),
        }
      }),
    },
    { title: 'Settings', entries: settingsFor(words) },
    {
      title: 'With these words',
      entries: [
        ...(words.length > LONGEST_TASK
          ? []
          : [
              {
                key: 'add-task',
                icon: ListPlus,
                label: `Add the task “${query}”`,
                act: () => void capture(query).catch((error) => notify(tell(error), { failed: true })),
              },
            ]),
        {
          key: 'search-mail',
          icon: MailSearch,
          label: `Search mail for “${query}”`,
          href: hrefOf({ folder: 'inbox', open: null, q: query, here: false, tag: null, unread: false }),
        },
        {
          key: 'search-calendar',
          icon: CalendarSearch,
          label: `Search the calendar for “${query}”`,
          href: addressOf({ view: 'agenda', search: query }),
        },
      ],
    },
  ]
  return { groups, isPending }
}
