import { type PointerEvent, useState } from 'react'
import { Chip } from '../chip.tsx'
import { type Day, daysBetween, isSameDay } from '../days.ts'
import { followPointer } from '../dragging.ts'
import { spotAt } from '../moving.ts'
import { packLanes } from '../packing.ts'
import { type Shown, touches } from '../shown.ts'
import { DayButton } from './day-button.tsx'
import { type Desk, dayMark, keysOf } from './desk.ts'
import './month.css'
import { useHeight } from './use-height.ts'

const NUMBER_PX = 32
const LANE_PX = 24
const FEWEST_LANES = 2

interface Stretch {
  shown: Shown
  ghost: boolean
  from: number
  to: number
}

/** A night that ends in the morning is drawn where it begins. */
const lastDrawn = ({ isBar, first, last }: Shown): Day => (isBar ? last : first)

/** The part of each event that lies in a week, in columns from 0 to 7. */
const stretchesIn = (week: readonly Day[], desk: Desk): Stretch[] => {
  const [first, last] = [week[0], week[6]]
  if (!first || !last) return []
  const { ghost } = desk.mover
  return [
    ...desk.shown.map((shown) => ({ shown, ghost: false })),
    ...(ghost ? [{ shown: ghost, ghost: true }] : []),
  ]
    .filter(({ shown }) => daysBetween(first, shown.last) >= 0 && daysBetween(shown.first, last) >= 0)
    .map(({ shown, ghost: isGhost }) => ({
      shown,
      ghost: isGhost,
      from: Math.max(0, daysBetween(first, shown.first)),
      to: Math.min(7, daysBetween(first, lastDrawn(shown)) + 1),
    }))
    .filter(({ from, to }) => from < to)
}

const MonthChip = ({
  desk,
  entry,
  lane,
  week,
}: {
  desk: Desk
  entry: Stretch
  lane: number
  week: readonly Day[]
}) => {
  const { shown, ghost, from, to } = entry
  const { isBar } = shown
  const isLast = week[to - 1] !== undefined && isSameDay(week[to - 1] as Day, lastDrawn(shown))
  const isFirst = week[from] !== undefined && isSameDay(week[from] as Day, shown.first)
  return (
    <Chip
      shown={shown}
      form={isBar ? 'bar' : 'line'}
      label={desk.labelOf(shown)}
      time={shown.event.allDay || !isFirst ? null : desk.time(shown.event.start)}
      style={{ gridColumn: `${from + 1} / ${to + 1}`, gridRow: lane + 2 }}
      from={!isFirst}
      to={!isLast}
      ghost={ghost}
      carried={!ghost && desk.mover.carried === shown.key}
      onOpen={() => desk.open(shown)}
      onPress={(down) => desk.mover.press(down, shown, 'whole', null)}
      {...(isBar &&
        isLast && { onStretch: (down: PointerEvent) => desk.mover.press(down, shown, 'end', null) })}
      {...keysOf(desk, shown, false)}
    />
  )
}

interface WeekProps {
  desk: Desk
  week: readonly Day[]
  lanes: number
  selected: { first: Day; last: Day } | null
  onPull: (down: PointerEvent, day: Day) => void
}

const Week = ({ desk, week, lanes, selected, onPull }: WeekProps) => {
  const entries = packLanes(stretchesIn(week, desk))
  /** Where more lie below each other than there is room for, the last line says how many more. */
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
          selected && daysBetween(selected.first, day) >= 0 && daysBetween(day, selected.last) >= 0
        return (
          <li key={day.toString()}>
            {/* biome-ignore lint/a11y/noStaticElementInteractions: those who type make events with `n`, on the day that has the focus */}
            {/* biome-ignore lint/a11y/useKeyWithClickEvents: as above */}
            <div
              className="month-day"
              {...dayMark(day)}
              data-outside={day.month !== desk.day.month}
              data-selected={isSelected === true}
              style={{ gridColumn: column + 1 }}
              onPointerDown={(down) => onPull(down, day)}
              onClick={() => desk.create({ allDay: false, day, from: null, to: null })}
            />
            <div className="month-number" style={{ gridColumn: column + 1 }}>
              <DayButton
                desk={desk}
                day={day}
                count={desk.shown.filter((entry) => touches(entry, day)).length}
              />
            </div>
            {here
              .filter((entry) => entry.from === column && !isHidden(entry))
              .map((entry) => (
                <MonthChip
                  key={`${entry.shown.key}${entry.ghost}`}
                  desk={desk}
                  entry={entry}
                  lane={entry.lane}
                  week={week}
                />
              ))}
            {hidden > 0 && (
              <button
                type="button"
                className="month-more"
                style={{ gridColumn: column + 1, gridRow: lanes + 1 }}
                aria-label={`${hidden} more on ${desk.words.long(day)}`}
                onClick={() => desk.go({ view: 'day', date: day.toString() })}
              >
                {hidden}
                <span> more</span>
              </button>
            )}
          </li>
        )
      })}
    </ol>
  )
}

export const Month = ({ desk }: { desk: Desk }) => {
  const [body, height] = useHeight<HTMLDivElement>()
  const [selected, setSelected] = useState<{ first: Day; last: Day } | null>(null)
  const weeks = Array.from({ length: desk.days.length / 7 }, (_, at) => desk.days.slice(at * 7, at * 7 + 7))
  const lanes = Math.max(FEWEST_LANES, Math.floor((height / weeks.length - NUMBER_PX) / LANE_PX))

  /** Pulled over several days it asks for an event that takes all of them. */
  const onPull = (down: PointerEvent, day: Day) => {
    if (down.button !== 0 || down.pointerType === 'touch') return
    const spanTo = (other: Day) =>
      daysBetween(day, other) >= 0 ? { first: day, last: other } : { first: other, last: day }
    let span = spanTo(day)
    followPointer(down.nativeEvent, {
      scroller: null,
      onMove: (point) => {
        const spot = spotAt(point)
        if (!spot) return
        span = spanTo(spot.day)
        setSelected(span)
      },
      onDrop: () => {
        setSelected(null)
        desk.create({ allDay: true, ...span })
      },
      onCancel: () => setSelected(null),
    })
  }
  return (
    <div className="month card">
      <div className="month-names" aria-hidden="true">
        {desk.days.slice(0, 7).map((day) => (
          <span key={day.toString()}>{desk.words.weekday(day)}</span>
        ))}
      </div>
      <div className="month-weeks" ref={body}>
        {weeks.map((week) => (
          <Week
            key={String(week[0])}
            desk={desk}
            week={week}
            lanes={lanes}
            selected={selected}
            onPull={onPull}
          />
        ))}
      </div>
    </div>
  )
}
