import Type from 'typebox'
import type { Outbound } from '../../platform/outbound/port.ts'
import type { FeatureRoutes, Platform } from '../../platform/platform.ts'
import type { Activity } from '../auth/activity.ts'
import { createModels } from './catalog.ts'
import { askerOf, createStructuredAnswers } from './consultation.ts'
import { aiPart } from './data-part.ts'
import { createTextGenerator } from './generate.ts'
import { Keys } from './keys.ts'
import type { AiSettings, LanguageModels } from './language-models.ts'
import { localModelRoutes, modelTestRoutes } from './local-model-routes.ts'
import { LocalModelServers, type LocalServer } from './local-servers.ts'
import { createModelRouter } from './model-router.ts'
import { createModelTester } from './model-test.ts'
import { generateRoutes, keyRoutes, modelRoutes, usageRoutes } from './routes.ts'
import { answerMetaFields, ModelField } from './schema.ts'
import { createUsageTracker } from './usage.ts'

export interface AiProviders {
  /** Default: the default addresses of known model servers. */
  localModelServers?: readonly LocalServer[]
  languageModels: (outbound: Pick<Outbound, 'fetch'>, settings: { timeoutMs: number }) => LanguageModels
}

export const createModelsFeature = (
  { db, clock, log, sealer, outbound }: Platform,
  providers: AiProviders,
  needs: {
    settings: AiSettings
    activity: Activity
    zoneOf: (userId: number) => Promise<string>
  },
) => {
  const { settings, activity, zoneOf } = needs
  const languageModels = providers.languageModels(outbound, settings)
  const localServers = new LocalModelServers(outbound, providers.localModelServers)
  const keys = new Keys({ db, clock, sealer, activity, languageModels, settings, localServers })
  const models = createModels({ db, clock, keys, settings })
  const usage = createUsageTracker({ db, clock, log, zoneOf, settings })
  const modelRouter = createModelRouter({ models, usage, languageModels, settings })
  const structuredAnswers = createStructuredAnswers({ modelRouter })
  const textGenerator = createTextGenerator({ modelRouter })
  const routes: FeatureRoutes[] = [
    { prefix: '/api', plugin: modelRoutes(models) },
    { prefix: '/api/ai', plugin: localModelRoutes(localServers, keys, models) },
    { prefix: '/api/ai', plugin: modelTestRoutes(createModelTester({ modelRouter })) },
    { prefix: '/api/api-keys', plugin: keyRoutes(keys) },
    { prefix: '/api/ai', plugin: usageRoutes(usage) },
    { prefix: '/api/ai', plugin: generateRoutes(textGenerator) },
  ]
  const { figures, prune, settled, perDay } = usage
  return {
    keys,
    models,
    modelRouter,
    structuredAnswers,
    part: aiPart,
    routes,
    figures,
    prune,
    settled,
    usagePerDay: perDay,
    /** For other features that ask a model. */
    answers: { made: answerMetaFields, model: { model: Type.Optional(ModelField) }, askerOf },
  }
}
