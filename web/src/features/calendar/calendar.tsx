import { CalendarPlus, TriangleAlert } from 'lucide-react'
import { useMemo, useRef, useState } from 'react'
import * as t from '#locale/calendar'
import * as calendarTexts from '#locale/calendars'
import { usePreferences } from '../../api/account.ts'
import type { Calendar as PersonalCalendar } from '../../api/calendars.ts'
import type { Shape } from '../../api/client.ts'
import { Page } from '../../shell/page.tsx'
import { useStartAction } from '../../shell/start-action.ts'
import { openField } from '../../shell/type-ahead.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { Failure, Notice, Skeleton } from '../../ui/notice.tsx'
import { useDates } from '../../ui/time.tsx'
import { useAttempt } from '../../ui/use-attempt.ts'
import type { View } from './address.ts'
import { findFocused, useCalendarCommands } from './calendar-commands.ts'
import { useCalendarKeys } from './calendar-keys.ts'
import { useCalendarOptions } from './calendar-options.ts'
import { isEditable } from './calendars/calendar-access.ts'
import { type CalendarAction, CalendarDialogs } from './calendars/calendar-dialogs.tsx'
import { CalendarList } from './calendars/calendar-list.tsx'
import { CalendarsButton } from './calendars/calendars-button.tsx'
import { useCalendarSidebar } from './calendars/use-calendar-sidebar.ts'
import { ClearFilters } from './clear-filters.tsx'
import { type Day, dayOf } from './days.ts'
import { DisplayMenu } from './display-menu.tsx'
import type { DisplayedEvent } from './displayed-event.ts'
import { EditorDialog } from './editor/editor-dialog.tsx'
import type { Editing } from './editor/use-event-form.ts'
import { useEventClipboard } from './event-clipboard.ts'
import { describeEvent } from './event-label.ts'
import { EventPopover, type InvitationAnswer } from './event-popover.tsx'
import { useExport } from './files/use-export.ts'
import { useInvitationQuestion } from './invitation-question.tsx'
import { useEventMove } from './move-event.ts'
import { nextRange } from './new-event.ts'
import type { NewEventRange } from './new-event-range.ts'
import { useFindInvitation } from './own-invitation.ts'
import { GoToDate } from './picker/go-to-date.tsx'
import { MonthPicker } from './picker/month-picker.tsx'
import { QuickCreate } from './quick-create.tsx'
import { useSaveEvent } from './save-event.ts'
import { useScopeQuestion } from './scope-question.tsx'
import { SecondZoneDialog } from './second-zone-dialog.tsx'
import { TaskLane } from './tasks/task-lane.tsx'
import { groupByDay, useCalendarTasks } from './tasks/use-calendar-tasks.ts'
import { useTaskDrag } from './tasks/use-task-drag.ts'
import { Toolbar } from './toolbar.tsx'
import { useCalendarView } from './use-calendar-view.ts'
import { copyDraft, useEventActions } from './use-event-actions.ts'
import { useLinkedEvent } from './use-linked-event.ts'
import { Agenda } from './views/agenda.tsx'
import { Hours } from './views/hours.tsx'
import { Month } from './views/month.tsx'
import type { ViewContext } from './views/view-context.ts'
import { Year } from './views/year.tsx'
import './calendar.css'
import './print.css'

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

/** The focused day, used for new events. */
const focusedDay = (): Day | null => {
  const day = document.activeElement?.closest<HTMLElement>('[data-day]')?.dataset.day
  return day === undefined ? null : dayOf(day)
}

/** Null if the owner of the calendar has stopped sharing it. */
const withAccess = (
  item: DisplayedEvent,
  calendars: ReadonlyMap<number, PersonalCalendar>,
): DisplayedEvent | null => (item.calendar === null || calendars.has(item.calendar.id) ? item : null)

const CalendarPage = ({ preferences }: { preferences: Shape<'Preferences'> }) => {
  const { timezone, weekStart, workingHours } = preferences
  const attempt = useAttempt()
  const { time, hours } = useDates()
  const view = useCalendarView(preferences)
  const { urlState, go, words, day, days, displayedEvents, query, createShowAction } = view
  const { calendars } = view.calendars
  const [opened, setOpened] = useState<{ item: DisplayedEvent; anchor: HTMLElement } | null>(null)
  const [newRange, setNewRange] = useState<NewEventRange | null>(null)
  const [editing, setEditing] = useState<Editing | null>(null)
  const [calendarAction, setCalendarAction] = useState<CalendarAction | null>(null)
  const sidebar = useCalendarSidebar()
  const hasFinger = window.matchMedia('(pointer: coarse)').matches
  const { options, change: changeOptions } = useCalendarOptions()
  const [isChoosingZone, setIsChoosingZone] = useState(false)
  const [isGoingToDate, setIsGoingToDate] = useState(false)
  /** Whether the current press on the view has closed a popover. */
  const hasPressClosed = useRef(false)
  const liveRegion = useRef<HTMLParagraphElement>(null)
  const scope = useScopeQuestion()
  const invitations = useInvitationQuestion()
  const actions = useEventActions({
    askScope: scope.ask,
    askInvitations: invitations.ask,
    timezone,
    createShowAction,
  })
  const { refresh } = useSaveEvent()
  const exportFile = useExport()
  const tasks = useCalendarTasks()
  const taskDrag = useTaskDrag(tasks, timezone)
  const tasksByDay = useMemo(() => groupByDay(options.tasks ? tasks.tasks : []), [options.tasks, tasks.tasks])
  const hasLane = options.taskLane && (urlState.view === 'week' || urlState.view === 'day')
  const findInvitation = useFindInvitation(displayedEvents.map(({ event }) => event))
  const isUnanswered = ({ event, calendar }: DisplayedEvent): boolean =>
    (calendar === null || calendar.owner === null) && findInvitation(event)?.status === 'needs-action'
  const describe = (item: DisplayedEvent) => describeEvent(item, words, time, isUnanswered(item))
  const announce = (text: string) => {
    if (liveRegion.current) liveRegion.current.textContent = text
  }
  const mover = useEventMove({
    timezone,
    save: actions.move,
    copy: actions.copy,
    announce,
    describe,
    day,
    turn: view.goBy,
    goTo: (to) => go({ date: to.toString() }),
  })

  const closePopovers = (isOutsidePress = false) => {
    hasPressClosed.current = isOutsidePress
    setOpened(null)
    setNewRange(null)
  }
  const create = (range: NewEventRange) => {
    // A popover with unsaved text stays open.
    if (newRange !== null) return
    setOpened(null)
    setNewRange(range)
  }
  const createNext = () => create(nextRange(focusedDay() ?? day, view.now))
  const edit = async ({ event }: DisplayedEvent) => {
    const isOpen = await attempt(async () => {
      const read = await actions.read(event)
      closePopovers()
      setEditing({ kind: 'change', read })
    })
    if (!isOpen) await refresh()
  }
  const startCalendarAction = (action: CalendarAction) => {
    sidebar.closePopover()
    setCalendarAction(action)
  }
  const duplicate = (item: DisplayedEvent) => {
    closePopovers()
    const draft = copyDraft(item)
    setEditing({ kind: 'new', blank: draft, draft })
  }
  const goToDate = (to: Day) => {
    setIsGoingToDate(false)
    go({ date: to.toString() })
  }
  const remove = (item: DisplayedEvent) => {
    closePopovers()
    void actions.remove(item)
  }
  const respond = async (item: DisplayedEvent, answer: InvitationAnswer) => {
    // The question about the series is a dialog of its own.
    if (item.event.recurringEventId !== null) closePopovers()
    await actions.respond(item, answer)
  }
  useStartAction('event', createNext)
  useLinkedEvent(
    displayedEvents,
    query.data !== undefined && !query.isPlaceholderData && !view.calendars.isPending,
    (item, anchor) => setOpened({ item, anchor }),
  )
  // The list has the newest version, for example after a response.
  const openedItem =
    opened &&
    (displayedEvents.find(({ key }) => key === opened.item.key) ??
      withAccess(opened.item, view.calendars.byId))
  useCalendarCommands({
    opened: openedItem,
    displayedEvents,
    today: view.today,
    onToday: view.goToday,
    onView: (chosen) => go({ view: chosen }),
    onOpen: (item, anchor) => setOpened({ item, anchor }),
    onEdit: (item) => void edit(item),
    onMove: (item, when) => {
      closePopovers()
      void actions.move(item, when)
    },
    onDuplicate: duplicate,
    onDelete: remove,
    onGoToDate: () => setIsGoingToDate(true),
  })
  const findFocusedEvent = () =>
    displayedEvents.find(({ key }) => key === findFocused()?.dataset.event) ?? null
  const onFocusedEvent = (act: (item: DisplayedEvent) => void) => () => {
    const item = findFocusedEvent()
    if (item && isEditable(item)) act(item)
  }
  useCalendarKeys({
    onView: (chosen) => go({ view: chosen }),
    onStep: view.goBy,
    onToday: view.goToday,
    onNew: () => openField(createNext, closePopovers),
    onGoToDate: () =>
      openField(
        () => setIsGoingToDate(true),
        () => setIsGoingToDate(false),
      ),
    onEdit: onFocusedEvent((item) => void edit(item)),
    onDelete: onFocusedEvent(remove),
  })
  useEventClipboard({
    findFocusedEvent,
    findDay: () => focusedDay() ?? day,
    copy: (item, when) => void actions.copy(item, when),
    announce,
  })

  const monthGrid = {
    words,
    weekStart,
    today: view.today,
    selected:
      urlState.view === 'week'
        ? { first: days[0] ?? day, last: days.at(-1) ?? day }
        : { first: day, last: day },
    hasWeekNumbers: options.weekNumbers,
    onSelect: goToDate,
  }
  const viewContext: ViewContext = {
    days,
    day,
    today: view.today,
    now: view.now,
    displayedEvents,
    words,
    time,
    hours,
    labelOf: describe,
    timezone,
    workingHours,
    weekStart,
    options,
    tasksByDay,
    completeTask: ({ task }) => tasks.complete(task),
    taskDrag,
    mover,
    isUnanswered,
    isPast: ({ end }) => end.epochMilliseconds <= view.now.epochMilliseconds,
    newRange,
    open: (item, anchor) => setOpened({ item, anchor }),
    remove,
    create,
    createOnClick: (range) => {
      if (!hasPressClosed.current) create(range)
    },
    scrollWeeks: view.scrollWeeks,
    go,
  }
  return (
    <Page title={view.title} name={t.pageName(view.title)}>
      <p className="visually-hidden" role="status">
        {view.title}
      </p>
      <p className="visually-hidden" aria-live="assertive" ref={liveRegion} />
      <Toolbar
        urlState={urlState}
        go={go}
        onToday={view.goToday}
        onStep={view.goBy}
        onNew={createNext}
        onImport={() => setCalendarAction({ kind: 'import', calendar: null })}
        onExport={() => void exportFile(view.today.toString())}
        onPrint={() => window.print()}
        onSubscribe={() => setCalendarAction({ kind: 'links', calendar: null })}
        goToDate={
          <GoToDate
            {...monthGrid}
            day={day}
            open={isGoingToDate}
            onOpen={() => setIsGoingToDate(true)}
            onClose={() => setIsGoingToDate(false)}
          />
        }
        displayMenu={
          <DisplayMenu
            options={options}
            onChange={changeOptions}
            onSecondZone={() => setIsChoosingZone(true)}
          />
        }
        calendarsButton={
          <CalendarsButton sidebar={sidebar} calendars={calendars} onAction={startCalendarAction} />
        }
      />
      {query.isError && <Failure error={query.error} onRetry={() => void query.refetch()} />}
      {query.data?.isCut && (
        <Notice tone="warn" icon={TriangleAlert}>
          {t.tooManyEvents}
        </Notice>
      )}
      <div className="calendar-body">
        {sidebar.isOpen && (
          <section className="calendar-sidebar" aria-label={calendarTexts.calendars}>
            <MonthPicker {...monthGrid} day={day} />
            <CalendarList calendars={calendars} onAction={startCalendarAction} />
          </section>
        )}
        {query.data === undefined || view.calendars.isPending ? (
          !query.isError && <Skeleton lines={10} />
        ) : (
          <div
            className="calendar-view"
            aria-busy={query.isPlaceholderData}
            onPointerDownCapture={(down) => {
              hasPressClosed.current = false
              if (!(down.target as Element).closest('[data-held="true"]')) mover.release()
            }}
          >
            <ViewOf
              view={urlState.view}
              viewContext={viewContext}
              isSearch={view.searching}
              isFiltered={view.isFiltered}
            />
            {displayedEvents.length === 0 && urlState.view !== 'agenda' && (
              <div className="calendar-empty quiet">
                <CalendarPlus size={16} aria-hidden="true" />
                {view.isFiltered ? t.noMatches : hasFinger ? t.nothingPlannedTouch : t.nothingPlanned}
                {view.isFiltered && <ClearFilters go={go} />}
              </div>
            )}
          </div>
        )}
        {hasLane && <TaskLane tasks={tasks} drag={taskDrag} day={day} words={words} timezone={timezone} />}
      </div>
      <EventPopover
        item={openedItem}
        anchor={opened?.anchor ?? null}
        words={words}
        hours={hours}
        timezone={timezone}
        onClose={closePopovers}
        onEdit={(item) => void edit(item)}
        onDuplicate={duplicate}
        onDelete={remove}
        onRespond={respond}
        onRemind={actions.remind}
      />
      <QuickCreate
        range={newRange}
        timezone={timezone}
        calendars={calendars}
        onClose={closePopovers}
        onMore={(blank, draft) => {
          closePopovers()
          setEditing({ kind: 'new', blank, draft })
        }}
        askInvitations={invitations.ask}
        createShowAction={createShowAction}
      />
      <EditorDialog
        editing={editing}
        words={words}
        time={time}
        hours={hours}
        timezone={timezone}
        calendars={calendars}
        weekStart={weekStart}
        onClose={() => setEditing(null)}
        reloadEvent={actions.read}
        askScope={scope.ask}
        askInvitations={invitations.ask}
        createShowAction={createShowAction}
      />
      <SecondZoneDialog
        open={isChoosingZone}
        timezone={timezone}
        onChoose={(secondZone) => changeOptions({ secondZone })}
        onClose={() => setIsChoosingZone(false)}
      />
      {scope.element}
      {invitations.element}
      <CalendarDialogs
        action={calendarAction}
        calendars={calendars}
        onClose={() => setCalendarAction(null)}
      />
    </Page>
  )
}

interface ViewOfProps {
  view: View
  viewContext: ViewContext
  isSearch: boolean
  isFiltered: boolean
}

const ViewOf = ({ view, viewContext, isSearch, isFiltered }: ViewOfProps) => {
  if (view === 'year') return <Year viewContext={viewContext} />
  if (view === 'month') return <Month viewContext={viewContext} />
  if (view === 'agenda')
    return <Agenda viewContext={viewContext} isSearch={isSearch} isFiltered={isFiltered} />
  return <Hours viewContext={viewContext} />
}
