import { useQuery } from '@tanstack/react-query'
import { ChartLine } from 'lucide-react'
import { Suspense, useMemo, useState } from 'react'
import { Link, useSearch } from 'wouter'
import * as t from '#locale/insights'
import { usePreferences } from '../../api/account.ts'
import { type Shape, unwrap } from '../../api/client.ts'
import { useClient } from '../../api/context.tsx'
import { toFormatLocale } from '../../locales/languages.ts'
import { Page } from '../../shell/page.tsx'
import { Card } from '../../ui/card.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Empty, Skeleton } from '../../ui/notice.tsx'
import { useDates } from '../../ui/time.tsx'
import { useLazy } from '../../ui/use-lazy.ts'
import { useNow } from '../../ui/use-now.ts'
import { isEmpty, type Measure, toMeasures } from './measures.ts'
import { type Interval, RANGES, type Range, rangeHref, readRange, toQuery } from './range.ts'
import './insights.css'

type History = Shape<'StatsHistory'>

/** The chart library is a separate chunk. */
const loadChart = () => import('./chart.tsx').then(({ Chart }) => ({ default: Chart }))

const RangeChoice = ({ current }: { current: Range }) => (
  <nav className="insights-ranges" aria-label={t.range}>
    {RANGES.map((range) => (
      <Link key={range} href={rangeHref(range)} aria-current={range === current ? 'true' : undefined}>
        {t.ranges[range]}
      </Link>
    ))}
  </nav>
)

interface TableProps {
  measure: Measure
  interval: Interval
  labels: readonly string[]
}

const Table = ({ measure, interval, labels }: TableProps) => (
  <table className="insights-table">
    <caption className="visually-hidden">{measure.title}</caption>
    <thead>
      <tr>
        <th scope="col">{t.periods[interval]}</th>
        {measure.series.map(({ name }) => (
          <th key={name} scope="col">
            {name}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {labels.map((label, index) => (
        <tr key={label}>
          <th scope="row">{label}</th>
          {measure.series.map(({ name, values }) => (
            <td key={name}>{measure.format(values[index] ?? null)}</td>
          ))}
        </tr>
      ))}
    </tbody>
    <tfoot>
      <tr>
        <th scope="row">{t.total}</th>
        {measure.series.map(({ name, total }) => (
          <td key={name}>{measure.format(total)}</td>
        ))}
      </tr>
    </tfoot>
  </table>
)

/** Formats the first day of an interval. */
const createLabel = (locale: string, interval: Interval) => {
  const format = new Intl.DateTimeFormat(locale, {
    timeZone: 'UTC',
    month: 'short',
    ...(interval === 'month' ? { year: 'numeric' } : { day: 'numeric' }),
  })
  return ({ date }: { date: string }): string => format.format(new Date(`${date}T00:00:00Z`))
}

interface ChartsProps {
  history: History
  isTable: boolean
}

const Charts = ({ history, isTable }: ChartsProps) => {
  const Chart = useLazy(loadChart)
  const locale = toFormatLocale(usePreferences().data?.value.locale)
  const { interval } = history
  // Stable values: a new array would create the charts again.
  const measures = useMemo(() => toMeasures(history, locale), [history, locale])
  const labels = useMemo(
    () => history.intervals.map(createLabel(locale, history.interval)),
    [history, locale],
  )
  return (
    <div className="insights-charts">
      {measures.map((measure) => (
        <Card key={measure.id} title={measure.title} about={measure.about}>
          {isEmpty(measure) ? (
            <Empty icon={ChartLine} title={t.noData}>
              {interval !== 'month' && <p>{t.noDataHelp}</p>}
            </Empty>
          ) : (
            <>
              {!isTable && (
                <Suspense fallback={<Skeleton lines={5} />}>
                  <Chart measure={measure} labels={labels} />
                </Suspense>
              )}
              <div className={isTable ? undefined : 'visually-hidden'}>
                <Table measure={measure} interval={interval} labels={labels} />
              </div>
            </>
          )}
        </Card>
      ))}
    </div>
  )
}

export const Insights = () => {
  const client = useClient()
  const range = readRange(useSearch())
  const { dayOf } = useDates()
  const today = dayOf(useNow())
  const [isTable, setIsTable] = useState(false)
  const query = toQuery(range, today)
  const history = useQuery({
    queryKey: ['stats', 'history', query],
    queryFn: ({ signal }) => unwrap(client.GET('/api/stats/history', { params: { query }, signal })),
  })
  return (
    <Page title={t.insights} about={t.about}>
      <div className="insights-bar">
        <RangeChoice current={range} />
        <label className="insights-switch">
          <input
            type="checkbox"
            role="switch"
            aria-checked={isTable}
            checked={isTable}
            onChange={(event) => setIsTable(event.currentTarget.checked)}
          />
          {t.showAsTable}
        </label>
      </div>
      <Loaded query={history} lines={8}>
        {(data) => <Charts history={data} isTable={isTable} />}
      </Loaded>
    </Page>
  )
}
