import type { PointerEvent } from 'react'
import { Chip } from '../chip.tsx'
import { daysBetween } from '../days.ts'
import { packLanes } from '../layout.ts'
import { dayMark, keysOf, type ViewContext } from './view-context.ts'

/** All-day events as bars above the hour grid. */
export const AllDay = ({ viewContext }: { viewContext: ViewContext }) => {
  const { days } = viewContext
  const [first] = days
  if (!first) return null
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
  return (
    <>
      <div className="hours-label" id="all-day-label">
        all day
      </div>
      <div className="all-day">
        {days.map((day, column) => (
          // biome-ignore lint/a11y/noStaticElementInteractions: keyboard users create events with `n` on the focused day
          // biome-ignore lint/a11y/useKeyWithClickEvents: as above
          <div
            key={day.toString()}
            className="all-day-cell"
            {...dayMark(day)}
            style={{ gridColumn: column + 1 }}
            onClick={() => viewContext.create({ allDay: true, first: day, last: day })}
          />
        ))}
        <ul aria-labelledby="all-day-label">
          {entries.map(({ item, isGhost, from, to, lane }) => {
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
                  from={daysBetween(first, item.first) < from}
                  to={!isLast}
                  ghost={isGhost}
                  carried={!isGhost && viewContext.mover.carried === item.key}
                  onOpen={() => viewContext.open(item)}
                  onPress={(down) => viewContext.mover.press(down, item, 'whole', null)}
                  {...(isLast && {
                    onStretch: (down: PointerEvent) => viewContext.mover.press(down, item, 'end', null),
                  })}
                  {...keysOf(viewContext, item, false)}
                />
              </li>
            )
          })}
        </ul>
      </div>
    </>
  )
}
