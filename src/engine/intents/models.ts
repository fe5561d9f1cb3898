import { createRequire } from 'node:module'
import { type Linear, type PackedLinear, unpackLinear } from '../learning/linear.ts'

const load = createRequire(import.meta.url)

const createModel = (read: () => PackedLinear): (() => Linear) => {
  let model: Linear | undefined
  return () => {
    model ??= unpackLinear(read())
    return model
  }
}

/** The trained models, each read when it is first asked: who never writes to the assistant never pays for them. */
export const MODELS = {
  hwu64: createModel(() => (load('../models/hwu64.ts') as { HWU64_MODEL: PackedLinear }).HWU64_MODEL),
  clinc150: createModel(
    () => (load('../models/clinc150.ts') as { CLINC150_MODEL: PackedLinear }).CLINC150_MODEL,
  ),
  slurp: createModel(() => (load('../models/slurp.ts') as { SLURP_MODEL: PackedLinear }).SLURP_MODEL),
}
