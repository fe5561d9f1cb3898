import { createRequire } from 'node:module'
import { type Linear, type PackedLinear, unpackLinear } from '../learning/linear.ts'

const require = createRequire(import.meta.url)

const createModel = (read: () => PackedLinear): (() => Linear) => {
  let model: Linear | undefined
  return () => {
    model ??= unpackLinear(read())
    return model
  }
}

/** The trained models, each read when it is first asked: who never writes to the assistant never pays for them. */
export const MODELS = {
  hwu64: createModel(() => require('../models/hwu64.json') as PackedLinear),
  clinc150: createModel(() => require('../models/clinc150.json') as PackedLinear),
  slurp: createModel(() => require('../models/slurp.json') as PackedLinear),
}
