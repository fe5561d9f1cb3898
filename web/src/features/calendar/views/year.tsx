import { MonthGrid } from '../picker/month-grid.tsx'
import type { ViewContext } from './view-context.ts'
import './year.css'

/** The number of events per day, as YYYY-MM-DD. */
const countEvents = ({ days, displayedEvents }: ViewContext): ReadonlyMap<string, number> => {
  const counts = new Map(days.map((day) => [day.toString(), 0]))
  for (const { first, last } of displayedEvents) {
    const count = Math.min(first.until(last).days, days.length) + 1
    for (let at = 0; at < count; at++) {
      const day = first.add({ days: at }).toString()
      const known = counts.get(day)
      if (known !== undefined) counts.set(day, known + 1)
    }
  }
  return counts
}

/** Twelve small months. A day opens the day view, the name of a month the month view. */
export const Year = ({ viewContext }: { viewContext: ViewContext }) => {
  const { day, words, today, weekStart, options, go } = viewContext
  const counts = countEvents(viewContext)
  const months = Array.from({ length: 12 }, (_, at) => day.with({ month: at + 1, day: 1 }))
  return (
    <div className="card year" data-months="">
      {months.map((month) => (
        <section key={month.month} aria-label={words.month(month)}>
          <h2>
            <button type="button" onClick={() => go({ view: 'month', date: month.toString() })}>
              {words.monthLong(month)}
            </button>
          </h2>
          <MonthGrid
            month={month}
            words={words}
            weekStart={weekStart}
            today={today}
            selected={{ first: day, last: day }}
            hasWeekNumbers={options.weekNumbers}
            counts={counts}
            onSelect={(selected) => go({ view: 'day', date: selected.toString() })}
            onLeave={(next) => go({ date: next.toString() })}
          />
        </section>
      ))}
    </div>
  )
}
