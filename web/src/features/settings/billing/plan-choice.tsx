import { useQuery } from '@tanstack/react-query'
import { unwrap } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { describeError } from '../../../api/problem.ts'
import { Button } from '../../../ui/button.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { useNotify } from '../../../ui/toast.tsx'
import { priceOf } from './price.ts'

/** Available plans. The user pays at the provider and is redirected back. */
export const PlanChoice = () => {
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
