import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { CalendarDays, CalendarSearch, ListChecks, ListPlus, Mail, MailSearch } from 'lucide-react'
import * as t from '#locale/commands'
import { unwrap } from '../../api/client.ts'
import { useClient } from '../../api/context.tsx'
import type { CommandGroup } from '../../shell/commands.ts'
import { useDates } from '../../ui/time.tsx'
import { useAttempt } from '../../ui/use-attempt.ts'
import { useDebouncedValue } from '../../ui/use-debounced-value.ts'
import { useNow } from '../../ui/use-now.ts'
import { addressOf } from '../calendar/address.ts'
import { matchesSearch } from '../calendar/filter.ts'
import { peopleOf, subjectOf } from '../mail/folders.ts'
import { hrefOf } from '../mail/url-state.ts'
import { useSettingsGroups } from '../settings/use-settings-groups.ts'
import { taskHref } from '../tasks/url-state.ts'
import { useTaskActions } from '../tasks/use-tasks.ts'
import { findSettingCommands } from './general-commands.ts'

const FEW = 5
const NO_RESULTS = {
  found: [],
  settings: { title: t.groups.settings, commands: [] },
  search: { title: t.groups.search, commands: [] },
}
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
  const attempt = useAttempt()
  const { capture } = useTaskActions()
  const settingsGroups = useSettingsGroups()
  const { emails, tasks, events } = useSearchQueries(words)
  // A background refetch of the same words does not count: its results replace equal ones.
  const isPending =
    query !== words ||
    [emails, tasks, events].some(({ isLoading, isPlaceholderData }) => isLoading || isPlaceholderData)
  if (query === '' || words === '') return { groups: NO_RESULTS, isPending: query !== '' }

  const seen = new Set<number>()
  const upcomingMatches = (events.data?.events ?? [])
    // Lists only the next occurrence of a series.
    .filter((event) => matchesSearch(event, words) && !seen.has(event.id) && seen.add(event.id))
    .slice(0, FEW)
  const found: CommandGroup[] = [
    {
      title: t.groups.emails,
      commands: (emails.data?.emails ?? []).map((email) => ({
        id: `email-${email.id}`,
        icon: Mail,
        label: subjectOf(email),
        note: `${peopleOf(email)} · ${shortDate(email.date, now)}`,
        href: hrefOf({
          folder: email.folder,
          folderId: email.folder === 'other' ? email.folderId : null,
          open: email.id,
          q: '',
          here: false,
          tag: null,
          unread: false,
          starred: false,
          snoozed: false,
        }),
      })),
    },
    {
      title: t.groups.tasks,
      commands: (tasks.data?.tasks ?? []).map(({ id, title, status, dueAt, dueDay }) => ({
        id: `task-${id}`,
        icon: ListChecks,
        label: title,
        ...(status === 'done' || status === 'cancelled'
          ? { note: t.statuses[status] }
          : dueAt !== null && { note: t.due(nearDue(dueAt, dueDay, now)) }),
        href: taskHref(id),
      })),
    },
    {
      title: t.groups.events,
      commands: upcomingMatches.map(({ id, title, start, allDay }) => {
        const day = allDay ? start.slice(0, 10) : dayOf(start)
        return {
          id: `event-${id}`,
          icon: CalendarDays,
          label: title,
          note: allDay ? nearDay(day, now) : `${nearDay(day, now)}, ${time(start)}`,
          href: addressOf({ date: day }),
        }
      }),
    },
  ]
  const settings: CommandGroup = {
    title: t.groups.settings,
    commands: findSettingCommands(words, settingsGroups, FEW),
  }
  const search: CommandGroup = {
    title: t.groups.search,
    commands: [
      ...(words.length > MAX_TASK_LENGTH
        ? []
        : [
            {
              id: 'add-task',
              icon: ListPlus,
              label: t.addTask(query),
              run: () => void attempt(() => capture(query)),
            },
          ]),
      {
        id: 'search-mail',
        icon: MailSearch,
        label: t.searchMail(query),
        href: hrefOf({
          folder: 'inbox',
          folderId: null,
          open: null,
          q: query,
          here: false,
          tag: null,
          unread: false,
          starred: false,
          snoozed: false,
        }),
      },
      {
        id: 'search-calendar',
        icon: CalendarSearch,
        label: t.searchCalendar(query),
        href: addressOf({ view: 'agenda', search: query }),
      },
    ],
  }
  return { groups: { found, settings, search }, isPending }
}
