import Type from 'typebox'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import type { Door, Platform } from '../../platform/platform.ts'
import type { Activity } from '../auth/activity.ts'
import { askerOf } from './asker.ts'
import { createAsking } from './asking.ts'
import { createAuditWords } from './audit-words.ts'
import { createConsulting } from './consulting.ts'
import { aiPart } from './data-part.ts'
import { createGenerating } from './generate/generate.ts'
import { generateRoutes } from './generate/routes.ts'
import { createMailAnalyzer } from './intelligence/mail-analyzer.ts'
import { createKeys } from './keys/keys.ts'
import { keyRoutes } from './keys/routes.ts'
import type { LanguageModels } from './language-models.ts'
import { madeFields } from './made-schema.ts'
import { createModels } from './models/models.ts'
import { modelRoutes } from './models/routes.ts'
import { ModelField } from './models/schema.ts'
import type { AiSettings } from './providers.ts'
import { usageRoutes } from './usage/routes.ts'
import { createUsage } from './usage/usage.ts'

export interface AiProviders {
  languageModels: (outbound: Pick<Outbound, 'fetch'>, settings: { timeoutMs: number }) => LanguageModels
}

export const createAiRoom = (
  { db, clock, log, sealer, outbound, workers }: Platform,
  providers: AiProviders,
  needs: { settings: AiSettings; activity: Activity; timezone: () => Promise<string> },
) => {
  const { settings, activity, timezone } = needs
  const languageModels = providers.languageModels(outbound, settings)
  const keys = createKeys({ db, clock, sealer, activity, languageModels, settings })
  const models = createModels({ db, clock, keys, settings })
  const usage = createUsage({ db, clock, log, timezone, settings })
  const asking = createAsking({ models, usage, languageModels, settings })
  const consulting = createConsulting({ asking })
  const generating = createGenerating({
    asking,
    analyzeMail: createMailAnalyzer(workers),
    clock,
    timezone,
  })
  const doors: Door[] = [
    { prefix: '/api', routes: modelRoutes(models) },
    { prefix: '/api/api-keys', routes: keyRoutes(keys) },
    { prefix: '/api/ai', routes: usageRoutes(usage) },
    { prefix: '/api/ai', routes: generateRoutes(generating) },
  ]
  const { figures, prune, settled, perDay } = usage
  return {
    ...{ keys, models, asking, consulting, part: aiPart, doors, figures, prune, settled },
    usagePerDay: perDay,
    rewordAudit: createAuditWords({ consulting }),
    /** For other rooms in which a model may be asked. */
    answers: { made: madeFields, model: { model: Type.Optional(ModelField) }, askerOf },
  }
}
