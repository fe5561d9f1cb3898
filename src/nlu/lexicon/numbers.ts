import { readSections } from './sections.ts'

const FILE = new URL('./numbers.txt', import.meta.url)

let loaded: ReadonlyMap<string, string> | undefined

/** Number words with their digits. Words of lengths, such as "a few", begin with "length". */
export const getNumberWords = (): ReadonlyMap<string, string> => {
  loaded ??= new Map(
    readSections(FILE).flatMap(({ heading, phrases }) => {
      const [number, prefix] = heading.split(' ').toReversed() as [string, string?]
      return phrases.map((phrase) => [prefix ? `${prefix} ${phrase}` : phrase, number] as const)
    }),
  )
  return loaded
}
