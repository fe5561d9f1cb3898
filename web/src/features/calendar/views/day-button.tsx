import type { KeyboardEvent } from 'react'
import * as t from '#locale/calendar'
import { type Day, daysBetween, isSameDay } from '../days.ts'
import type { ViewContext } from './view-context.ts'
import { dayMark } from './view-context.ts'

const STEPS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 }

/**
 * Day number that opens the day view. A roving tabindex puts one day into the tab order and arrow keys reach
 * the others. Users then need not tab through forty days.
 */
export const DayButton = ({
  viewContext,
  day,
  count,
}: {
  viewContext: ViewContext
  day: Day
  count: number
}) => {
  const isWithin = viewContext.days.some((item) => isSameDay(item, viewContext.day))
  const isTabbable = isWithin ? isSameDay(day, viewContext.day) : isSameDay(day, viewContext.days[0] ?? day)
  const isToday = isSameDay(day, viewContext.today)

  const onKey = (event: KeyboardEvent) => {
    const days = STEPS[event.key]
    if (days === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    const to = day.add({ days })
    const button = document.querySelector<HTMLElement>(`button[data-day="${to}"]`)
    event.preventDefault()
    if (button) return button.focus()
    if (viewContext.days.length <= 7) return
    viewContext.scrollWeeks(days < 0 ? -1 : 1)
    // The next week is rendered by then.
    setTimeout(() => document.querySelector<HTMLElement>(`button[data-day="${to}"]`)?.focus())
  }
  const describe = isToday ? t.eventsOnToday : t.eventsOnDay
  const name = describe({ day: viewContext.words.full(day), count })
  const isNewMonth =
    day.day === 1 && viewContext.days.length > 7 && daysBetween(viewContext.days[0] ?? day, day) > 0
  return (
    <button
      type="button"
      className="day-button"
      {...dayMark(day)}
      data-today={isToday}
      tabIndex={isTabbable ? 0 : -1}
      aria-current={isToday ? 'date' : undefined}
      onKeyDown={onKey}
      onClick={() => viewContext.go({ view: 'day', date: day.toString() })}
    >
      <span className="visually-hidden">{name}</span>
      <span aria-hidden="true">
        {day.day}
        {isNewMonth && <span className="day-month"> {viewContext.words.monthShort(day)}</span>}
      </span>
    </button>
  )
}
