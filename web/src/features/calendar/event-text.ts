import { keepPreviousData, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { type Client, type Shape, unwrap } from '../../api/client.ts'
import { useClient } from '../../api/context.tsx'
import { useDebouncedValue } from '../../ui/use-debounced-value.ts'
import { momentOf } from './days.ts'
import { bodyOf, type Draft } from './editor/draft.ts'
import { readRepeat } from './editor/repeat.ts'

export type ParsedText = Shape<'QuickEventPreview'>
type Kind = ParsedText['understood'][number]['kind']

/** The dry run creates nothing. The times of the form set what the text does not say. */
const parseQuery = (client: Client, draft: Draft) => {
  const { timezone, allDay } = draft
  const { start = '', end = '' } = bodyOf(draft)
  const body = { text: draft.title.trim(), timezone, start, end, allDay, dryRun: true }
  return queryOptions({
    queryKey: ['event-text', body],
    // Only a request without the dry run returns more than the preview.
    queryFn: ({ signal }) =>
      unwrap(client.POST('/api/calendar/quick', { body, signal })) as Promise<ParsedText>,
    staleTime: 60_000,
    retry: false,
  })
}

/** The recognized parts beside the title, in the order of the text. */
export const listUnderstood = (parsed: ParsedText | null): ParsedText['understood'] =>
  parsed?.understood.filter(({ kind }) => kind !== 'title') ?? []

/** Moves the recognized parts of the title to their fields. */
export const applyEventText = (draft: Draft, parsed: ParsedText | null): Draft => {
  if (parsed?.start == null || parsed.end === null || listUnderstood(parsed).length === 0) return draft
  const { timezone, allDay } = parsed
  const [start, end] = [momentOf(parsed.start, timezone), momentOf(parsed.end, timezone)]
  const has = (kind: Kind) => parsed.understood.some((part) => part.kind === kind)
  const becomesAllDay = allDay && !draft.allDay
  const timeOf = (moment: typeof start) => moment.toPlainTime().toString({ smallestUnit: 'minute' })
  const startDay = start.toPlainDate()
  return {
    ...draft,
    title: parsed.title || draft.title,
    allDay,
    timezone,
    startDay: startDay.toString(),
    endDay: (allDay ? end.toPlainDate().subtract({ days: 1 }) : end.toPlainDate()).toString(),
    ...(!allDay && { startTime: timeOf(start), endTime: timeOf(end) }),
    ...(has('recurrence') && {
      repeat: readRepeat(parsed.recurrence, { start: startDay, allDay, timezone }),
    }),
    location: parsed.location || draft.location,
    meetingUrl: parsed.meetingUrl ?? draft.meetingUrl,
    attendees: parsed.attendees.length > 0 ? parsed.attendees : draft.attendees,
    reminders: has('reminder')
      ? parsed.reminders.map(({ minutesBefore }) => minutesBefore)
      : becomesAllDay
        ? []
        : draft.reminders,
    busy: becomesAllDay ? false : draft.busy,
  }
}

/** Reads the title of a new event: "Coffee with Ben Monday 15 at the lake". */
export const useEventText = (draft: Draft) => {
  const client = useClient()
  const queries = useQueryClient()
  const title = useDebouncedValue(draft.title.trim())
  const { data } = useQuery({
    ...parseQuery(client, { ...draft, title }),
    enabled: title !== '',
    placeholderData: keepPreviousData,
  })
  return {
    /** The result for the text a moment ago; null if nothing was typed. */
    parsed: title === '' || draft.title.trim() === '' ? null : (data ?? null),
    /** Reads the text now. Returns null if the server cannot: then the text is only a title. */
    parse: (): Promise<ParsedText | null> => queries.fetchQuery(parseQuery(client, draft)).catch(() => null),
  }
}
