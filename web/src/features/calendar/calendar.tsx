import { useQueryClient } from '@tanstack/react-query'
import { CalendarPlus, TriangleAlert } from 'lucide-react'
import { useCallback, useMemo, useRef, useState } from 'react'
import { usePreferences } from '../../api/account.ts'
import { type Shape, unwrap } from '../../api/client.ts'
import { useClient } from '../../api/context.tsx'
import { describeError } from '../../api/problem.ts'
import { Page } from '../../shell/page.tsx'
import { useKeys } from '../../shell/shortcuts.ts'
import { useStartAction } from '../../shell/start-action.ts'
import { FormDialog } from '../../ui/dialog.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Failure, Notice, Skeleton } from '../../ui/notice.tsx'
import { saveFile } from '../../ui/save-file.ts'
import { useDates } from '../../ui/time.tsx'
import { useNotify } from '../../ui/toast.tsx'
import { useLastValue } from '../../ui/use-last-value.ts'
import { useNow } from '../../ui/use-now.ts'
import {
  createDayWords,
  type Day,
  type DayWords,
  dayOf,
  daysBetween,
  daysFrom,
  getVisibleDays,
  momentOf,
  step,
  todayIn,
} from './days.ts'
import type { Scope } from './delete-event.ts'
import { DetailsDialog } from './details-dialog.tsx'
import { type DisplayedEvent, toDisplayedEvent, touches } from './displayed-event.ts'
import { newDraft } from './editor/draft.ts'
import { type Editing, EditorDialog } from './editor/editor-dialog.tsx'
import { useDisplayedEvents } from './events.ts'
import { ImportDialog } from './files/import-dialog.tsx'
import { SubscribeDialog } from './files/subscribe-dialog.tsx'
import { matchesSearch } from './filter.ts'
import { useEventMove } from './move-event.ts'
import type { CreateShowAction } from './save-event.ts'
import { Toolbar } from './toolbar.tsx'
import { useUrlState, VIEWS, type View } from './url-state.ts'
import { useEventActions } from './use-event-actions.ts'
import { Agenda } from './views/agenda.tsx'
import { Hours } from './views/hours.tsx'
import { Month } from './views/month.tsx'
import type { NewEventRange, ViewContext } from './views/view-context.ts'
import { STATUS_WORDS } from './words.ts'
import './calendar.css'

interface Question {
  verb: 'Change' | 'Delete'
  /** False for changes of the recurrence rule, which apply to the series and not to one occurrence. */
  canThis: boolean
}

const WORDS: Record<Scope, string> = {
  this: 'This event',
  following: 'This and all that follow',
  all: 'All events of the series',
}

/** Asks which occurrences of a series a change applies to. */
const useScopeQuestion = () => {
  const [question, setQuestion] = useState<Question | null>(null)
  const answer = useRef<(scope: Scope | null) => void>(() => {})
  const displayed = useLastValue(question)

  const ask = useCallback(
    (asked: Question): Promise<Scope | null> =>
      new Promise((resolve) => {
        answer.current = resolve
        setQuestion(asked)
      }),
    [],
  )
  const settle = (scope: Scope | null) => {
    setQuestion(null)
    answer.current(scope)
  }
  const scopes = (['this', 'following', 'all'] as const).filter(
    (scope) => scope !== 'this' || displayed?.canThis,
  )
  const element = (
    <FormDialog
      open={question !== null}
      onClose={() => settle(null)}
      title={`${displayed?.verb ?? 'Change'} a repeating event`}
      action={displayed?.verb ?? 'Change'}
      danger={displayed?.verb === 'Delete'}
      onSubmit={(values) => settle(String(values.get('scope')) as Scope)}
    >
      <fieldset className="field">
        <legend className="only-heard">Which events</legend>
        {scopes.map((scope, index) => (
          <label key={scope} className="check">
            <input type="radio" name="scope" value={scope} defaultChecked={index === 0} />
            <span>{WORDS[scope]}</span>
          </label>
        ))}
      </fieldset>
    </FormDialog>
  )
  return { ask, element }
}

/** Accessible name of an event. */
const labelOf = (
  { event, first, last }: DisplayedEvent,
  words: DayWords,
  time: (at: string) => string,
): string => {
  const days = daysBetween(first, last) === 0 ? words.long(first) : words.between(first, last)
  const parts = [
    event.title,
    days,
    event.allDay ? 'all day' : `${time(event.start)} to ${time(event.end)}`,
    event.status !== 'confirmed' && STATUS_WORDS[event.status].toLowerCase(),
    event.source === 'bookingsvc' && 'booked',
    event.location !== '' && event.location,
    event.recurringEventId !== null && 'repeats',
  ]
  return parts.filter(Boolean).join(', ')
}

/** Heading for the displayed days. */
const titleOf = (view: View, day: Day, days: readonly Day[], words: DayWords): string => {
  if (view === 'month') return words.month(day)
  if (view === 'day') return words.full(day)
  return words.between(days[0] ?? day, days.at(-1) ?? day)
}

export const Calendar = () => {
  const preferences = usePreferences()
  return (
    <div className="calendar">
      <Loaded query={preferences} lines={8}>
        {({ value }) => <CalendarPage preferences={value} />}
      </Loaded>
    </div>
  )
}

/** Start time of a new event when only the day is known. */
const DEFAULT_START_MINUTE = 9 * 60
/** From this hour on, a one-hour event no longer fits into the day. */
const LAST_HOUR = 22

/** The focused day, used for new events. */
const focusedDay = (): Day | null => {
  const day = document.activeElement?.closest<HTMLElement>('[data-day]')?.dataset.day
  return day === undefined ? null : dayOf(day)
}

const CalendarPage = ({ preferences }: { preferences: Shape<'Preferences'> }) => {
  const { timezone, locale, weekStart, workingHours } = preferences
  const client = useClient()
  const queries = useQueryClient()
  const notify = useNotify()
  const { time, hours } = useDates()
  const now = useNow()
  const { urlState, go, goToDay } = useUrlState()
  const [open, setOpen] = useState<DisplayedEvent | null>(null)
  const [editing, setEditing] = useState<Editing | null>(null)
  const [isImporting, setIsImporting] = useState(false)
  const [isSubscribing, setIsSubscribing] = useState(false)
  const liveRegion = useRef<HTMLParagraphElement>(null)
  const scope = useScopeQuestion()

  const words = useMemo(() => createDayWords(locale), [locale])
  const todayText = todayIn(timezone, now).toString()
  const [today, day] = useMemo(
    () => [dayOf(todayText), dayOf(urlState.date ?? todayText)],
    [todayText, urlState.date],
  )
  const searching = urlState.search.trim() !== ''
  const { first, count } = useMemo(
    () => getVisibleDays(urlState.view, day, { weekStart, searching }),
    [urlState.view, day, weekStart, searching],
  )
  const days = useMemo(() => daysFrom(first, count), [first, count])
  const { query, displayedEvents } = useDisplayedEvents(
    { first, count, timezone, status: urlState.status, source: urlState.source },
    urlState.search.trim(),
  )

  const announce = (text: string) => {
    if (liveRegion.current) liveRegion.current.textContent = text
  }
  const createShowAction: CreateShowAction = (event) => {
    const entry = toDisplayedEvent(event, timezone)
    const isInRange = days.some((visibleDay) => touches(entry, visibleDay))
    const matchesFilters =
      (!urlState.status || urlState.status === event.status) &&
      (!urlState.source || urlState.source === event.source) &&
      (!searching || matchesSearch(event, urlState.search.trim()))
    return isInRange && matchesFilters ? null : () => goToDay(entry.first.toString())
  }
  const actions = useEventActions({ askScope: scope.ask, timezone, createShowAction })
  const mover = useEventMove({
    timezone,
    save: actions.move,
    announce,
    describe: (entry) => labelOf(entry, words, time),
  })

  const create = (range: NewEventRange) => {
    if (range.allDay) {
      const { first: from, last } = range
      const start = { day: from, from: DEFAULT_START_MINUTE, to: DEFAULT_START_MINUTE + 60 }
      return setEditing({ kind: 'new', draft: newDraft(start, timezone, last) })
    }
    const from = range.from ?? DEFAULT_START_MINUTE
    const start = { day: range.day, from, to: range.to ?? from + 60 }
    setEditing({ kind: 'new', draft: newDraft(start, timezone, null) })
  }
  /** Starts today's events at the next full hour. Late in the evening it uses the next morning. */
  const createAtDefaultTime = () => {
    const on = focusedDay() ?? day
    if (!on.equals(today)) return create({ allDay: false, day: on, from: null, to: null })
    const { hour } = momentOf(now.toISOString(), timezone)
    if (hour >= LAST_HOUR) return create({ allDay: false, day: on.add({ days: 1 }), from: null, to: null })
    create({ allDay: false, day: on, from: (hour + 1) * 60, to: null })
  }
  const edit = async (entry: DisplayedEvent) => {
    try {
      const read = await actions.read(entry.event)
      setOpen(null)
      setEditing({ kind: 'change', read })
    } catch (error) {
      notify(describeError(error), { failed: true })
      await queries.invalidateQueries({ queryKey: ['calendar'] })
    }
  }
  const remove = async (entry: DisplayedEvent) => {
    const isSent = await actions.remove(entry)
    if (isSent) setOpen(null)
  }
  const exportFile = async () => {
    try {
      const call = client.GET('/api/calendar/export.ics', { parseAs: 'blob' })
      saveFile((await unwrap(call)) as unknown as Blob, `factotum-${todayText}.ics`)
      notify('Your calendar is downloaded.')
    } catch (error) {
      notify(describeError(error), { failed: true })
    }
  }
  const goToday = () => go({ date: null })
  const goBy = (steps: number) => go({ date: step(urlState.view, day, steps).toString() })
  useStartAction('event', createAtDefaultTime)
  useKeys({
    n: createAtDefaultTime,
    t: goToday,
    j: () => goBy(1),
    k: () => goBy(-1),
    ...Object.fromEntries(VIEWS.map((view, index) => [String(index + 1), () => go({ view })])),
  })

  const viewContext: ViewContext = {
    days,
    day,
    today,
    now: momentOf(now.toISOString(), timezone),
    displayedEvents,
    words,
    time,
    hours,
    labelOf: (entry) => labelOf(entry, words, time),
    timezone,
    workingHours,
    mover,
    open: setOpen,
    remove: (entry) => void remove(entry),
    create,
    go,
  }
  const title = titleOf(urlState.view, day, days, words)
  return (
    <Page title={title} name={`${title} · Calendar`}>
      <p className="only-heard" role="status">
        {title}
      </p>
      <p className="only-heard" aria-live="assertive" ref={liveRegion} />
      <Toolbar
        urlState={urlState}
        go={go}
        onToday={goToday}
        onStep={goBy}
        onNew={createAtDefaultTime}
        onImport={() => setIsImporting(true)}
        onExport={() => void exportFile()}
        onSubscribe={() => setIsSubscribing(true)}
      />
      {query.isError && <Failure error={query.error} onRetry={() => void query.refetch()} />}
      {query.data?.isCut && (
        <Notice tone="warn" icon={TriangleAlert}>
          There is more in these days than can be shown at once. Look at fewer days.
        </Notice>
      )}
      {query.data === undefined ? (
        !query.isError && <Skeleton lines={10} />
      ) : (
        <div className="calendar-view" aria-busy={query.isPlaceholderData}>
          <ViewOf view={urlState.view} viewContext={viewContext} isSearch={searching} />
          {displayedEvents.length === 0 && urlState.view !== 'agenda' && (
            <p className="calendar-empty quiet">
              <CalendarPlus size={16} aria-hidden="true" />
              {searching || urlState.status || urlState.source
                ? 'Nothing here is like that.'
                : 'Nothing planned. Press a day or an hour, or the n key, for a new event.'}
            </p>
          )}
        </div>
      )}
      <DetailsDialog
        item={open}
        words={words}
        hours={hours}
        timezone={timezone}
        onClose={() => setOpen(null)}
        onEdit={(entry) => void edit(entry)}
        onDelete={(entry) => void remove(entry)}
      />
      <EditorDialog
        editing={editing}
        words={words}
        time={time}
        hours={hours}
        timezone={timezone}
        weekStart={weekStart}
        onClose={() => setEditing(null)}
        reloadEvent={actions.read}
        askScope={scope.ask}
        createShowAction={createShowAction}
      />
      {scope.element}
      <ImportDialog open={isImporting} onClose={() => setIsImporting(false)} />
      <SubscribeDialog open={isSubscribing} onClose={() => setIsSubscribing(false)} />
    </Page>
  )
}

const ViewOf = ({
  view,
  viewContext,
  isSearch,
}: {
  view: View
  viewContext: ViewContext
  isSearch: boolean
}) => {
  if (view === 'month') return <Month viewContext={viewContext} />
  if (view === 'agenda') return <Agenda viewContext={viewContext} isSearch={isSearch} />
  return <Hours viewContext={viewContext} />
}
