import type { KeyboardEvent } from 'react'
import { type Day, daysBetween, isSameDay } from '../days.ts'
import { countWords } from '../words.ts'
import type { Desk } from './desk.ts'
import { dayMark } from './desk.ts'

const STEPS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 }

/**
 * A day's number: leads to that day. Of all of them one is in the order of the Tab key, and arrows go on from there,
 * so that nobody has to pass through forty days to reach what comes after.
 */
export const DayButton = ({ desk, day, count }: { desk: Desk; day: Day; count: number }) => {
  const isWithin = desk.days.some((shown) => isSameDay(shown, desk.day))
  const isTabbable = isWithin ? isSameDay(day, desk.day) : isSameDay(day, desk.days[0] ?? day)
  const isToday = isSameDay(day, desk.today)

  const onKey = (event: KeyboardEvent) => {
    const days = STEPS[event.key]
    if (days === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    const to = day.add({ days })
    const button = document.querySelector<HTMLElement>(`button[data-day="${to}"]`)
    event.preventDefault()
    if (button) button.focus()
  }
  const name = `${desk.words.full(day)}${isToday ? ', today' : ''}: ${count === 0 ? 'nothing' : countWords(count, 'event')}`
  const isNewMonth = day.day === 1 && desk.days.length > 7 && daysBetween(desk.days[0] ?? day, day) > 0
  return (
    <button
      type="button"
      className="day-button"
      {...dayMark(day)}
      data-today={isToday}
      tabIndex={isTabbable ? 0 : -1}
      aria-current={isToday ? 'date' : undefined}
      onKeyDown={onKey}
      onClick={() => desk.go({ view: 'day', date: day.toString() })}
    >
      <span className="only-heard">{name}</span>
      <span aria-hidden="true">
        {day.day}
        {isNewMonth && <span className="day-month"> {desk.words.monthShort(day)}</span>}
      </span>
    </button>
  )
}
