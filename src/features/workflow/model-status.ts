/** Which model answers, and whether it can. */
export interface ModelStatus {
  model: string
  provider: string | null
  providerModel: string | null
  ready: boolean
  engine: 'llm' | 'builtin'
  allowed: readonly string[]
}

export type ReadModelStatus = () => Promise<ModelStatus>

/** Where no models are wired in, the built-in engine answers. */
export const builtinAlone: ReadModelStatus = async () => ({
  model: 'model_a',
  provider: null,
  providerModel: null,
  ready: false,
  engine: 'builtin',
  allowed: ['model_a', 'model_b', 'model_c', 'model_d'],
})
