import { useQuery, useQueryClient } from '@tanstack/react-query'
import { unwrap } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { describeError } from '../../../api/problem.ts'
import { Page } from '../../../shell/page.tsx'
import { Card, Tag } from '../../../ui/card.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { useNotify } from '../../../ui/toast.tsx'
import { KeysCard } from './keys-card.tsx'
import { titleOf } from './providers.ts'

const dollars = (amount: number): string =>
  new Intl.NumberFormat(undefined, { style: 'currency', currency: 'USD', maximumFractionDigits: 4 }).format(
    amount,
  )

const SpendingCard = () => {
  const client = useClient()
  const query = useQuery({
    queryKey: ['ai-usage'],
    queryFn: () => unwrap(client.GET('/api/ai/usage', { params: { query: { days: 30 } } })),
  })
  return (
    <Card id="spending" title="Spending" about="AI requests and cost today.">
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

const ModelCard = () => {
  const client = useClient()
  const queries = useQueryClient()
  const notify = useNotify()
  const query = useQuery({ queryKey: ['ai-models'], queryFn: () => unwrap(client.GET('/api/ai/models')) })
  const choose = async (model: 'model_a' | 'model_b' | 'model_c' | 'model_d') => {
    try {
      const chosen = await unwrap(client.POST('/api/ai-model', { body: { model } }))
      notify(
        chosen.ready
          ? `${chosen.providerModel} answers from now on.`
          : `${chosen.providerModel} has no key yet: the built-in engine answers.`,
      )
    } catch (error) {
      notify(describeError(error), { failed: true })
    }
    await queries.invalidateQueries({ queryKey: ['ai-models'] })
  }
  return (
    <Card id="model" title="Model" about="The one that answers, unless a request names another.">
      <Loaded query={query} lines={4}>
        {({ models }) => (
          <fieldset className="ai-models">
            <legend className="only-heard">Model</legend>
            {models.map(({ model, provider, providerModel, ready, active }) => (
              <label key={model}>
                <input
                  type="radio"
                  name="model"
                  value={model}
                  checked={active}
                  onChange={() => void choose(model)}
                />
                <span className="row-title">{providerModel}</span>
                <span className="ai-model-provider">{titleOf(provider)}</span>
                <Tag tone={ready ? 'good' : 'plain'}>{ready ? 'Ready' : 'No key'}</Tag>
              </label>
            ))}
          </fieldset>
        )}
      </Loaded>
    </Card>
  )
}

export const AiSection = () => (
  <Page
    title="AI"
    within="Settings"
    about="Which model answers, with whose key, and what it costs. Without a key the built-in engine answers; it never leaves this machine."
  >
    <ModelCard />
    <KeysCard />
    <SpendingCard />
  </Page>
)
