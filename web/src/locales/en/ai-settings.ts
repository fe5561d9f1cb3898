import { formatNumber, plural } from '../format.ts'

export const title = 'AI'
export const about = 'Models, keys and costs. Without a key, the built-in assistant answers on this server.'

export const model = 'Model'
export const modelAbout = 'Default for all requests'
export const modelSelected = (name: string) => `${name} answers from now on.`
export const modelWithoutKey = (name: string) =>
  `${name} has no key yet. The built-in assistant answers until you add one.`
export const ready = 'Ready'
export const noKey = 'No key'

export const keys = 'Provider keys'
export const keysAbout = 'Stored encrypted and never shown again.'
export const providers = {
  openai: 'OpenAI',
  anthropic: 'Anthropic',
  google: 'Google',
  'openai-compatible': 'Your own server',
}
export const keySources = {
  runtime: 'Added here',
  environment: 'Set by the server administrator',
  none: 'No key',
} satisfies Record<'runtime' | 'environment' | 'none', string>
export const verified = 'Verified'
export const notVerified = 'Not verified'
export const addKey = 'Add key'
export const addKeyFor = (provider: string) => `Add key for ${provider}`
export const replaceKey = 'Replace'
export const replaceKeyFor = (provider: string) => `Replace key for ${provider}`
export const verifyKeyFor = (provider: string) => `Verify key for ${provider}`
export const deleteKeyFor = (provider: string) => `Delete key for ${provider}`
export const deleteKeyTitle = (provider: string) => `Delete the key for ${provider}?`
export const deleteKeyAbout = 'Its models stop answering.'
export const deleteKey = 'Delete key'
export const keyDeleted = (provider: string) => `Key for ${provider} deleted`
export const keyAccepted = (provider: string) => `${provider} accepted the key`
export const keySaved = 'Key saved'
export const keyTitle = (provider: string) => `Key for ${provider}`
export const keyAbout = 'We verify the key with the provider.'
export const key = 'Key'
export const address = 'API address'
export const ownServerHint = 'For example http://127.0.0.1:11434 for Ollama'
export const addressHint = 'Leave empty for the default'

export const localModels = 'Local models'
export const localModelsAbout =
  'Model servers on the machine of Factotum. With several instances, each one uses its own machine.'
export const findLocalModels = 'Look for local models'
export const localServers = {
  ollama: 'Ollama',
  'llama.cpp': 'llama.cpp',
  'lm-studio': 'LM Studio',
  vllm: 'vLLM',
}
export const searchResults = {
  found: 'Found',
  not_running: 'Not running',
  timeout: 'No answer in time',
  needs_key: 'Requires a key',
  no_model_server: 'Another program',
}
export const noLocalModels = 'No models. Download one first.'
export const modelOf = (server: string) => `Model of ${server}`
export const chooseModel = 'Use'
export const chooseModelOf = (server: string) => `Use the model of ${server}`
export const testModel = 'Test the selected model'
export const testAnswer = ({ model, text }: { model: string; text: string }) => `${model} answered: ${text}`
export const testTools = {
  used: 'It can use tools, so the assistant can look things up.',
  unused: 'It did not use the tool. The assistant may not look things up.',
  missing: 'It does not support tools. The assistant cannot look anything up or change anything.',
}
export const testJson = 'It can answer in JSON, which mail analysis needs.'
export const testNoJson = 'It does not answer in JSON. The built-in analysis reads your mail.'

export const spending = 'Spending'
export const spendingAbout = 'AI requests and costs'
export const today = 'Today'
export const spentOfLimit = ({ spent, limit }: { spent: string; limit: string }) => `${spent} of ${limit}`
export const unpricedToday = 'Unknown price today'
export const requestCount = (count: number) =>
  plural(count, { one: '1 request', other: `${formatNumber(count)} requests` })
export const requestsCountedAs = ({ count, cost }: { count: number; cost: string }) =>
  plural(count, {
    one: `1 request; today counts as ${cost} towards the limit`,
    other: `${formatNumber(count)} requests; today counts as ${cost} towards the limit`,
  })
export const requestsToday = 'Requests today'
export const thisMonth = 'This month'
export const last30Days = 'Last 30 days'
export const prices = 'Prices'
export const priceList = (date: string) => `Price list of ${date}`
