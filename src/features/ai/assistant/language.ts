import type { Language } from '../tools/proposals.ts'

/** In which language a person wrote; the engine is loaded with the first sentence. */
export const languageOf = async (message: string): Promise<Language> => {
  const { isGermanRequest } = await import('../../../engine/intents/request.ts')
  return isGermanRequest(message) ? 'de' : 'en'
}
