import { type PointerEvent, type RefObject, useLayoutEffect, useRef, useState } from 'react'
import * as t from '#locale/calendar'
import { Chip } from '../chip.tsx'
import { type Day, daysBetween, isSameDay, weekNumberOf } from '../days.ts'
import { type DisplayedEvent, touches } from '../displayed-event.ts'
import { followPointer } from '../drag.ts'
import { packLanes } from '../layout.ts'
import { findGridPosition } from '../move-event.ts'
import { DEFAULT_HOURS } from '../new-event-range.ts'
import { TaskChip } from '../tasks/task-chip.tsx'
import type { CalendarTask } from '../tasks/use-calendar-tasks.ts'
import { DayButton } from './day-button.tsx'
import { useWeekScroll } from './use-week-scroll.ts'
import { dayMark, dragOf, keysOf, newEventMark, type ViewContext } from './view-context.ts'
import './month.css'

/** The height of an element, updated on resize. */
const useHeight = <T extends HTMLElement>(): [RefObject<T | null>, number] => {
  const element = useRef<T>(null)
  const [height, setHeight] = useState(0)
  useLayoutEffect(() => {
    if (!element.current) return
    const observer = new ResizeObserver(([entry]) => {
      if (entry) setHeight(entry.contentRect.height)
    })
    setHeight(element.current.clientHeight)
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [])
  return [element, height]
}

const NUMBER_PX = 32
const LANE_PX = 24
const MIN_LANES = 2

interface Stretch {
  item: DisplayedEvent
  ghost: boolean
  from: number
  to: number
}

/** An event that only crosses midnight is drawn on its first day. */
const lastDrawn = ({ isBar, first, last }: DisplayedEvent): Day => (isBar ? last : first)

/** The part of each event that lies in a week, in columns 0 to 7. */
const stretchesIn = (week: readonly Day[], viewContext: ViewContext): Stretch[] => {
  const [first, last] = [week[0], week[6]]
  if (!first || !last) return []
  const { ghost } = viewContext.mover
  return [
    ...viewContext.displayedEvents.map((item) => ({ item, ghost: false })),
    ...(ghost ? [{ item: ghost, ghost: true }] : []),
  ]
    .filter(({ item }) => daysBetween(first, item.last) >= 0 && daysBetween(item.first, last) >= 0)
    .map(({ item, ghost: isGhost }) => ({
      item,
      ghost: isGhost,
      from: Math.max(0, daysBetween(first, item.first)),
      to: Math.min(7, daysBetween(first, lastDrawn(item)) + 1),
    }))
    .filter(({ from, to }) => from < to)
}

interface TaskStretch {
  task: CalendarTask
  from: number
  to: number
}

const tasksIn = (week: readonly Day[], { tasksByDay }: ViewContext): TaskStretch[] =>
  week.flatMap((day, from) =>
    (tasksByDay.get(day.toString()) ?? []).map((task) => ({ task, from, to: from + 1 })),
  )

const MonthTask = ({ viewContext, entry, lane }: MonthTaskProps) => (
  <TaskChip
    item={entry.task}
    style={{ gridColumn: entry.from + 1, gridRow: lane + 2 }}
    onComplete={() => viewContext.completeTask(entry.task)}
  />
)

interface MonthTaskProps {
  viewContext: ViewContext
  entry: TaskStretch
  lane: number
}

const MonthChip = ({
  viewContext,
  entry,
  lane,
  week,
}: {
  viewContext: ViewContext
  entry: Stretch
  lane: number
  week: readonly Day[]
}) => {
  const { item, ghost, from, to } = entry
  const { isBar } = item
  const isLast = week[to - 1] !== undefined && isSameDay(week[to - 1] as Day, lastDrawn(item))
  const isFirst = week[from] !== undefined && isSameDay(week[from] as Day, item.first)
  return (
    <Chip
      item={item}
      form={isBar ? 'bar' : 'line'}
      label={viewContext.labelOf(item)}
      time={item.event.allDay || !isFirst ? null : viewContext.time(item.event.start)}
      style={{ gridColumn: `${from + 1} / ${to + 1}`, gridRow: lane + 2 }}
      from={!isFirst}
      to={!isLast}
      ghost={ghost}
      carried={!ghost && viewContext.mover.carried === item.key}
      held={viewContext.mover.held === item.key}
      past={viewContext.isPast(item)}
      unanswered={viewContext.isUnanswered(item)}
      onOpen={(element) => viewContext.open(item, element)}
      {...dragOf(viewContext, item, { hasStart: isBar && isFirst, hasEnd: isBar && isLast })}
      {...keysOf(viewContext, item, false)}
    />
  )
}

interface WeekProps {
  viewContext: ViewContext
  week: readonly Day[]
  lanes: number
  selected: { first: Day; last: Day } | null
  onPull: (down: PointerEvent, day: Day) => void
}

const WeekNumber = ({ week }: { week: readonly Day[] }) => {
  const number = weekNumberOf(week) ?? 0
  return (
    <span className="month-week">
      <span className="visually-hidden">{t.weekNumber(number)}</span>
      <span aria-hidden="true">{t.weekNumberShort(number)}</span>
    </span>
  )
}

const Week = ({ viewContext, week, lanes, selected, onPull }: WeekProps) => {
  const entries = packLanes<Stretch | TaskStretch>([
    ...stretchesIn(week, viewContext),
    ...tasksIn(week, viewContext),
  ])
  /** If a day has more events than lanes, its last lane shows the number of hidden events. */
  const isCrowded = (column: number) =>
    entries.some(({ from, to, lane }) => from <= column && column < to && lane >= lanes)
  const isHidden = ({ from, to, lane }: (typeof entries)[number]) =>
    lane >= lanes ||
    (lane === lanes - 1 && Array.from({ length: to - from }).some((_, at) => isCrowded(from + at)))
  return (
    <ol className="week" style={{ '--lanes': lanes } as React.CSSProperties}>
      {week.map((day, column) => {
        const here = entries.filter(({ from, to }) => from <= column && column < to)
        const hidden = here.filter(isHidden).length
        const isSelected =
          selected !== null && daysBetween(selected.first, day) >= 0 && daysBetween(day, selected.last) >= 0
        return (
          <li key={day.toString()}>
            {/* biome-ignore lint/a11y/noStaticElementInteractions: keyboard users create events with `n` on the focused day */}
            {/* biome-ignore lint/a11y/useKeyWithClickEvents: as above */}
            <div
              className="month-day"
              {...dayMark(day)}
              data-outside={day.month !== viewContext.day.month}
              data-selected={isSelected}
              {...newEventMark(isSelected)}
              style={{ gridColumn: column + 1 }}
              onPointerDown={(down) => onPull(down, day)}
              onClick={() => viewContext.createOnClick({ allDay: false, day, ...DEFAULT_HOURS })}
            />
            <div className="month-number" style={{ gridColumn: column + 1 }}>
              {column === 0 && viewContext.options.weekNumbers && <WeekNumber week={week} />}
              <DayButton
                viewContext={viewContext}
                day={day}
                count={viewContext.displayedEvents.filter((entry) => touches(entry, day)).length}
              />
            </div>
            {here
              .filter((entry) => entry.from === column && !isHidden(entry))
              .map((entry) =>
                'task' in entry ? (
                  <MonthTask
                    key={`task-${entry.task.task.id}`}
                    viewContext={viewContext}
                    entry={entry}
                    lane={entry.lane}
                  />
                ) : (
                  <MonthChip
                    key={`${entry.item.key}${entry.ghost}`}
                    viewContext={viewContext}
                    entry={entry}
                    lane={entry.lane}
                    week={week}
                  />
                ),
              )}
            {hidden > 0 && (
              <button
                type="button"
                className="month-more"
                style={{ gridColumn: column + 1, gridRow: lanes + 1 }}
                aria-label={t.moreOnDay({ count: hidden, day: viewContext.words.long(day) })}
                onClick={() => viewContext.go({ view: 'day', date: day.toString() })}
              >
                {hidden}
                <span> {t.moreEvents}</span>
              </button>
            )}
          </li>
        )
      })}
    </ol>
  )
}

/** The selected days of a new event. */
const newDays = ({ newRange }: ViewContext): { first: Day; last: Day } | null => {
  if (newRange === null) return null
  return newRange.allDay ? newRange : { first: newRange.day, last: newRange.day }
}

export const Month = ({ viewContext }: { viewContext: ViewContext }) => {
  const [body, height] = useHeight<HTMLDivElement>()
  const [selected, setSelected] = useState<{ first: Day; last: Day } | null>(null)
  const weeks = Array.from({ length: viewContext.days.length / 7 }, (_, at) =>
    viewContext.days.slice(at * 7, at * 7 + 7),
  )
  useWeekScroll(body, weeks.length, viewContext.scrollWeeks)
  const lanes = Math.max(MIN_LANES, Math.floor((height / weeks.length - NUMBER_PX) / LANE_PX))

  /** Dragging over several days creates an all-day event. */
  const onPull = (down: PointerEvent, day: Day) => {
    if (down.button !== 0) return
    const spanTo = (other: Day) =>
      daysBetween(day, other) >= 0 ? { first: day, last: other } : { first: other, last: day }
    let span = spanTo(day)
    followPointer(down.nativeEvent, {
      scroller: null,
      onMove: (point) => {
        const gridPosition = findGridPosition(point)
        if (!gridPosition) return
        span = spanTo(gridPosition.day)
        setSelected(span)
      },
      onDrop: () => {
        setSelected(null)
        viewContext.create({ allDay: true, ...span })
      },
      onCancel: () => setSelected(null),
    })
  }
  return (
    <div className="month card">
      <div className="month-names" aria-hidden="true">
        {viewContext.days.slice(0, 7).map((day) => (
          <span key={day.toString()}>{viewContext.words.weekday(day)}</span>
        ))}
      </div>
      <div className="month-weeks" ref={body}>
        {weeks.map((week) => (
          <Week
            key={String(week[0])}
            viewContext={viewContext}
            week={week}
            lanes={lanes}
            selected={selected ?? newDays(viewContext)}
            onPull={onPull}
          />
        ))}
      </div>
    </div>
  )
}
