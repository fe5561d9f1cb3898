import { type KeyboardEvent, useEffect, useRef } from 'react'
import * as t from '#locale/calendar'
import type { Weekday } from '../../../ui/weekdays.ts'
import { type Day, type DayWords, daysBetween, isSameDay, weekNumberOf, weeksOfMonth } from '../days.ts'
import './month-grid.css'

export interface MonthGridProps {
  /** Any day of the displayed month. */
  month: Day
  words: DayWords
  weekStart: Weekday
  today: Day
  /** The days that the calendar displays. */
  selected: { first: Day; last: Day }
  hasWeekNumbers: boolean
  /** The number of events per day. */
  counts?: ReadonlyMap<string, number>
  onSelect: (day: Day) => void
  /** Called when the arrow keys leave the month. */
  onLeave?: (day: Day) => void
}

const STEPS: Readonly<Record<string, object>> = {
  ArrowLeft: { days: -1 },
  ArrowRight: { days: 1 },
  ArrowUp: { days: -7 },
  ArrowDown: { days: 7 },
  PageUp: { months: -1 },
  PageDown: { months: 1 },
}

const isWithin = (day: Day, { first, last }: { first: Day; last: Day }): boolean =>
  daysBetween(first, day) >= 0 && daysBetween(day, last) >= 0

/** One day of the month is in the tab order. */
const findTabbable = ({ month, today, selected }: MonthGridProps): Day => {
  const isOfMonth = (day: Day) => day.year === month.year && day.month === month.month
  return [selected.first, selected.last, today].find(isOfMonth) ?? month.with({ day: 1 })
}

/** A small month. Arrow keys move between the days, also to the next month beside it. */
export const MonthGrid = (props: MonthGridProps) => {
  const { month, words, weekStart, today, selected, hasWeekNumbers, counts, onSelect, onLeave } = props
  const table = useRef<HTMLTableElement>(null)
  /** Gets the focus after the month has changed. */
  const nextFocus = useRef<string | null>(null)
  const weeks = weeksOfMonth(month, weekStart)
  const tabbable = findTabbable(props)

  useEffect(() => {
    if (nextFocus.current === null) return
    table.current?.querySelector<HTMLElement>(`[data-date="${nextFocus.current}"]`)?.focus()
    nextFocus.current = null
  })

  const onKey = (event: KeyboardEvent, day: Day) => {
    const step = STEPS[event.key]
    if (step === undefined || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
    event.preventDefault()
    const to = day.add(step)
    const months = table.current?.closest('[data-months]') ?? table.current
    const button = months?.querySelector<HTMLElement>(`[data-date="${to}"]:not([data-outside="true"])`)
    if (button) return button.focus()
    nextFocus.current = to.toString()
    onLeave?.(to)
  }
  const describe = (day: Day): string => {
    const count = counts?.get(day.toString())
    return count === undefined ? words.full(day) : t.eventsOnDay({ day: words.full(day), count })
  }
  return (
    <table className="month-grid" aria-label={words.month(month)} ref={table}>
      <thead>
        <tr>
          {hasWeekNumbers && (
            <th scope="col">
              <span className="visually-hidden">{t.week}</span>
            </th>
          )}
          {weeks[0]?.map((day) => (
            <th key={day.dayOfWeek} scope="col" abbr={words.weekdayLong(day)}>
              {words.weekdayNarrow(day)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeks.map((week) => (
          <tr key={String(week[0])}>
            {hasWeekNumbers && (
              <th scope="row" className="month-grid-week">
                <span className="visually-hidden">{t.weekNumber(weekNumberOf(week) ?? 0)}</span>
                <span aria-hidden="true">{weekNumberOf(week)}</span>
              </th>
            )}
            {week.map((day) => (
              <td key={day.toString()}>
                <button
                  type="button"
                  data-date={day.toString()}
                  data-outside={day.month !== month.month}
                  data-selected={isWithin(day, selected)}
                  data-busy={(counts?.get(day.toString()) ?? 0) > 0}
                  aria-label={describe(day)}
                  aria-current={isSameDay(day, today) ? 'date' : undefined}
                  tabIndex={isSameDay(day, tabbable) ? 0 : -1}
                  onClick={() => onSelect(day)}
                  onKeyDown={(event) => onKey(event, day)}
                >
                  {day.day}
                </button>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
