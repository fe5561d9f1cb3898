import { useQuery } from '@tanstack/react-query'
import { unwrap } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { Card } from '../../../ui/card.tsx'
import { Loaded } from '../../../ui/loaded.tsx'

const dollars = (amount: number): string =>
  new Intl.NumberFormat(undefined, { style: 'currency', currency: 'USD', maximumFractionDigits: 4 }).format(
    amount,
  )

export const SpendingCard = () => {
  const client = useClient()
  const query = useQuery({
    queryKey: ['ai-usage'],
    queryFn: () => unwrap(client.GET('/api/ai/usage', { params: { query: { days: 30 } } })),
  })
  return (
    <Card id="spending" title="Spending" about="What the models were asked today, and what it cost.">
      <Loaded query={query}>
        {({ today, days, limitUsd, countedUsd, pricesOf }) => (
          <dl className="ai-figures">
            <div>
              <dt>Today</dt>
              <dd>
                {dollars(today.costUsd)}
                {limitUsd !== null && ` of ${dollars(limitUsd)}`}
              </dd>
            </div>
            {today.unpriced > 0 && (
              <div>
                <dt>Of unknown cost today</dt>
                <dd>
                  {today.unpriced} {today.unpriced === 1 ? 'request' : 'requests'}
                  {limitUsd !== null && `, counted with the rest as ${dollars(countedUsd)}`}
                </dd>
              </div>
            )}
            <div>
              <dt>Requests today</dt>
              <dd>{today.requests}</dd>
            </div>
            <div>
              <dt>Last 30 days</dt>
              <dd>{dollars(days.reduce((sum, { costUsd }) => sum + costUsd, 0))}</dd>
            </div>
            <div>
              <dt>Prices of (check them)</dt>
              <dd>{pricesOf}</dd>
            </div>
          </dl>
        )}
      </Loaded>
    </Card>
  )
}
