import { type MouseEvent, type PointerEvent, useEffect, useRef, useState } from 'react'
import { nameOf, WEEKDAYS } from '../../../ui/weekdays.ts'
import { Chip } from '../chip.tsx'
import { type Day, isSameDay } from '../days.ts'
import { followPointer } from '../dragging.ts'
import { spotAt } from '../moving.ts'
import { packColumns } from '../packing.ts'
import { minuteOf, type Shown, touches } from '../shown.ts'
import { STEP_MINUTES } from '../timing.ts'
import { AllDay } from './all-day.tsx'
import { DayButton } from './day-button.tsx'
import { type Desk, dayMark, keysOf } from './desk.ts'
import './hours.css'
import { Marks, scrollToMinute, useOutOfSight } from './out-of-sight.tsx'

const DAY_MINUTES = 24 * 60
/** Shorter ones are drawn this long, or nobody could read or hit them. */
const SHORTEST_MINUTES = 24
const ONE_LINE_MINUTES = 40
/** Side by side they lie a little under the next, or three of them could not be read. */
const WIDER = 1.6
const HOURS = Array.from({ length: 24 }, (_, hour) => hour)

const percent = (minutes: number): string => `${(minutes / DAY_MINUTES) * 100}%`

interface Block {
  shown: Shown
  from: number
  to: number
  isEnd: boolean
}

/** The part of an event that lies in one day. */
const blockIn = (day: Day, shown: Shown): Block => {
  const start = isSameDay(shown.first, day) ? minuteOf(shown.start) : 0
  const isEnd = isSameDay(shown.last, day)
  const end = isEnd && isSameDay(shown.end.toPlainDate(), day) ? minuteOf(shown.end) : DAY_MINUTES
  const from = Math.min(start, DAY_MINUTES - SHORTEST_MINUTES)
  return { shown, from, to: Math.max(end, from + SHORTEST_MINUTES), isEnd }
}

const blocksIn = (day: Day, shown: readonly Shown[]): Block[] =>
  shown.filter((entry) => !entry.isBar && touches(entry, day)).map((entry) => blockIn(day, entry))

const minutesOf = (time: string): number => {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return hours * 60 + minutes
}

const Working = ({ desk, day }: { desk: Desk; day: Day }) =>
  desk.workingHours
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

const Column = ({
  desk,
  day,
  scroller,
}: {
  desk: Desk
  day: Day
  scroller: React.RefObject<HTMLElement | null>
}) => {
  const [selected, setSelected] = useState<{ from: number; to: number } | null>(null)
  const blocks = packColumns(
    blocksIn(day, desk.shown).sort((one, other) => one.from - other.from || other.to - one.to),
  )
  const { ghost } = desk.mover
  const ghostBlock = ghost && !ghost.isBar && touches(ghost, day) ? blockIn(day, ghost) : null

  const onClick = (click: MouseEvent<HTMLElement>) => {
    if (click.target !== click.currentTarget) return
    const minute = spotAt({ x: click.clientX, y: click.clientY })?.minute ?? 0
    const from = Math.floor(minute / 30) * 30
    desk.create({ allDay: false, day, from, to: Math.min(from + 60, DAY_MINUTES) })
  }
  /** Pulled along the day it asks for as much as was pulled over. */
  const onPull = (down: PointerEvent<HTMLElement>) => {
    if (down.button !== 0 || down.pointerType === 'touch' || down.target !== down.currentTarget) return
    const minute = spotAt({ x: down.clientX, y: down.clientY })?.minute ?? 0
    const from = Math.floor(minute / STEP_MINUTES) * STEP_MINUTES
    let span = { from, to: from + STEP_MINUTES }
    followPointer(down.nativeEvent, {
      scroller: scroller.current,
      onMove: (point) => {
        const at = spotAt(point)?.minute
        if (at === null || at === undefined) return
        const to = Math.max(0, Math.min(DAY_MINUTES, Math.ceil(at / STEP_MINUTES) * STEP_MINUTES))
        span = to > from ? { from, to } : { from: to, to: from + STEP_MINUTES }
        setSelected(span)
      },
      onDrop: () => {
        setSelected(null)
        desk.create({ allDay: false, day, ...span })
      },
      onCancel: () => setSelected(null),
    })
  }
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: those who type make events with `n`, on the day that has the focus
    <section
      className="hours-column"
      aria-label={desk.words.long(day)}
      {...dayMark(day)}
      data-hours=""
      onClick={onClick}
      onPointerDown={onPull}
    >
      <Working desk={desk} day={day} />
      {HOURS.slice(1).map((hour) => (
        <div key={hour} className="hours-line" style={{ top: percent(hour * 60) }} />
      ))}
      <ul>
        {blocks.map(({ shown, from, to, column, columns, isEnd }) => (
          <li key={shown.key}>
            <Chip
              shown={shown}
              form="block"
              label={desk.labelOf(shown)}
              time={
                to - from < ONE_LINE_MINUTES
                  ? desk.time(shown.event.start)
                  : desk.hours(shown.event.start, shown.event.end)
              }
              short={to - from < ONE_LINE_MINUTES}
              style={{
                top: percent(from),
                height: `calc(${percent(to - from)} - 2px)`,
                left: `calc(${(column / columns) * 100}% + 2px)`,
                width: `calc(${Math.min(WIDER / columns, 1 - column / columns) * 100}% - 4px)`,
                zIndex: column,
              }}
              carried={desk.mover.carried === shown.key}
              onOpen={() => desk.open(shown)}
              onPress={(down) => desk.mover.press(down, shown, 'whole', scroller.current)}
              {...(isEnd && {
                onStretch: (down: PointerEvent) => desk.mover.press(down, shown, 'end', scroller.current),
              })}
              {...keysOf(desk, shown, true)}
            />
          </li>
        ))}
      </ul>
      {ghostBlock && ghost && (
        <Chip
          shown={ghost}
          form="block"
          ghost
          label=""
          time={desk.hours(ghost.event.start, ghost.event.end)}
          short={ghostBlock.to - ghostBlock.from < ONE_LINE_MINUTES}
          style={{
            top: percent(ghostBlock.from),
            height: percent(ghostBlock.to - ghostBlock.from),
            left: '2px',
            right: '2px',
          }}
          onOpen={() => {}}
        />
      )}
      {selected && (
        <div
          className="hours-selected"
          style={{ top: percent(selected.from), height: percent(selected.to - selected.from) }}
        />
      )}
      {isSameDay(day, desk.today) && (
        <div className="hours-now" style={{ top: percent(minuteOf(desk.now)) }} aria-hidden="true" />
      )}
    </section>
  )
}

const USUAL_START = 8 * 60

/** The first hour to show is that of the day's work: what lies in the night is marked, and does not make the day begin then. */
const firstMinute = ({ workingHours }: Desk): number =>
  Math.max(
    0,
    Math.min(
      ...(workingHours.length > 0 ? workingHours.map(({ start }) => minutesOf(start)) : [USUAL_START]),
    ) - 30,
  )

export const Hours = ({ desk }: { desk: Desk }) => {
  const scroller = useRef<HTMLElement>(null)
  const { days } = desk
  const firstDay = String(days[0])
  const count = { '--days': days.length } as React.CSSProperties

  // biome-ignore lint/correctness/useExhaustiveDependencies: when other days are shown, not whenever an event changes
  useEffect(() => {
    if (scroller.current) scrollToMinute(scroller.current, firstMinute(desk))
  }, [firstDay, days.length])

  const outOfSight = useOutOfSight(
    scroller,
    days.map((day) => blocksIn(day, desk.shown).map(({ from, to }) => ({ from, to }))),
  )
  const zone = desk.now.offset.replace(/^([+-])0?(\d+):(\d\d)$/, (_, sign, hours, minutes) =>
    minutes === '00' ? `UTC${sign}${hours}` : `UTC${sign}${hours}:${minutes}`,
  )
  return (
    <section
      className="hours card"
      aria-label="Hours"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so those who type must be able to reach it
      tabIndex={0}
      ref={scroller}
      data-days={days.length}
      style={count}
    >
      <div className="hours-head">
        <div className="hours-corner" title={desk.timezone}>
          {zone}
        </div>
        {days.map((day) => (
          <h2 key={day.toString()} className="hours-day" tabIndex={-1}>
            <span>
              {days.length === 1 ? nameOf(WEEKDAYS[day.dayOfWeek - 1] ?? 'monday') : desk.words.weekday(day)}
            </span>
            <DayButton
              desk={desk}
              day={day}
              count={desk.shown.filter((shown) => touches(shown, day)).length}
            />
          </h2>
        ))}
        <AllDay desk={desk} />
        <Marks way="above" hidden={outOfSight.hidden} onShow={(day) => outOfSight.show('above', day)} />
      </div>
      <div className="hours-body">
        <div className="hours-gutter" aria-hidden="true">
          {HOURS.slice(1).map((hour) => (
            <span key={hour} style={{ top: percent(hour * 60) }}>
              {desk.words.hour(hour)}
            </span>
          ))}
        </div>
        {days.map((day) => (
          <Column key={day.toString()} desk={desk} day={day} scroller={scroller} />
        ))}
      </div>
      <Marks way="below" hidden={outOfSight.hidden} onShow={(day) => outOfSight.show('below', day)} />
    </section>
  )
}
