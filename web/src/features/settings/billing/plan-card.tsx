import { useQuery, useQueryClient } from '@tanstack/react-query'
import { CreditCard, PartyPopper } from 'lucide-react'
import { useEffect, useState } from 'react'
import { type Shape, unwrap } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { describeError } from '../../../api/problem.ts'
import { Button } from '../../../ui/button.tsx'
import { Card, Tag } from '../../../ui/card.tsx'
import { FormDialog } from '../../../ui/dialog.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { useDates } from '../../../ui/time.tsx'
import { useNotify } from '../../../ui/toast.tsx'
import { money } from './amounts.ts'

/** Formats price and billing interval. */
const priceOf = ({
  amount,
  currency,
  interval,
  intervalCount,
}: Pick<Shape<'Plan'>, 'amount' | 'currency' | 'interval' | 'intervalCount'>): string => {
  if (currency === null || interval === null) return 'Free'
  const each = intervalCount === 1 ? `a ${interval}` : `every ${intervalCount} ${interval}s`
  return amount === null ? `By use, ${each}` : `${money(amount, currency)} ${each}`
}

/** Available plans. The user pays at the provider and is redirected back. */
const PlanChoice = () => {
  const client = useClient()
  const notify = useNotify()
  const query = useQuery({
    queryKey: ['billing', 'plans'],
    queryFn: () => unwrap(client.GET('/api/settings/billing/plans')),
  })
  const subscribe = async (plan: string) => {
    try {
      window.location.assign(
        (await unwrap(client.POST('/api/settings/billing/subscribe', { body: { plan } }))).url,
      )
    } catch (error) {
      notify(describeError(error), { failed: true })
    }
  }
  return (
    <Loaded query={query}>
      {({ plans }) => (
        <ul className="rows">
          {plans
            .filter(({ interval }) => interval !== null)
            .map((plan) => (
              <li key={plan.id}>
                <div className="row-main">
                  <p className="row-title">{plan.name}</p>
                  <p className="row-notes">
                    <span>{priceOf(plan)}</span>
                    {plan.description !== '' && <span>{plan.description}</span>}
                  </p>
                </div>
                <div className="row-actions">
                  <Button
                    size="small"
                    aria-label={`Subscribe to ${plan.name}, ${priceOf(plan)}`}
                    onClick={() => void subscribe(plan.id)}
                  >
                    Subscribe
                  </Button>
                </div>
              </li>
            ))}
        </ul>
      )}
    </Loaded>
  )
}

type Plan = Shape<'CurrentPlan'>

const STATES: Partial<Record<Plan['status'], { tone: 'good' | 'warn' | 'bad'; words: string }>> = {
  active: { tone: 'good', words: 'Active' },
  trialing: { tone: 'good', words: 'On trial' },
  past_due: { tone: 'bad', words: 'Payment is overdue' },
}

const planKey = ['billing', 'plan']

const When = ({ plan }: { plan: Plan }) => {
  const { date } = useDates()
  const { subscription, managedBy } = plan
  if (managedBy === 'instance' || subscription === null)
    return <span>{plan.description || 'Everything there is.'}</span>
  if (subscription.endsAt !== null) return <span>Ends on {date(subscription.endsAt)}</span>
  return subscription.periodEnd === null ? null : <span>Renews on {date(subscription.periodEnd)}</span>
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
  const queries = useQueryClient()
  const notify = useNotify()
  const [isCancelling, setIsCancelling] = useState(false)
  const query = useQuery({
    queryKey: planKey,
    queryFn: () => unwrap(client.GET('/api/settings/billing/plan')),
  })
  const reload = () => queries.invalidateQueries({ queryKey: ['billing'] })
  const hasPaid = useCheckoutReturn(reload)

  const openPortal = async () => {
    try {
      window.location.assign((await unwrap(client.POST('/api/settings/billing/portal'))).url)
    } catch (error) {
      notify(describeError(error), { failed: true })
    }
  }
  const cancel = async () => {
    await unwrap(client.POST('/api/settings/billing/cancel', { body: {} }))
    setIsCancelling(false)
    notify('The subscription is cancelled.')
    await Promise.all([reload(), queries.invalidateQueries({ queryKey: ['activity'] })])
  }
  return (
    <Card id="plan" title="Plan">
      <Loaded query={query} lines={2}>
        {(plan) => (
          <div className="stack">
            {hasPaid && (
              <Notice tone="good" icon={PartyPopper}>
                {plan.managedBy === 'stripe'
                  ? `Thank you. You are on ${plan.name} now.`
                  : 'Thank you. The plan changes as soon as the payment is confirmed.'}
              </Notice>
            )}
            <ul className="rows">
              <li>
                <span className="row-icon">
                  <CreditCard size={18} aria-hidden="true" />
                </span>
                <div className="row-main">
                  <p className="row-title">
                    {plan.name}
                    <Tag tone={STATES[plan.status]?.tone ?? 'warn'}>
                      {STATES[plan.status]?.words ?? plan.status}
                    </Tag>
                  </p>
                  <p className="row-notes">
                    <span>{priceOf(plan)}</span>
                    <When plan={plan} />
                  </p>
                </div>
                <div className="row-actions">
                  {plan.paymentsEnabled && plan.subscription !== null && (
                    <Button size="small" onClick={() => void openPortal()}>
                      How you pay
                    </Button>
                  )}
                  {plan.canCancel && plan.subscription?.endsAt === null && (
                    <Button size="small" onClick={() => setIsCancelling(true)}>
                      Cancel
                    </Button>
                  )}
                </div>
              </li>
            </ul>
            {plan.canSubscribe && <PlanChoice />}
          </div>
        )}
      </Loaded>
      <FormDialog
        open={isCancelling}
        onClose={() => setIsCancelling(false)}
        title="Cancel the subscription"
        about="It goes on to the end of what is paid for, and is not renewed. Nothing of yours is lost."
        action="Cancel the subscription"
        alert
        danger
        onSubmit={cancel}
      />
    </Card>
  )
}
