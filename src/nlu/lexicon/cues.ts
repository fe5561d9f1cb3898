import { readFileSync } from 'node:fs'
import { fold, type Language } from './lexicon.ts'

const FILES: Readonly<Record<Language, URL>> = {
  en: new URL('./cues.en.txt', import.meta.url),
  de: new URL('./cues.de.txt', import.meta.url),
}

const readCues = (language: Language): ReadonlyMap<string, string> => {
  const cues = new Map<string, string>()
  let cue = ''
  for (const line of readFileSync(FILES[language], 'utf8').split('\n')) {
    const heading = /^\[(\w+)\]$/.exec(line)?.[1]
    if (heading) cue = heading
    else if (line !== '' && !line.startsWith('#')) cues.set(fold(line), cue)
  }
  return cues
}

const loaded = new Map<Language, ReadonlyMap<string, string>>()

/** Words that introduce an argument or name a kind of request, with their meaning. */
export const getCues = (language: Language): ReadonlyMap<string, string> => {
  const cues = loaded.get(language) ?? readCues(language)
  loaded.set(language, cues)
  return cues
}
