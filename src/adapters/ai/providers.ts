import { createRequire } from 'node:module'
import type { LanguageModelV4 } from '@ai-sdk/provider'
import type { ModelTarget } from '../../features/ai/language-models.ts'

/** Some hundred files each: loaded with the first request to that provider. */
const require = createRequire(import.meta.url)

type Fetch = typeof fetch

/**
 * A model as the AI SDK knows it. Key and address are always given: left out, the libraries would look in the environment
 * for others. OpenAI is spoken to in Chat Completions, where nothing is kept there unless one asks for it.
 */
export const openModel = ({ provider, model, key, baseUrl }: ModelTarget, fetch: Fetch): LanguageModelV4 => {
  const given = { apiKey: key ?? '', baseURL: baseUrl, fetch }
  switch (provider) {
    case 'openai': {
      const { createOpenAI } = require('@ai-sdk/openai') as typeof import('@ai-sdk/openai')
      return createOpenAI(given).chat(model)
    }
    case 'anthropic': {
      const { createAnthropic } = require('@ai-sdk/anthropic') as typeof import('@ai-sdk/anthropic')
      return createAnthropic(given)(model)
    }
    case 'google': {
      const { createGoogle } = require('@ai-sdk/google') as typeof import('@ai-sdk/google')
      return createGoogle(given)(model)
    }
    case 'openai-compatible': {
      const { createOpenAICompatible } =
        require('@ai-sdk/openai-compatible') as typeof import('@ai-sdk/openai-compatible')
      const { apiKey, ...rest } = given
      const options = { ...rest, name: 'compatible', includeUsage: true, ...(apiKey !== '' && { apiKey }) }
      return createOpenAICompatible(options).chatModel(model)
    }
  }
}

/** Who we are to a provider, in its own header. */
export const credentialHeaders = ({
  provider,
  key,
}: Pick<ModelTarget, 'provider' | 'key'>): Record<string, string> => {
  if (key === null) return {}
  if (provider === 'anthropic') return { 'x-api-key': key, 'anthropic-version': '2023-06-01' }
  return provider === 'google' ? { 'x-goog-api-key': key } : { authorization: `Bearer ${key}` }
}
