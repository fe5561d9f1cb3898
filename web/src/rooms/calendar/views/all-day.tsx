import type { PointerEvent } from 'react'
import { Chip } from '../chip.tsx'
import { daysBetween } from '../days.ts'
import { packLanes } from '../packing.ts'
import { type Desk, dayMark, keysOf } from './desk.ts'

/** What takes whole days, as bars above the hours. */
export const AllDay = ({ desk }: { desk: Desk }) => {
  const { days } = desk
  const [first] = days
  if (!first) return null
  const { ghost } = desk.mover
  const bars = [
    ...desk.shown.filter(({ isBar }) => isBar).map((shown) => ({ shown, isGhost: false })),
    ...(ghost?.isBar ? [{ shown: ghost, isGhost: true }] : []),
  ]
  const entries = packLanes(
    bars
      .map(({ shown, isGhost }) => ({
        shown,
        isGhost,
        from: Math.max(0, daysBetween(first, shown.first)),
        to: Math.min(days.length, daysBetween(first, shown.last) + 1),
      }))
      .filter(({ from, to }) => from < to),
  )
  return (
    <>
      <div className="hours-label" id="all-day-label">
        all day
      </div>
      <div className="all-day">
        {days.map((day, column) => (
          // biome-ignore lint/a11y/noStaticElementInteractions: new events are made by keys with `n`, on the day that has the focus
          // biome-ignore lint/a11y/useKeyWithClickEvents: as above
          <div
            key={day.toString()}
            className="all-day-cell"
            {...dayMark(day)}
            style={{ gridColumn: column + 1 }}
            onClick={() => desk.create({ allDay: true, first: day, last: day })}
          />
        ))}
        <ul aria-labelledby="all-day-label">
          {entries.map(({ shown, isGhost, from, to, lane }) => {
            const isLast = daysBetween(first, shown.last) + 1 === to
            return (
              <li
                key={`${shown.key}${isGhost}`}
                style={{ gridColumn: `${from + 1} / ${to + 1}`, gridRow: lane + 1 }}
              >
                <Chip
                  shown={shown}
                  form="bar"
                  label={desk.labelOf(shown)}
                  time={shown.event.allDay ? null : desk.time(shown.event.start)}
                  from={daysBetween(first, shown.first) < from}
                  to={!isLast}
                  ghost={isGhost}
                  carried={!isGhost && desk.mover.carried === shown.key}
                  onOpen={() => desk.open(shown)}
                  onPress={(down) => desk.mover.press(down, shown, 'whole', null)}
                  {...(isLast && {
                    onStretch: (down: PointerEvent) => desk.mover.press(down, shown, 'end', null),
                  })}
                  {...keysOf(desk, shown, false)}
                />
              </li>
            )
          })}
        </ul>
      </div>
    </>
  )
}
