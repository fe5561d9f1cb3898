import { isGermanText } from '../intents/german-words.ts'
import { isFrequentIn } from '../language.ts'
import { findPhrases, type Language, tokenize } from '../lexicon/lexicon.ts'

/** Words of both languages. */
const EITHER = /^(?:was|am|an|in|so|die|war|hat|man|will|mail|mails|email|code|name|ok|okay|hi|hey|oh)$/u

/** Returns the language of a message. Returns undefined if its words do not tell, as in "ok" or a name alone. */
export const readLanguage = (message: string): Language | undefined => {
  const tokens = tokenize(message)
  const covered = (language: Language): Set<number> =>
    new Set(findPhrases(tokens, language).flatMap(({ at }) => at))
  const [english, german] = [covered('en'), covered('de')]
  let balance = 0
  for (const [at, { text }] of tokens.entries()) {
    const word = text.toLowerCase()
    if (EITHER.test(word)) continue
    balance += Number(isFrequentIn(word, 'de')) - Number(isFrequentIn(word, 'en'))
    balance += Number(german.has(at) && !english.has(at)) - Number(english.has(at) && !german.has(at))
    balance += Number(/[äöüß]/u.test(word))
  }
  if (balance === 0) return isGermanText(message) ? 'de' : undefined
  return balance > 0 ? 'de' : 'en'
}
