import { MEASURES, type Measure } from './amounts.ts'

const WIDTH = 600
const HEIGHT = 120
const GAP = 3

/** Formats calendar days, which have no time zone. */
const dayOf = new Intl.DateTimeFormat(undefined, { timeZone: 'UTC', day: 'numeric', month: 'short' })
const write = (day: string): string => dayOf.format(new Date(day))

interface UsagePlotProps {
  measure: Measure
  days: readonly string[]
  values: readonly number[]
}

/** Bar chart with one bar per day. A table contains the same data for screen readers. */
export const UsagePlot = ({ measure, days, values }: UsagePlotProps) => {
  const { label, write: amount } = MEASURES[measure]
  const most = Math.max(...values, 0)
  const slot = WIDTH / Math.max(1, days.length)
  const [first = '', last = ''] = [days[0], days.at(-1)]
  const summary = `${label} from ${write(first)} to ${write(last)}: ${amount(most)} at most on a day.`
  return (
    <figure className="usage-plot">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={summary} preserveAspectRatio="none">
        <line x1="0" y1={HEIGHT - 0.5} x2={WIDTH} y2={HEIGHT - 0.5} />
        {values.map((value, index) => {
          const height = most === 0 ? 0 : (value / most) * (HEIGHT - 8)
          const day = days[index] ?? ''
          return (
            <rect
              key={day}
              x={index * slot + GAP / 2}
              y={HEIGHT - height}
              width={Math.max(1, slot - GAP)}
              height={height}
              rx="2"
            >
              <title>{`${write(day)}: ${amount(value)}`}</title>
            </rect>
          )
        })}
      </svg>
      <figcaption className="usage-span quiet small">
        <span>{write(first)}</span>
        <span>{most === 0 ? 'Nothing in these days' : `At most ${amount(most)}`}</span>
        <span>{write(last)}</span>
      </figcaption>
      <details>
        <summary>{label} as a table</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard */}
        <section className="usage-table" aria-label={`${label}, day by day`} tabIndex={0}>
          <table>
            <thead>
              <tr>
                <th scope="col">Day</th>
                <th scope="col">{label}</th>
              </tr>
            </thead>
            <tbody>
              {days.map((day, index) => (
                <tr key={day}>
                  <th scope="row">{write(day)}</th>
                  <td>{amount(values[index] ?? 0)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      </details>
    </figure>
  )
}
