import type { Db } from '../../../database/db.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Keys, Reach } from '../keys/keys.ts'
import type { ModelTarget } from '../language-models.ts'
import { type AiSettings, MODEL_NAMES, type ModelName, type Provider } from '../providers.ts'
import { contextOf, priceOf } from './facts.ts'
import { findChoice, saveChoice } from './store.ts'

export interface Model {
  model: ModelName
  provider: Provider
  providerModel: string
  /** Null while there is no key for its provider: then the built-in engine answers. */
  target: ModelTarget | null
}

export type Models = ReturnType<typeof createModels>

/** The four models, which of them answers, and whether it can. */
export const createModels = (deps: { db: Db; clock: Clock; keys: Keys; settings: AiSettings }) => {
  const { db, clock, keys, settings } = deps

  const modelOf = (name: ModelName, reach: (provider: Provider) => Reach | null): Model => {
    const { provider, model: providerModel } = settings.models[name]
    const reached = reach(provider)
    return { model: name, provider, providerModel, target: reached && { ...reached, model: providerModel } }
  }

  const chosen = (name: string | undefined, reach: (provider: Provider) => Reach | null): ModelName =>
    MODEL_NAMES.find((known) => known === name) ??
    // Nobody has chosen: the first that can answer.
    MODEL_NAMES.find((known) => reach(settings.models[known].provider) !== null) ??
    'model_a'

  /** The one that was asked for, else the one that was chosen. */
  const find = async (wanted?: ModelName): Promise<Model> => {
    const reach = await keys.reaches()
    return modelOf(wanted ?? chosen(await findChoice(db), reach), reach)
  }

  const show = ({ model, provider, providerModel, target }: Model) => ({
    ...{ model, provider, providerModel, ready: target !== null },
    engine: target ? ('llm' as const) : ('builtin' as const),
  })

  return {
    find,

    current: async () => ({ ...show(await find()), allowed: [...MODEL_NAMES] }),

    async choose(model: ModelName) {
      await saveChoice(db, model, clock.now().toISOString())
      return { ...show(await find()), allowed: [...MODEL_NAMES] }
    },

    async list() {
      const reach = await keys.reaches()
      const active = chosen(await findChoice(db), reach)
      return MODEL_NAMES.map((name) => {
        const model = modelOf(name, reach)
        const { input, output, source } = priceOf(model.providerModel, settings.prices) ?? {}
        return {
          ...{ ...show(model), active: name === active, contextTokens: contextOf(model.providerModel) },
          price: source === undefined ? null : { input: input as number, output: output as number, source },
        }
      })
    },
  }
}
