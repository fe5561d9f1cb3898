import { keepPreviousData, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { type Client, type Shape, unwrap } from '../../api/client.ts'
import { useClient } from '../../api/context.tsx'
import { useDebouncedValue } from '../../ui/use-debounced-value.ts'
import { momentOf } from './days.ts'
import { type Draft, withTimes } from './editor/draft.ts'
import { readRepeat } from './editor/repeat.ts'

type ParsedText = Shape<'QuickPreview'>

const DEFAULT_MINUTES = 60

/** The parser of quick tasks also reads the time, length and recurrence of an event. The dry run creates nothing. */
const parseQuery = (client: Client, text: string, timezone: string) =>
  queryOptions({
    queryKey: ['event-text', text, timezone],
    queryFn: ({ signal }) =>
      unwrap(client.POST('/api/tasks/quick', { body: { text, timezone, dryRun: true }, signal })),
    staleTime: 60_000,
    retry: false,
  })

/** "at 3 pm", "15:00-16:30", "um 15 Uhr": a time without a day. */
const TIME_ONLY =
  /^(?:(?:at|from|um|von|ab|gegen)\s+)?[\d:.]+\s*(?:am|pm|uhr|h)?(?:\s*(?:to|until|till|bis|-|–)\s*[\d:.]+\s*(?:am|pm|uhr|h)?)?$/i

const addMinutes = (draft: Draft, minutes: number): Draft => {
  const start = new Date(`${draft.startDay}T${draft.startTime}:00Z`).getTime()
  const end = new Date(start + minutes * 60_000).toISOString()
  return { ...draft, endDay: end.slice(0, 10), endTime: end.slice(11, 16) }
}

/** Text that was read as a time or a recurrence; empty if there is none. */
export const findTimeText = ({ understood }: ParsedText): string =>
  understood
    .filter(({ kind }) => kind === 'due' || kind === 'recurrence')
    .map(({ text }) => text)
    .join(' ')

/** Moves the recognized time, length, recurrence and tags from the title to their fields. */
export const applyEventText = (draft: Draft, parsed: ParsedText | null): Draft => {
  if (parsed === null || parsed.dueAt === null) return draft
  const { dueAt, dueDay, estimateMinutes } = parsed
  const start = momentOf(dueAt, draft.timezone)
  const isOnSelectedDay = parsed.timed && TIME_ONLY.test(findTimeText(parsed))
  const startDay = isOnSelectedDay ? draft.startDay : (dueDay ?? start.toPlainDate().toString())
  const allDay = !parsed.timed
  const texts = {
    title: parsed.title === '' ? draft.title : parsed.title,
    tags: [draft.tags, ...parsed.tags].filter(Boolean).join(', '),
    repeat: readRepeat(parsed.recurrence, {
      start: momentOf(`${startDay}T00:00:00Z`, 'UTC').toPlainDate(),
      allDay,
      timezone: draft.timezone,
    }),
  }
  if (allDay) return { ...draft, ...texts, allDay, startDay, endDay: startDay, reminders: [], busy: false }
  const startTime = start.toPlainTime().toString({ smallestUnit: 'minute' })
  const timed = { ...draft, ...texts, allDay }
  if (estimateMinutes !== null || draft.allDay)
    return addMinutes({ ...timed, startDay, startTime }, estimateMinutes ?? DEFAULT_MINUTES)
  return withTimes(timed, { startDay, startTime })
}

/** Reads a time in the title of a new event: "Lunch with Ana tomorrow 1 pm". */
export const useEventText = (text: string, timezone: string) => {
  const client = useClient()
  const queries = useQueryClient()
  const line = useDebouncedValue(text.trim())
  const { data } = useQuery({
    ...parseQuery(client, line, timezone),
    enabled: line !== '',
    placeholderData: keepPreviousData,
  })
  return {
    /** The result for the text a moment ago; null if nothing was typed. */
    parsed: line === '' || text.trim() === '' ? null : (data ?? null),
    /** Reads the text now. Returns null if the server cannot: then the text is only a title. */
    parse: (): Promise<ParsedText | null> =>
      queries.fetchQuery(parseQuery(client, text.trim(), timezone)).catch(() => null),
  }
}
