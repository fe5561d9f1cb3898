import { type CSSProperties, type KeyboardEvent, type MouseEvent, useEffect, useRef } from 'react'
import type { Temporal } from 'temporal-polyfill'
import * as t from '#locale/event-editor'
import { type Day, type DayWords, daysBetween } from '../days.ts'
import { minuteOf } from '../displayed-event.ts'
import { type Availability, DAY_MINUTES, STEP_MINUTES, type TimeRange, toStretches } from './times.ts'

export interface Person {
  email: string
  name: string
  known: boolean
  working: readonly TimeRange[]
  busy: readonly TimeRange[]
}

interface PeopleGridProps {
  people: readonly (Person & { availability: Availability })[]
  days: readonly Day[]
  start: Temporal.PlainDateTime
  minutes: number
  timezone: string
  words: DayWords
  valueText: string
  onMove: (start: Temporal.PlainDateTime) => void
}

const HOURS = Array.from({ length: 24 }, (_, hour) => hour)
/** Hours before the chosen time that are in view. */
const HOURS_BEFORE = 2

/** One row per person with working hours and busy times, and the chosen time across all rows. */
export const PeopleGrid = ({ people, days, start, minutes, words, onMove, ...props }: PeopleGridProps) => {
  const scroller = useRef<HTMLDivElement>(null)
  const [first] = days as [Day]
  const count = days.length
  const total = count * DAY_MINUTES
  const from = daysBetween(first, start.toPlainDate()) * DAY_MINUTES + minuteOf(start.toPlainTime())
  const period = { first, count, timezone: props.timezone }
  const place = (stretch: { from: number; to: number }): CSSProperties => ({
    left: `${(stretch.from / total) * 100}%`,
    width: `${((Math.min(stretch.to, total) - stretch.from) / total) * 100}%`,
  })

  useEffect(() => {
    const element = scroller.current
    const track = element?.querySelector<HTMLElement>('.find-time-track')
    if (!element || !track) return
    const hour = track.clientWidth / (count * 24)
    const left = (from / 60) * hour
    const visible = element.clientWidth - track.offsetLeft
    const isVisible =
      left >= element.scrollLeft && left + (minutes / 60) * hour <= element.scrollLeft + visible
    if (!isVisible) element.scrollLeft = left - HOURS_BEFORE * hour
  }, [from, minutes, count])

  const onClick = (click: MouseEvent<HTMLElement>) => {
    const { left, width } = click.currentTarget.getBoundingClientRect()
    const minute = ((click.clientX - left) / width) * total
    const chosen = Math.floor(minute / STEP_MINUTES) * STEP_MINUTES
    onMove(first.toPlainDateTime().add({ minutes: Math.max(0, Math.min(chosen, total - STEP_MINUTES)) }))
  }
  const onKey = (event: KeyboardEvent) => {
    const steps = {
      ArrowLeft: { minutes: -STEP_MINUTES },
      ArrowDown: { minutes: -STEP_MINUTES },
      ArrowRight: { minutes: STEP_MINUTES },
      ArrowUp: { minutes: STEP_MINUTES },
      PageDown: { days: 1 },
      PageUp: { days: -1 },
    }
    const step = steps[event.key as keyof typeof steps]
    if (!step) return
    event.preventDefault()
    onMove(start.add(step))
  }
  return (
    <div
      className="find-time-grid"
      ref={scroller}
      style={{ '--days': count, '--people': people.length } as CSSProperties}
      data-days={count}
    >
      <div className="find-time-name" />
      <div className="find-time-hours" aria-hidden="true">
        {count === 1
          ? HOURS.slice(1).map((hour) => (
              <span key={hour} style={{ left: `${(hour / 24) * 100}%` }}>
                {words.hour(hour)}
              </span>
            ))
          : days.map((day, index) => (
              <span key={day.toString()} style={{ left: `${(index / count) * 100}%` }}>
                {words.short(day)}
              </span>
            ))}
      </div>
      {people.map(({ email, name, known, working, busy, availability }, row) => (
        <div key={email} className="find-time-row" style={{ gridRow: row + 2 }}>
          <div className="find-time-name" data-availability={availability}>
            <span title={email}>{name}</span>
            <span className="quiet small">{t.availabilities[availability]}</span>
          </div>
          {/* biome-ignore lint/a11y/noStaticElementInteractions: keyboard users move the slider */}
          {/* biome-ignore lint/a11y/useKeyWithClickEvents: as above */}
          <div className="find-time-track" data-known={known} onClick={onClick}>
            {toStretches(working, period).map((stretch) => (
              <span key={stretch.from} className="find-time-working" style={place(stretch)} />
            ))}
            {toStretches(busy, period).map((stretch) => (
              <span key={stretch.from} className="find-time-busy" style={place(stretch)} />
            ))}
          </div>
        </div>
      ))}
      <div className="find-time-choice">
        <div
          role="slider"
          tabIndex={0}
          aria-label={t.chosenTime}
          aria-valuemin={0}
          aria-valuemax={total}
          aria-valuenow={from}
          aria-valuetext={props.valueText}
          style={place({ from, to: from + minutes })}
          onKeyDown={onKey}
        />
      </div>
    </div>
  )
}
