import { createRequire } from 'node:module'
import { type IntentModel, type PackedIntents, unpackIntents } from './classifier.ts'

const require = createRequire(import.meta.url)

const createModel = (read: () => PackedIntents): (() => IntentModel) => {
  let model: IntentModel | undefined
  return () => {
    model ??= unpackIntents(read())
    return model
  }
}

/** The trained models, each read when it is first asked: who never writes to the assistant never pays for them. */
export const MODELS = {
  hwu64: createModel(() => require('../models/hwu64.json') as PackedIntents),
  clinc150: createModel(() => require('../models/clinc150.json') as PackedIntents),
  slurp: createModel(() => require('../models/slurp.json') as PackedIntents),
}
