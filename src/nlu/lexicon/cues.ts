import { fold, type Language } from './lexicon.ts'
import { readSections } from './sections.ts'

const FILES: Readonly<Record<Language, URL>> = {
  en: new URL('./cues.en.txt', import.meta.url),
  de: new URL('./cues.de.txt', import.meta.url),
}

const readCues = (file: URL): ReadonlyMap<string, string> => {
  const cues = new Map<string, string>()
  for (const { heading, phrases } of readSections(file))
    for (const phrase of phrases) cues.set(fold(phrase), heading)
  return cues
}

const loaded = new Map<Language, ReadonlyMap<string, string>>()

/** Words that introduce an argument or name a kind of request, with their meaning. */
export const getCues = (language: Language): ReadonlyMap<string, string> => {
  const cues = loaded.get(language) ?? readCues(FILES[language])
  loaded.set(language, cues)
  return cues
}

let names: ReadonlyMap<string, string> | undefined

/** Given names, relatives, cities and places, with their kind. */
export const getNames = (): ReadonlyMap<string, string> => {
  names ??= readCues(new URL('./names.txt', import.meta.url))
  return names
}
