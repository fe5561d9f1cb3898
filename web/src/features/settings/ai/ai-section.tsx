import { useQuery } from '@tanstack/react-query'
import * as t from '#locale/ai-settings'
import * as common from '#locale/shared-texts'
import { type Shape, unwrap } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { useRefetch } from '../../../api/use-refetch.ts'
import { Page } from '../../../shell/page.tsx'
import { Card, Tag } from '../../../ui/card.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { useDates } from '../../../ui/time.tsx'
import { useNotify } from '../../../ui/toast.tsx'
import { useAttempt } from '../../../ui/use-attempt.ts'
import { useAmounts } from '../billing/amounts.ts'
import { KeysCard } from './keys-card.tsx'
import { LocalModelsCard } from './local-models-card.tsx'
import { titleOf } from './providers.ts'

const DAY_MS = 86_400_000

const costOf = (days: readonly { costUsd: number }[]): number =>
  days.reduce((sum, { costUsd }) => sum + costUsd, 0)

const SpendingCard = () => {
  const client = useClient()
  const { count, dollars } = useAmounts()
  const { day, dayOf } = useDates()
  const thirtyDaysAgo = new Date(Date.now() - 30 * DAY_MS)
  const currentMonth = dayOf(new Date()).slice(0, 7)
  const query = useQuery({
    queryKey: ['ai-usage'],
    queryFn: () => unwrap(client.GET('/api/ai/usage', { params: { query: { days: 31 } } })),
  })
  return (
    <Card id="spending" title={t.spending} about={t.spendingAbout}>
      <Loaded query={query}>
        {({ today, days, limitUsd, countedUsd, pricesOf }) => (
          <dl className="ai-figures">
            <div>
              <dt>{t.today}</dt>
              <dd>
                {limitUsd === null
                  ? dollars(today.costUsd)
                  : t.spentOfLimit({ spent: dollars(today.costUsd), limit: dollars(limitUsd) })}
              </dd>
            </div>
            {today.unpriced > 0 && (
              <div>
                <dt>{t.unpricedToday}</dt>
                <dd>
                  {limitUsd === null
                    ? t.requestCount(today.unpriced)
                    : t.requestsCountedAs({ count: today.unpriced, cost: dollars(countedUsd) })}
                </dd>
              </div>
            )}
            <div>
              <dt>{t.requestsToday}</dt>
              <dd>{count(today.requests)}</dd>
            </div>
            <div>
              <dt>{t.thisMonth}</dt>
              <dd>{dollars(costOf(days.filter((each) => each.day.startsWith(currentMonth))))}</dd>
            </div>
            <div>
              <dt>{t.last30Days}</dt>
              <dd>{dollars(costOf(days.filter((each) => each.day > dayOf(thirtyDaysAgo))))}</dd>
            </div>
            <div>
              <dt>{t.prices}</dt>
              <dd>{t.priceList(day(pricesOf))}</dd>
            </div>
          </dl>
        )}
      </Loaded>
    </Card>
  )
}

type Model = Shape<'AiModel'>

const ModelCard = () => {
  const client = useClient()
  const changed = useRefetch(['ai-models'])
  const notify = useNotify()
  const attempt = useAttempt()
  const query = useQuery({ queryKey: ['ai-models'], queryFn: () => unwrap(client.GET('/api/ai/models')) })
  const choose = async (model: Model['model'], previous?: Model['model']) => {
    await attempt(async () => {
      const { ready, providerModel } = await unwrap(client.POST('/api/ai-model', { body: { model } }))
      notify(ready ? t.modelSelected(providerModel) : t.modelWithoutKey(providerModel), {
        ...(previous && { undo: () => void choose(previous) }),
      })
    })
    await changed()
  }
  return (
    <Card id="model" title={t.model} about={t.modelAbout}>
      <Loaded query={query} lines={4}>
        {({ models }) => (
          <fieldset className="ai-models">
            <legend className="visually-hidden">{t.model}</legend>
            {models.map(({ model, provider, providerModel, ready, active }) => (
              <label key={model}>
                <input
                  type="radio"
                  name="model"
                  value={model}
                  checked={active}
                  onChange={() => void choose(model, models.find((one) => one.active)?.model)}
                />
                <span className="row-title">{providerModel}</span>
                <span className="ai-model-provider">{titleOf(provider)}</span>
                <Tag tone={ready ? 'good' : 'plain'}>{ready ? t.ready : t.noKey}</Tag>
              </label>
            ))}
          </fieldset>
        )}
      </Loaded>
    </Card>
  )
}

export const AiSection = () => (
  <Page title={t.title} within={common.settings} about={t.about}>
    <ModelCard />
    <KeysCard />
    <LocalModelsCard />
    <SpendingCard />
  </Page>
)
