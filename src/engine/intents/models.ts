import { createRequire } from 'node:module'
import { type IntentModel, type PackedIntents, unpackIntents } from './classifier.ts'

const require = createRequire(import.meta.url)

/** What is packed is let go of: only what is made of it stays. */
const read = (path: string): PackedIntents => {
  const packed = require(path)
  delete require.cache[require.resolve(path)]
  return packed
}

const createModel = (path: string): (() => IntentModel) => {
  let model: IntentModel | undefined
  return () => {
    model ??= unpackIntents(read(path))
    return model
  }
}

/** The trained models, each read when it is first asked: who never writes to the assistant never pays for them. */
export const MODELS = {
  hwu64: createModel('../models/hwu64.json'),
  clinc150: createModel('../models/clinc150.json'),
  slurp: createModel('../models/slurp.json'),
}
