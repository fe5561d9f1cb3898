import { readFileSync } from 'node:fs'

/** The phrases below one heading of a word list. */
export interface Section {
  heading: string
  phrases: readonly string[]
}

/** Reads a word list: headings in brackets, one phrase a line, comments after `#`. */
export const readSections = (file: URL): Section[] => {
  const sections: { heading: string; phrases: string[] }[] = []
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    if (line === '' || line.startsWith('#')) continue
    const heading = /^\[(.+)\]$/.exec(line)?.[1]
    if (heading) sections.push({ heading, phrases: [] })
    else sections.at(-1)?.phrases.push(line)
  }
  return sections
}
