import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { CalendarClock, Flag, Globe, Hash, Info, Repeat, Timer } from 'lucide-react'
import type { ReactNode } from 'react'
import * as t from '#locale/tasks'
import { type Client, type Shape, unwrap } from '../../api/client.ts'
import { useClient } from '../../api/context.tsx'
import { formatDuration } from '../../locales/format.ts'
import { RichText } from '../../ui/rich-text.tsx'
import { useDates } from '../../ui/time.tsx'
import { useDebouncedValue } from '../../ui/use-debounced-value.ts'
import { describeRecurrence } from './recurrence-text.ts'
import '../../ui/style/quick-add.css'

export type QuickPreview = Shape<'QuickPreview'>

/** Parses the text without creating anything. */
export const parseQuickText = (client: Client, text: string, signal?: AbortSignal): Promise<QuickPreview> =>
  unwrap(
    client.POST('/api/tasks/quick', {
      body: { text, dryRun: true },
      ...(signal && { signal }),
    }),
  )

/** Dry run of the quick-add parser; null while empty or loading. */
export const useQuickPreview = (text: string): QuickPreview | null => {
  const client = useClient()
  const line = useDebouncedValue(text.trim())
  const { data } = useQuery({
    queryKey: ['quick-task', line],
    queryFn: ({ signal }) => parseQuickText(client, line, signal),
    enabled: line !== '',
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    retry: false,
  })
  return line === '' || text.trim() === '' ? null : (data ?? null)
}

const ParsedField = ({ icon: Icon, children }: { icon: typeof Flag; children: ReactNode }) => (
  <li className="quick-piece">
    <Icon size={14} aria-hidden="true" />
    <span>{children}</span>
  </li>
)

/** Todoist repeats "every! 2 weeks" from the completion of a task. */
const isFromCompletion = ({ understood }: QuickPreview): boolean =>
  understood.some(({ kind, text }) => kind === 'recurrence' && /^\S+!\s/.test(text))

export const TaskPreview = ({ preview }: { preview: QuickPreview }) => {
  const { due, day } = useDates()
  const zone = preview.understood.find(({ kind }) => kind === 'zone')?.text
  return (
    <>
      <span className="visually-hidden">{t.preview}</span>
      <strong>{preview.title}</strong>
      <ul className="quick-pieces">
        {preview.dueAt !== null && (
          <ParsedField icon={CalendarClock}>
            <RichText text={t.due(due(preview.dueAt, preview.dueDay))} tags={{ time: (text) => text }} />
          </ParsedField>
        )}
        {zone !== undefined && <ParsedField icon={Globe}>{t.convertedFrom(zone)}</ParsedField>}
        {preview.recurrence !== null && (
          <ParsedField icon={Repeat}>{describeRecurrence(preview.recurrence, day)}</ParsedField>
        )}
        {isFromCompletion(preview) && <ParsedField icon={Info}>{t.readAsEvery}</ParsedField>}
        {preview.priority !== 'normal' && (
          <ParsedField icon={Flag}>{t.priorities[preview.priority]}</ParsedField>
        )}
        {preview.estimateMinutes !== null && (
          <ParsedField icon={Timer}>{formatDuration(preview.estimateMinutes)}</ParsedField>
        )}
        {preview.tags.map((tag) => (
          <ParsedField key={tag} icon={Hash}>
            {tag}
          </ParsedField>
        ))}
      </ul>
    </>
  )
}

const DEFAULT_EVENT_MINUTES = 60
const MINUTE_MS = 60_000

export const findEventEnd = (start: string, { estimateMinutes }: QuickPreview): string =>
  new Date(Date.parse(start) + (estimateMinutes ?? DEFAULT_EVENT_MINUTES) * MINUTE_MS).toISOString()

/** The parser of tasks finds the day, the time, the duration and the recurrence of an event too. */
export const EventPreview = ({ preview }: { preview: QuickPreview }) => {
  const { day, dayInFull, hours } = useDates()
  const { title, dueAt, dueDay, recurrence, tags } = preview
  return (
    <>
      <span className="visually-hidden">{t.preview}</span>
      <strong>{title}</strong>
      <ul className="quick-pieces">
        {dueAt !== null && (
          <ParsedField icon={CalendarClock}>
            {dueDay === null
              ? `${dayInFull(dueAt)}, ${hours(dueAt, findEventEnd(dueAt, preview))}`
              : day(dueDay)}
          </ParsedField>
        )}
        {recurrence !== null && (
          <ParsedField icon={Repeat}>{describeRecurrence(recurrence, day)}</ParsedField>
        )}
        {tags.map((tag) => (
          <ParsedField key={tag} icon={Hash}>
            {tag}
          </ParsedField>
        ))}
      </ul>
    </>
  )
}
