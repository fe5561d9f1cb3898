import { type CSSProperties, type MouseEvent, type PointerEvent, useEffect, useRef, useState } from 'react'
import * as t from '#locale/calendar'
import { WEEKDAYS } from '../../../ui/weekdays.ts'
import { toColorStyle } from '../calendars/calendar-color.ts'
import { Chip } from '../chip.tsx'
import { type Day, daysBetween, isSameDay, type Moment, weekNumberOf } from '../days.ts'
import { type DisplayedEvent, minuteOf, touches } from '../displayed-event.ts'
import { followPointer } from '../drag.ts'
import { packColumns, packLanes } from '../layout.ts'
import { findGridPosition } from '../move-event.ts'
import type { NewEventRange } from '../new-event-range.ts'
import { TaskChip } from '../tasks/task-chip.tsx'
import { STEP_MINUTES } from '../timing.ts'
import { DayButton } from './day-button.tsx'
import { HiddenEventMarkers, scrollToMinute, useHiddenEvents } from './hidden-events.tsx'
import { dayMark, dragOf, keysOf, newEventMark, type ViewContext } from './view-context.ts'
import './hours.css'

/** All-day events as bars above the hour grid. */
const AllDay = ({
  viewContext,
  getScroller,
}: {
  viewContext: ViewContext
  getScroller: () => HTMLElement | null
}) => {
  const { days } = viewContext
  const [first] = days
  if (!first) return null
  const { newRange } = viewContext
  const isSelected = (day: Day): boolean =>
    newRange?.allDay === true && daysBetween(newRange.first, day) >= 0 && daysBetween(day, newRange.last) >= 0
  const { ghost } = viewContext.mover
  const bars = [
    ...viewContext.displayedEvents.filter(({ isBar }) => isBar).map((item) => ({ item, isGhost: false })),
    ...(ghost?.isBar ? [{ item: ghost, isGhost: true }] : []),
  ]
  const entries = packLanes(
    bars
      .map(({ item, isGhost }) => ({
        item,
        isGhost,
        from: Math.max(0, daysBetween(first, item.first)),
        to: Math.min(days.length, daysBetween(first, item.last) + 1),
      }))
      .filter(({ from, to }) => from < to),
  )
  const bottom = Math.max(0, ...entries.map(({ lane }) => lane + 1))
  const tasks = days.flatMap((day, column) =>
    (viewContext.tasksByDay.get(day.toString()) ?? []).map((task, at) => ({
      task,
      column,
      row: bottom + at,
    })),
  )
  return (
    <>
      <div className="hours-label" id="all-day-label">
        {t.allDayRow}
      </div>
      <div className="all-day">
        {days.map((day, column) => (
          // biome-ignore lint/a11y/noStaticElementInteractions: keyboard users create events with `n` on the focused day
          // biome-ignore lint/a11y/useKeyWithClickEvents: as above
          <div
            key={day.toString()}
            className="all-day-cell"
            {...dayMark(day)}
            data-all-day=""
            style={{ gridColumn: column + 1 }}
            data-selected={isSelected(day)}
            {...newEventMark(isSelected(day))}
            onClick={() => viewContext.createOnClick({ allDay: true, first: day, last: day })}
          />
        ))}
        <ul aria-labelledby="all-day-label">
          {entries.map(({ item, isGhost, from, to, lane }) => {
            const isFirst = daysBetween(first, item.first) === from
            const isLast = daysBetween(first, item.last) + 1 === to
            return (
              <li
                key={`${item.key}${isGhost}`}
                style={{ gridColumn: `${from + 1} / ${to + 1}`, gridRow: lane + 1 }}
              >
                <Chip
                  item={item}
                  form="bar"
                  label={viewContext.labelOf(item)}
                  time={item.event.allDay ? null : viewContext.time(item.event.start)}
                  from={!isFirst}
                  to={!isLast}
                  ghost={isGhost}
                  carried={!isGhost && viewContext.mover.carried === item.key}
                  held={viewContext.mover.held === item.key}
                  past={viewContext.isPast(item)}
                  unanswered={viewContext.isUnanswered(item)}
                  onOpen={(element) => viewContext.open(item, element)}
                  {...dragOf(viewContext, item, {
                    hasStart: isFirst,
                    hasEnd: isLast,
                    getScroller,
                    canTurn: true,
                  })}
                  {...keysOf(viewContext, item, false)}
                />
              </li>
            )
          })}
          {tasks.map(({ task, column, row }) => (
            <li key={`task-${task.task.id}`} style={{ gridColumn: column + 1, gridRow: row + 1 }}>
              <TaskChip
                item={task}
                onComplete={() => viewContext.completeTask(task)}
                onPress={(down) => viewContext.taskDrag.press(down, task)}
              />
            </li>
          ))}
        </ul>
      </div>
    </>
  )
}

const DAY_MINUTES = 24 * 60
/** Shorter events are drawn with this height, so that they are readable and clickable. */
const MIN_MINUTES = 24
const ONE_LINE_MINUTES = 40
/**
 * Width factor of side-by-side events. They overlap a little, because three of them would be too narrow to
 * read.
 */
const OVERLAP_FACTOR = 1.6
const HOURS = Array.from({ length: 24 }, (_, hour) => hour)

const percent = (minutes: number): string => `${(minutes / DAY_MINUTES) * 100}%`

interface Block {
  item: DisplayedEvent
  /** With the buffers, so that other events do not cover them. */
  from: number
  to: number
  event: { from: number; to: number }
  isStart: boolean
  isEnd: boolean
}

/** The part of an event that lies in one day. */
const blockIn = (day: Day, item: DisplayedEvent): Block => {
  const isStart = isSameDay(item.first, day)
  const start = isStart ? minuteOf(item.start) : 0
  const isEnd = isSameDay(item.last, day)
  const end = isEnd && isSameDay(item.end.toPlainDate(), day) ? minuteOf(item.end) : DAY_MINUTES
  const from = Math.min(start, DAY_MINUTES - MIN_MINUTES)
  const to = Math.max(end, from + MIN_MINUTES)
  const { bufferBefore, bufferAfter } = item.event
  return {
    item,
    from: isStart ? Math.max(0, from - (bufferBefore ?? 0)) : from,
    to: isEnd ? Math.min(DAY_MINUTES, to + (bufferAfter ?? 0)) : to,
    event: { from, to },
    isStart,
    isEnd,
  }
}

const columnStyle = (column: number, columns: number): CSSProperties => ({
  left: `calc(${(column / columns) * 100}% + 2px)`,
  width: `calc(${Math.min(OVERLAP_FACTOR / columns, 1 - column / columns) * 100}% - 4px)`,
  zIndex: column,
})

/** Travel or buffer time beside its event. The name of the event contains it. */
const BufferBlock = ({
  item,
  from,
  to,
  style,
}: {
  item: DisplayedEvent
  from: number
  to: number
  style: CSSProperties
}) => (
  <div
    className="hours-buffer tinted"
    aria-hidden="true"
    style={{
      ...toColorStyle(item.calendar?.color),
      ...style,
      top: percent(from),
      height: percent(to - from),
    }}
  />
)

const blocksIn = (day: Day, item: readonly DisplayedEvent[]): Block[] =>
  item.filter((entry) => !entry.isBar && touches(entry, day)).map((entry) => blockIn(day, entry))

const minutesOf = (time: string): number => {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return hours * 60 + minutes
}

const WorkingHoursBackground = ({ viewContext, day }: { viewContext: ViewContext; day: Day }) =>
  viewContext.workingHours
    .filter((hours) => hours.day === WEEKDAYS[day.dayOfWeek - 1])
    .map(({ start, end }) => {
      const [from, to] = [minutesOf(start), minutesOf(end)]
      return (
        <div
          key={start}
          className="hours-working"
          style={{ top: percent(from), height: percent((to > from ? to : DAY_MINUTES) - from) }}
        />
      )
    })

/** The selected hours of a new event on a day. */
const newHours = (range: NewEventRange | null, day: Day): { from: number; to: number } | null =>
  range !== null && !range.allDay && isSameDay(range.day, day) ? { from: range.from, to: range.to } : null

const Column = ({
  viewContext,
  day,
  scroller,
}: {
  viewContext: ViewContext
  day: Day
  scroller: React.RefObject<HTMLElement | null>
}) => {
  const [selected, setSelected] = useState<{ from: number; to: number } | null>(null)
  const blocks = packColumns(
    blocksIn(day, viewContext.displayedEvents).sort(
      (one, other) => one.from - other.from || other.to - one.to,
    ),
  )
  const selection =
    selected ?? newHours(viewContext.taskDrag.range, day) ?? newHours(viewContext.newRange, day)
  const { ghost } = viewContext.mover
  const ghostBlock = ghost && !ghost.isBar && touches(ghost, day) ? blockIn(day, ghost) : null

  const onClick = (click: MouseEvent<HTMLElement>) => {
    if (click.target !== click.currentTarget) return
    const minute = findGridPosition({ x: click.clientX, y: click.clientY })?.minute ?? 0
    const from = Math.floor(minute / 30) * 30
    const to = Math.min(from + 60, DAY_MINUTES)
    viewContext.createOnClick({ allDay: false, day, from, to })
  }
  /** Dragging over empty hours creates an event of that length. */
  const onPull = (down: PointerEvent<HTMLElement>) => {
    if (down.button !== 0 || down.target !== down.currentTarget) return
    const minute = findGridPosition({ x: down.clientX, y: down.clientY })?.minute ?? 0
    const from = Math.floor(minute / STEP_MINUTES) * STEP_MINUTES
    let span = { from, to: from + STEP_MINUTES }
    followPointer(down.nativeEvent, {
      scroller: scroller.current,
      onMove: (point) => {
        const at = findGridPosition(point)?.minute
        if (at === null || at === undefined) return
        const to = Math.max(0, Math.min(DAY_MINUTES, Math.ceil(at / STEP_MINUTES) * STEP_MINUTES))
        span = to > from ? { from, to } : { from: to, to: from + STEP_MINUTES }
        setSelected(span)
      },
      onDrop: () => {
        setSelected(null)
        viewContext.create({ allDay: false, day, ...span })
      },
      onCancel: () => setSelected(null),
    })
  }
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: keyboard users create events with `n` on the focused day
    <section
      className="hours-column"
      aria-label={viewContext.words.long(day)}
      {...dayMark(day)}
      data-hours=""
      onClick={onClick}
      onPointerDown={onPull}
    >
      <WorkingHoursBackground viewContext={viewContext} day={day} />
      {HOURS.slice(1).map((hour) => (
        <div key={hour} className="hours-line" style={{ top: percent(hour * 60) }} />
      ))}
      <ul>
        {blocks.map(
          ({ item, from: outerFrom, to: outerTo, event: { from, to }, column, columns, isStart, isEnd }) => (
            <li key={item.key}>
              {outerFrom < from && (
                <BufferBlock item={item} from={outerFrom} to={from} style={columnStyle(column, columns)} />
              )}
              {outerTo > to && (
                <BufferBlock item={item} from={to} to={outerTo} style={columnStyle(column, columns)} />
              )}
              <Chip
                item={item}
                form="block"
                label={viewContext.labelOf(item)}
                time={
                  to - from < ONE_LINE_MINUTES
                    ? viewContext.time(item.event.start)
                    : viewContext.hours(item.event.start, item.event.end)
                }
                short={to - from < ONE_LINE_MINUTES}
                style={{
                  top: percent(from),
                  height: `calc(${percent(to - from)} - 2px)`,
                  ...columnStyle(column, columns),
                }}
                carried={viewContext.mover.carried === item.key}
                held={viewContext.mover.held === item.key}
                past={viewContext.isPast(item)}
                unanswered={viewContext.isUnanswered(item)}
                onOpen={(element) => viewContext.open(item, element)}
                {...dragOf(viewContext, item, {
                  hasStart: isStart,
                  hasEnd: isEnd,
                  getScroller: () => scroller.current,
                  canTurn: true,
                })}
                {...keysOf(viewContext, item, true)}
              />
            </li>
          ),
        )}
      </ul>
      {ghostBlock && ghost && (
        <Chip
          item={ghost}
          form="block"
          ghost
          label=""
          time={viewContext.hours(ghost.event.start, ghost.event.end)}
          short={ghostBlock.event.to - ghostBlock.event.from < ONE_LINE_MINUTES}
          style={{
            top: percent(ghostBlock.event.from),
            height: percent(ghostBlock.event.to - ghostBlock.event.from),
            left: '2px',
            right: '2px',
          }}
          onOpen={() => {}}
        />
      )}
      {selection && (
        <div
          className="hours-selected"
          {...newEventMark(selected === null && viewContext.newRange !== null)}
          style={{ top: percent(selection.from), height: percent(selection.to - selection.from) }}
        />
      )}
      {isSameDay(day, viewContext.today) && (
        <div className="hours-now" style={{ top: percent(minuteOf(viewContext.now)) }} aria-hidden="true" />
      )}
    </section>
  )
}

const DEFAULT_START = 8 * 60
const DEFAULT_END = 18 * 60

/**
 * Initial scroll position: the start of the working hours. Events at night do not change it; markers point to
 * them.
 */
const firstMinute = ({ workingHours }: ViewContext): number =>
  Math.max(
    0,
    Math.min(
      ...(workingHours.length > 0 ? workingHours.map(({ start }) => minutesOf(start)) : [DEFAULT_START]),
    ) - 30,
  )

/** Hours that a printed page contains: those with events, and the working hours or the default day. */
const printedHours = (viewContext: ViewContext): React.CSSProperties => {
  const { days, displayedEvents, workingHours } = viewContext
  const blocks = days.flatMap((day) => blocksIn(day, displayedEvents))
  const working = workingHours.map(({ start, end }) => ({ from: minutesOf(start), to: minutesOf(end) }))
  const spans = [...blocks, ...(working.length > 0 ? working : [{ from: DEFAULT_START, to: DEFAULT_END }])]
  const first = Math.floor(Math.min(...spans.map(({ from }) => from)) / 60)
  const last = Math.ceil(Math.max(...spans.map(({ from, to }) => (to > from ? to : DAY_MINUTES))) / 60)
  return { '--print-first': first, '--print-last': last } as React.CSSProperties
}

/** "UTC+1" */
const describeOffset = ({ offset }: Moment): string =>
  offset.replace(/^([+-])0?(\d+):(\d\d)$/, (_, sign, hours, minutes) =>
    minutes === '00' ? `UTC${sign}${hours}` : `UTC${sign}${hours}:${minutes}`,
  )

interface SecondTimeProps {
  viewContext: ViewContext
  hour: number
  zone: string
}

/** The same moment in the second time zone, on the first displayed day. */
const SecondTime = ({ viewContext: { days, day, timezone, words }, hour, zone }: SecondTimeProps) => {
  const moment = (days[0] ?? day).toZonedDateTime(timezone).with({ hour }).withTimeZone(zone)
  return <span className="hours-second">{words.hourIn(moment)}</span>
}

const WeekNumber = ({ viewContext: { days, options } }: { viewContext: ViewContext }) => {
  const number = weekNumberOf(days)
  if (!options.weekNumbers || number === undefined || days.length === 1) return null
  return (
    <div>
      <span className="visually-hidden">{t.weekNumber(number)}</span>
      <span aria-hidden="true">{t.weekNumberShort(number)}</span>
    </div>
  )
}

export const Hours = ({ viewContext }: { viewContext: ViewContext }) => {
  const scroller = useRef<HTMLElement>(null)
  const { days } = viewContext
  const firstDay = String(days[0])
  const count = { '--days': days.length } as React.CSSProperties

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the displayed days change, not when events change
  useEffect(() => {
    // A drag across weeks stays at its hour.
    const isDragging = document.documentElement.dataset.dragging !== undefined
    if (scroller.current && !isDragging) scrollToMinute(scroller.current, firstMinute(viewContext))
  }, [firstDay, days.length])

  const hiddenEvents = useHiddenEvents(
    scroller,
    days.map((day) => blocksIn(day, viewContext.displayedEvents).map(({ from, to }) => ({ from, to }))),
  )
  const { secondZone } = viewContext.options
  return (
    <section
      className="hours card"
      aria-label={t.hours}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
      tabIndex={0}
      ref={scroller}
      data-days={days.length}
      data-zones={secondZone === null ? 1 : 2}
      style={{ ...count, ...printedHours(viewContext) }}
    >
      <div className="hours-head">
        <div className="hours-corner" title={viewContext.timezone}>
          <WeekNumber viewContext={viewContext} />
          {secondZone !== null && (
            <div title={secondZone}>{describeOffset(viewContext.now.withTimeZone(secondZone))}</div>
          )}
          {describeOffset(viewContext.now)}
        </div>
        {days.map((day) => (
          <h2 key={day.toString()} className="hours-day" tabIndex={-1}>
            <span>
              {days.length === 1 ? viewContext.words.weekdayLong(day) : viewContext.words.weekday(day)}
            </span>
            <DayButton
              viewContext={viewContext}
              day={day}
              count={viewContext.displayedEvents.filter((item) => touches(item, day)).length}
            />
          </h2>
        ))}
        <AllDay viewContext={viewContext} getScroller={() => scroller.current} />
        <HiddenEventMarkers
          direction="above"
          hidden={hiddenEvents.hidden}
          onShow={(day) => hiddenEvents.show('above', day)}
        />
      </div>
      <div className="hours-clip">
        <div className="hours-body">
          <div className="hours-gutter" aria-hidden="true">
            {HOURS.slice(1).map((hour) => (
              <span key={hour} style={{ top: percent(hour * 60) }}>
                {secondZone !== null && (
                  <SecondTime viewContext={viewContext} hour={hour} zone={secondZone} />
                )}
                <span>{viewContext.words.hour(hour)}</span>
              </span>
            ))}
          </div>
          {days.map((day) => (
            <Column key={day.toString()} viewContext={viewContext} day={day} scroller={scroller} />
          ))}
        </div>
      </div>
      <HiddenEventMarkers
        direction="below"
        hidden={hiddenEvents.hidden}
        onShow={(day) => hiddenEvents.show('below', day)}
      />
    </section>
  )
}
