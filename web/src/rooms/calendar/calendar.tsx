import { useQueryClient } from '@tanstack/react-query'
import { CalendarPlus, TriangleAlert } from 'lucide-react'
import { useMemo, useRef, useState } from 'react'
import { usePreferences } from '../../api/account.ts'
import type { Shape } from '../../api/client.ts'
import { unwrap } from '../../api/client.ts'
import { useClient } from '../../api/context.tsx'
import { tell } from '../../api/problem.ts'
import { useAsked } from '../../shell/asked.ts'
import { Page } from '../../shell/page.tsx'
import { useKeys } from '../../shell/shortcuts.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { Failure, Notice, Skeleton } from '../../ui/notice.tsx'
import { saveFile } from '../../ui/save-file.ts'
import { useDates } from '../../ui/time.tsx'
import { useNotify } from '../../ui/toast.tsx'
import { useNow } from '../../ui/use-now.ts'
import './calendar.css'
import { createDayWords, type Day, dayOf, daysFrom, daysShown, momentOf, step, todayIn } from './days.ts'
import { DetailsDialog } from './details-dialog.tsx'
import { newDraft } from './editor/draft.ts'
import { type Editing, EditorDialog } from './editor/editor-dialog.tsx'
import { useShown } from './events.ts'
import { ImportDialog } from './files/import-dialog.tsx'
import { SubscribeDialog } from './files/subscribe-dialog.tsx'
import { isFound } from './finding.ts'
import { labelOf, titleOf } from './labels.ts'
import { useMoving } from './moving.ts'
import { usePlace, VIEWS, type View } from './place.ts'
import type { WayTo } from './saving.ts'
import { useScopeQuestion } from './scope-dialog.tsx'
import { type Shown, showEvent, touches } from './shown.ts'
import { Toolbar } from './toolbar.tsx'
import { useEventActions } from './use-event-actions.ts'
import { Agenda } from './views/agenda.tsx'
import type { Desk, Pointed } from './views/desk.ts'
import { Hours } from './views/hours.tsx'
import { Month } from './views/month.tsx'

export const Calendar = () => {
  const preferences = usePreferences()
  return (
    <div className="calendar">
      <Loaded query={preferences} lines={8}>
        {({ value }) => <Room preferences={value} />}
      </Loaded>
    </div>
  )
}

/** Where a new event begins when only its day was pointed at. */
const USUAL_MINUTE = 9 * 60
/** From here on an hour does not fit into the day. */
const LAST_HOUR = 22

/** The day that has the focus: a new event is made there. */
const focusedDay = (): Day | null => {
  const day = document.activeElement?.closest<HTMLElement>('[data-day]')?.dataset.day
  return day === undefined ? null : dayOf(day)
}

const Room = ({ preferences }: { preferences: Shape<'Preferences'> }) => {
  const { timezone, locale, weekStart, workingHours } = preferences
  const client = useClient()
  const queries = useQueryClient()
  const notify = useNotify()
  const { time, hours } = useDates()
  const now = useNow()
  const { place, go, goToDay } = usePlace()
  const [open, setOpen] = useState<Shown | null>(null)
  const [editing, setEditing] = useState<Editing | null>(null)
  const [isImporting, setIsImporting] = useState(false)
  const [isSubscribing, setIsSubscribing] = useState(false)
  const said = useRef<HTMLParagraphElement>(null)
  const scope = useScopeQuestion()

  const words = useMemo(() => createDayWords(locale), [locale])
  const todayText = todayIn(timezone, now).toString()
  const [today, day] = useMemo(
    () => [dayOf(todayText), dayOf(place.date ?? todayText)],
    [todayText, place.date],
  )
  const searching = place.search.trim() !== ''
  const { first, count } = useMemo(
    () => daysShown(place.view, day, { weekStart, searching }),
    [place.view, day, weekStart, searching],
  )
  const days = useMemo(() => daysFrom(first, count), [first, count])
  const { query, shown } = useShown(
    { first, count, timezone, status: place.status, source: place.source },
    place.search.trim(),
  )

  const say = (text: string) => {
    if (said.current) said.current.textContent = text
  }
  const wayTo: WayTo = (event) => {
    const entry = showEvent(event, timezone)
    const isAmong = days.some((shownDay) => touches(entry, shownDay))
    const isLetThrough =
      (!place.status || place.status === event.status) &&
      (!place.source || place.source === event.source) &&
      (!searching || isFound(event, place.search.trim()))
    return isAmong && isLetThrough ? null : () => goToDay(entry.first.toString())
  }
  const actions = useEventActions({ askScope: scope.ask, timezone, wayTo })
  const mover = useMoving({ timezone, save: actions.move, say, tell: (entry) => labelOf(entry, words, time) })

  const create = (pointed: Pointed) => {
    if (pointed.allDay) {
      const { first: from, last } = pointed
      const start = { day: from, from: USUAL_MINUTE, to: USUAL_MINUTE + 60 }
      return setEditing({ kind: 'new', draft: newDraft(start, timezone, last) })
    }
    const from = pointed.from ?? USUAL_MINUTE
    const start = { day: pointed.day, from, to: pointed.to ?? from + 60 }
    setEditing({ kind: 'new', draft: newDraft(start, timezone, null) })
  }
  /** Today it begins with the next hour; late in the evening nobody means this morning, but tomorrow's. */
  const createSomewhere = () => {
    const on = focusedDay() ?? day
    if (!on.equals(today)) return create({ allDay: false, day: on, from: null, to: null })
    const { hour } = momentOf(now.toISOString(), timezone)
    if (hour >= LAST_HOUR) return create({ allDay: false, day: on.add({ days: 1 }), from: null, to: null })
    create({ allDay: false, day: on, from: (hour + 1) * 60, to: null })
  }
  const edit = async (entry: Shown) => {
    try {
      const read = await actions.read(entry.event)
      setOpen(null)
      setEditing({ kind: 'change', read })
    } catch (error) {
      notify(tell(error), { failed: true })
      await queries.invalidateQueries({ queryKey: ['calendar'] })
    }
  }
  const remove = async (entry: Shown) => {
    const isSent = await actions.remove(entry)
    if (isSent) setOpen(null)
  }
  const exportFile = async () => {
    try {
      const call = client.GET('/api/calendar/export.ics', { parseAs: 'blob' })
      saveFile((await unwrap(call)) as unknown as Blob, `factotum-${todayText}.ics`)
      notify('Your calendar is downloaded.')
    } catch (error) {
      notify(tell(error), { failed: true })
    }
  }
  const goToday = () => go({ date: null })
  const goBy = (steps: number) => go({ date: step(place.view, day, steps).toString() })
  useAsked('event', createSomewhere)
  useKeys({
    n: createSomewhere,
    t: goToday,
    j: () => goBy(1),
    k: () => goBy(-1),
    ...Object.fromEntries(VIEWS.map((view, index) => [String(index + 1), () => go({ view })])),
  })

  const desk: Desk = {
    days,
    day,
    today,
    now: momentOf(now.toISOString(), timezone),
    shown,
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
  const title = titleOf(place.view, day, days, words)
  return (
    <Page title={title} name={`${title} · Calendar`}>
      <p className="only-heard" role="status">
        {title}
      </p>
      <p className="only-heard" aria-live="assertive" ref={said} />
      <Toolbar
        place={place}
        go={go}
        onToday={goToday}
        onStep={goBy}
        onNew={createSomewhere}
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
          <ViewOf view={place.view} desk={desk} isSearch={searching} />
          {shown.length === 0 && place.view !== 'agenda' && (
            <p className="calendar-empty quiet">
              <CalendarPlus size={16} aria-hidden="true" />
              {searching || place.status || place.source
                ? 'Nothing here is like that.'
                : 'Nothing planned. Press a day or an hour, or the n key, for a new event.'}
            </p>
          )}
        </div>
      )}
      <DetailsDialog
        shown={open}
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
        reread={actions.read}
        askScope={scope.ask}
        wayTo={wayTo}
      />
      {scope.element}
      <ImportDialog open={isImporting} onClose={() => setIsImporting(false)} />
      <SubscribeDialog open={isSubscribing} onClose={() => setIsSubscribing(false)} />
    </Page>
  )
}

const ViewOf = ({ view, desk, isSearch }: { view: View; desk: Desk; isSearch: boolean }) => {
  if (view === 'month') return <Month desk={desk} />
  if (view === 'agenda') return <Agenda desk={desk} isSearch={isSearch} />
  return <Hours desk={desk} />
}
