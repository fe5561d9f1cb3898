import { fold, type Language } from './lexicon.ts'
import { readSections } from './sections.ts'

const FILES: Readonly<Record<Language, URL>> = {
  en: new URL('./cues.en.txt', import.meta.url),
  de: new URL('./cues.de.txt', import.meta.url),
}

const readCues = (language: Language): ReadonlyMap<string, string> => {
  const cues = new Map<string, string>()
  for (const { heading, phrases } of readSections(FILES[language]))
    for (const phrase of phrases) cues.set(fold(phrase), heading)
  return cues
}

const loaded = new Map<Language, ReadonlyMap<string, string>>()

/** Words that introduce an argument or name a kind of request, with their meaning. */
export const getCues = (language: Language): ReadonlyMap<string, string> => {
  const cues = loaded.get(language) ?? readCues(language)
  loaded.set(language, cues)
  return cues
}
