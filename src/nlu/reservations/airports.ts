import { readSections } from '../lexicon/sections.ts'

export interface Airport {
  city: string
  timezone: string
}

const FILE = new URL('../lexicon/airports.txt', import.meta.url)

const readAirports = (): Map<string, Airport> =>
  new Map(
    readSections(FILE).flatMap(({ heading: timezone, phrases }) =>
      phrases.map((phrase) => [phrase.slice(0, 3), { city: phrase.slice(4), timezone }]),
    ),
  )

let loaded: ReadonlyMap<string, Airport> | undefined

/** Finds an airport by its IATA code. Loads the airports on the first use. */
export const findAirport = (code: string): Airport | undefined => {
  loaded ??= readAirports()
  return loaded.get(code.toUpperCase())
}
