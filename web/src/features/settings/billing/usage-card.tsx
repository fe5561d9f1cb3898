import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { unwrap } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { Card } from '../../../ui/card.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { MEASURE_NAMES, MEASURES, type Measure } from './amounts.ts'
import { UsagePlot } from './usage-plot.tsx'

const DAYS = 30

export const UsageCard = () => {
  const client = useClient()
  const [measure, setMeasure] = useState<Measure>('aiCostUsd')
  const query = useQuery({
    queryKey: ['billing', 'usage'],
    queryFn: () => unwrap(client.GET('/api/settings/billing/usage', { params: { query: { days: DAYS } } })),
  })
  return (
    <Card id="usage" title="Usage" about={`What this instance used in the last ${DAYS} days.`}>
      <Loaded query={query} lines={5}>
        {({ totals, days, series, timezone }) => (
          <div className="stack">
            <fieldset className="usage-measures">
              <legend className="only-heard">What to show</legend>
              {MEASURE_NAMES.map((name) => (
                <label key={name}>
                  <input
                    type="radio"
                    name="measure"
                    value={name}
                    checked={measure === name}
                    onChange={() => setMeasure(name)}
                  />
                  <span className="quiet small">{MEASURES[name].label}</span>
                  <strong>{MEASURES[name].write(totals[name])}</strong>
                </label>
              ))}
            </fieldset>
            <UsagePlot
              measure={measure}
              days={days.map(({ day }) => day)}
              values={series.find((one) => one.measure === measure)?.values ?? []}
            />
            <p className="quiet small">
              Days begin at midnight in {timezone}.
              {totals.aiUnpriced > 0 &&
                ` The price of ${totals.aiUnpriced} AI requests is not known: they are not in the cost.`}
            </p>
          </div>
        )}
      </Loaded>
    </Card>
  )
}
