/** Status of the selected model. */
export interface ModelStatus {
  model: string
  provider: string | null
  providerModel: string | null
  ready: boolean
  engine: 'llm' | 'builtin'
  allowed: readonly string[]
}

export type ReadModelStatus = () => Promise<ModelStatus>
