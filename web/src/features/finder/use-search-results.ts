import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { CalendarDays, CalendarSearch, ListChecks, ListPlus, Mail, MailSearch } from 'lucide-react'
import { unwrap } from '../../api/client.ts'
import { useClient } from '../../api/context.tsx'
import { describeError } from '../../api/problem.ts'
import { useDates } from '../../ui/time.tsx'
import { useNotify } from '../../ui/toast.tsx'
import { useDebouncedValue } from '../../ui/use-debounced-value.ts'
import { useNow } from '../../ui/use-now.ts'
import { matchesSearch } from '../calendar/filter.ts'
import { addressOf } from '../calendar/url-state.ts'
import { peopleOf, subjectOf } from '../mail/folders.ts'
import { hrefOf } from '../mail/url-state.ts'
import { taskHref } from '../tasks/url-state.ts'
import { useTaskActions } from '../tasks/use-tasks.ts'
import { type Group, settingsFor } from './entries.ts'

const FEW = 5
const DAYS_AHEAD = 90
const MAX_TASK_LENGTH = 500

/** Searches by prefix for the word that is being typed. */
const toPrefixQuery = (words: string): string => words.replace(/(^|\s)([\p{L}\p{N}]{2,})$/u, '$1$2*')

const useSearchQueries = (words: string) => {
  const client = useClient()
  const options = { enabled: words !== '', placeholderData: keepPreviousData, retry: false }
  const emails = useQuery({
    ...options,
    queryKey: ['emails', 'found', words],
    queryFn: ({ signal }) =>
      unwrap(
        client.GET('/api/emails', { params: { query: { q: toPrefixQuery(words), limit: FEW } }, signal }),
      ),
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

/** Search results of all features, and actions that use the query. */
export const useSearchResults = (query: string) => {
  const words = useDebouncedValue(query)
  const now = useNow()
  const { shortDate, nearDue, nearDay, dayOf, time } = useDates()
  const notify = useNotify()
  const { capture } = useTaskActions()
  const { emails, tasks, events } = useSearchQueries(words)
  // A background refetch of the same words does not count: its results replace equal ones.
  const isPending =
    query !== words ||
    [emails, tasks, events].some(({ isLoading, isPlaceholderData }) => isLoading || isPlaceholderData)
  if (query === '' || words === '') return { groups: [], isPending: query !== '' }

  const seen = new Set<number>()
  const upcomingMatches = (events.data?.events ?? [])
    // Lists only the next occurrence of a series.
    .filter((event) => matchesSearch(event, words) && !seen.has(event.id) && seen.add(event.id))
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
      entries: upcomingMatches.map(({ id, title, start, allDay }) => {
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
        ...(words.length > MAX_TASK_LENGTH
          ? []
          : [
              {
                key: 'add-task',
                icon: ListPlus,
                label: `Add the task “${query}”`,
                act: () =>
                  void capture(query).catch((error) => notify(describeError(error), { failed: true })),
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
