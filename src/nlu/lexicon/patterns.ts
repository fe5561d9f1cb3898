import { readSections } from './sections.ts'

/*
 * Reads phrases that are tested as one pattern: one alternative a line, in the syntax of regular expressions. The sign
 * before the name of a section tells how it matches.
 *
 * - no sign: whole words anywhere; `^`: at the beginning; `~`: whole words for `phraseFinder`
 * - `/`: the lines as they are; `*`: the same for all matches
 * - `=`: in their case; `+`: the same for all matches; `-`: for text in lower case
 *
 * In a line, `{name}` stands for a section before it, `\<` for the start of a word and `\>` for its end.
 */

const BEFORE = '(?<![\\p{L}\\d])'
const AFTER = '(?![\\p{L}\\d])'
const REFERENCE = /\{([a-z][a-z -]+)\}/g

interface Form {
  wrap(phrases: string): string
  flags: string
}

const asIs = (phrases: string): string => phrases
const FORMS: Readonly<Record<string, Form>> = {
  '': { wrap: (phrases) => `${BEFORE}(?:${phrases})${AFTER}`, flags: 'iu' },
  '^': { wrap: (phrases) => `^(?:${phrases})${AFTER}`, flags: 'iu' },
  '/': { wrap: asIs, flags: 'iu' },
  '=': { wrap: asIs, flags: 'u' },
  '+': { wrap: asIs, flags: 'gu' },
  '*': { wrap: asIs, flags: 'giu' },
  '-': { wrap: asIs, flags: '' },
  '~': { wrap: (phrases) => `\\b(?:${phrases})\\b`, flags: '' },
}

const requireList = <T>(lists: ReadonlyMap<string, T>, name: string, file: URL): T => {
  const list = lists.get(name)
  if (list === undefined) throw new Error(`${file.pathname} has no list “${name}”.`)
  return list
}

/** Reads all patterns of a file by name. */
export const compilePatterns = (file: URL): Map<string, RegExp> => {
  const sources = new Map<string, string>()
  const patterns = new Map<string, RegExp>()
  for (const { heading, phrases } of readSections(file)) {
    const [, sign = '', name = ''] = /^([\^/=+*~-]?)(.*)$/.exec(heading) ?? []
    const source = phrases
      .join('|')
      .replace(REFERENCE, (_, other) => `(?:${requireList(sources, other, file)})`)
      .replaceAll('\\<', BEFORE)
      .replaceAll('\\>', AFTER)
    const { wrap, flags } = FORMS[sign] as Form
    sources.set(name, source)
    patterns.set(name, new RegExp(wrap(source), flags))
  }
  return patterns
}

export type Patterns = (name: string) => RegExp

/** Reads a list on first use. Returns its patterns by name. */
export const loadPatterns = (file: URL): Patterns => {
  let patterns: ReadonlyMap<string, RegExp> | undefined
  return (name) => {
    patterns ??= compilePatterns(file)
    return requireList(patterns, name, file)
  }
}
