import { readFileSync } from 'node:fs'
import { type IntentModel, type PackedIntents, unpackIntents } from './classifier.ts'

/** Not required as a module, which would keep the text of it beside what is made of it. */
const read = (name: string): PackedIntents =>
  JSON.parse(readFileSync(new URL(`../models/${name}.json`, import.meta.url), 'utf8'))

const createModel = (name: string): (() => IntentModel) => {
  let model: IntentModel | undefined
  return () => {
    model ??= unpackIntents(read(name))
    return model
  }
}

/** The trained models, each read when it is first asked: who never writes to the assistant never pays for them. */
export const MODELS = {
  hwu64: createModel('hwu64'),
  clinc150: createModel('clinc150'),
  slurp: createModel('slurp'),
}
