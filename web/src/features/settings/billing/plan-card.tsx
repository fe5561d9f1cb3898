import { useQuery } from '@tanstack/react-query'
import { CreditCard, PartyPopper } from 'lucide-react'
import { useEffect, useState } from 'react'
import * as t from '#locale/billing'
import { type Shape, unwrap } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { useRefetch } from '../../../api/use-refetch.ts'
import { Button } from '../../../ui/button.tsx'
import { Card, Tag } from '../../../ui/card.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { FormPopover } from '../../../ui/popover.tsx'
import { Row } from '../../../ui/rows.tsx'
import { useDates } from '../../../ui/time.tsx'
import { useNotify } from '../../../ui/toast.tsx'
import { useAttempt } from '../../../ui/use-attempt.ts'
import { useAmounts } from './amounts.ts'

type Price = Pick<Shape<'Plan'>, 'amount' | 'currency' | 'interval' | 'intervalCount'>

/** Formats price and billing interval. */
const usePrices = () => {
  const { money } = useAmounts()
  return ({ amount, currency, interval, intervalCount }: Price): string => {
    if (currency === null || interval === null) return t.free
    return amount === null
      ? t.usageBased
      : t.prices[interval]({ amount: money(amount, currency), count: intervalCount })
  }
}

/** Available plans. The user pays at the provider and is redirected back. */
const PlanChoice = () => {
  const client = useClient()
  const attempt = useAttempt()
  const priceOf = usePrices()
  const query = useQuery({
    queryKey: ['billing', 'plans'],
    queryFn: () => unwrap(client.GET('/api/settings/billing/plans')),
  })
  const subscribe = (plan: string) =>
    attempt(async () => {
      const { url } = await unwrap(client.POST('/api/settings/billing/subscribe', { body: { plan } }))
      window.location.assign(url)
    })
  return (
    <Loaded query={query}>
      {({ plans }) => (
        <ul className="rows">
          {plans
            .filter(({ interval }) => interval !== null)
            .map((plan) => (
              <Row
                key={plan.id}
                title={plan.name}
                actions={
                  <Button
                    size="small"
                    aria-label={t.subscribeTo({ name: plan.name, price: priceOf(plan) })}
                    onClick={() => void subscribe(plan.id)}
                  >
                    {t.subscribe}
                  </Button>
                }
              >
                <p className="row-notes">
                  <span>{priceOf(plan)}</span>
                  {plan.description !== '' && <span>{plan.description}</span>}
                </p>
              </Row>
            ))}
        </ul>
      )}
    </Loaded>
  )
}

type Plan = Shape<'CurrentPlan'>

const TONES: Partial<Record<Plan['status'], 'good' | 'bad'>> = {
  active: 'good',
  trialing: 'good',
  past_due: 'bad',
  unpaid: 'bad',
}

/** The name of the built-in plan is translated; the provider names the others. */
const nameOf = ({ id, name }: Plan): string => (id === 'self-hosted' ? t.selfHosted : name)

const planKey = ['billing', 'plan']

const When = ({ plan }: { plan: Plan }) => {
  const { date } = useDates()
  const { subscription, managedBy } = plan
  if (plan.id === 'self-hosted') return <span>{t.selfHostedAbout}</span>
  if (managedBy === 'instance' || subscription === null) return <span>{plan.description}</span>
  if (subscription.endsAt !== null) return <span>{t.endsOn(date(subscription.endsAt))}</span>
  return subscription.periodEnd === null ? null : <span>{t.renewsOn(date(subscription.periodEnd))}</span>
}

/** Refreshes the plan after checkout, without waiting for the provider's webhook. */
const useCheckoutReturn = (reload: () => Promise<void>): boolean => {
  const client = useClient()
  const [hasPaid] = useState(() => new URLSearchParams(window.location.search).get('checkout') === 'done')
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once after the return from checkout
  useEffect(() => {
    if (hasPaid)
      void client
        .POST('/api/settings/billing/refresh')
        .catch(() => undefined)
        .then(reload)
  }, [hasPaid])
  return hasPaid
}

export const PlanCard = () => {
  const client = useClient()
  const notify = useNotify()
  const attempt = useAttempt()
  const priceOf = usePrices()
  const query = useQuery({
    queryKey: planKey,
    queryFn: () => unwrap(client.GET('/api/settings/billing/plan')),
  })
  const reload = useRefetch(['billing'])
  const changed = useRefetch(['billing'], ['activity'])
  const hasPaid = useCheckoutReturn(reload)

  const openPortal = () =>
    attempt(async () => {
      const { url } = await unwrap(client.POST('/api/settings/billing/portal'))
      window.location.assign(url)
    })
  const cancel = async () => {
    await unwrap(client.POST('/api/settings/billing/cancel', { body: {} }))
    notify(t.subscriptionCancelled)
    await changed()
  }
  return (
    <Card id="plan" title={t.plan}>
      <Loaded query={query} lines={2}>
        {(plan) => (
          <div className="stack">
            {hasPaid && (
              <Notice tone="good" icon={PartyPopper}>
                {plan.managedBy === 'stripe' ? t.thanksForPlan(nameOf(plan)) : t.thanksForPayment}
              </Notice>
            )}
            <ul className="rows">
              <Row
                icon={CreditCard}
                title={nameOf(plan)}
                tags={<Tag tone={TONES[plan.status] ?? 'warn'}>{t.planStatuses[plan.status]}</Tag>}
                actions={
                  <>
                    {plan.paymentsEnabled && plan.subscription !== null && (
                      <Button size="small" onClick={() => void openPortal()}>
                        {t.paymentMethod}
                      </Button>
                    )}
                    {plan.canCancel && plan.subscription?.endsAt === null && (
                      <FormPopover
                        align="end"
                        trigger={<Button size="small">{t.cancelSubscription}</Button>}
                        title={t.cancelSubscriptionTitle}
                        about={t.cancelSubscriptionAbout}
                        action={t.cancelSubscription}
                        danger
                        onSubmit={cancel}
                      />
                    )}
                  </>
                }
              >
                <p className="row-notes">
                  <span>{priceOf(plan)}</span>
                  <When plan={plan} />
                </p>
              </Row>
            </ul>
            {plan.canSubscribe && <PlanChoice />}
          </div>
        )}
      </Loaded>
    </Card>
  )
}
