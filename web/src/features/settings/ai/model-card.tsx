import { useQuery, useQueryClient } from '@tanstack/react-query'
import { unwrap } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { describeError } from '../../../api/problem.ts'
import { Card, Tag } from '../../../ui/card.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { useNotify } from '../../../ui/toast.tsx'
import { titleOf } from './providers.ts'

export const ModelCard = () => {
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
