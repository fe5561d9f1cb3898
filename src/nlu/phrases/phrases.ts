const PREFIX_LETTERS = /^[a-z0-9ß-ÿ]+/

/** Returns the index of the matching closing bracket. */
const findClosingBracket = (source: string, open: number): number => {
  for (let depth = 0, at = open; at < source.length; at++) {
    if (source[at] === '\\') at++
    else if (source[at] === '[') at = source.indexOf(']', at)
    else if (source[at] === '(') depth++
    else if (source[at] === ')' && --depth === 0) return at
  }
  throw new Error(`Unclosed bracket in the pattern ${source}`)
}

const splitAlternatives = (source: string): string[] => {
  const alternatives: string[] = []
  let from = 0
  for (let at = 0; at < source.length; at++) {
    if (source[at] === '\\') at++
    else if (source[at] === '[') at = source.indexOf(']', at)
    else if (source[at] === '(') at = findClosingBracket(source, at)
    else if (source[at] === '|') {
      alternatives.push(source.slice(from, at))
      from = at + 1
    }
  }
  return [...alternatives, source.slice(from)]
}

const findAlternativePrefixes = (alternative: string): string[] => {
  const source = alternative.replace(/^\\b/, '')
  const letters = PREFIX_LETTERS.exec(source)?.[0]
  if (letters) {
    // The last letter is optional, as in "meetings?".
    const required = /^[?*{]/.test(source.slice(letters.length)) ? letters.slice(0, -1) : letters
    if (required !== '') return [required]
  }
  if (source.startsWith('\\d')) return [...'0123456789']
  if (source.startsWith('(?:')) {
    const close = findClosingBracket(source, 0)
    const own = findPrefixes(source.slice(3, close))
    return source[close + 1] === '?' ? [...own, ...findAlternativePrefixes(source.slice(close + 2))] : own
  }
  throw new Error(`Cannot determine the prefix of the pattern ${alternative}`)
}

/**
 * Returns the prefixes of all texts that can match a pattern. The pattern is in lower case and starts with
 * words.
 */
export const findPrefixes = (source: string): string[] =>
  splitAlternatives(source).flatMap(findAlternativePrefixes)

/*
 * Finds phrases of many patterns in one pass over a text. A global search would try every pattern at every
 * letter. Here a pattern is tried only at words that start like one of its alternatives. A word may start
 * with any letter of the patterns, such as "ö", which `\b` does not treat as a letter.
 */

interface Branch {
  /** Keyed by the code of the next letter. */
  next: Map<number, Branch>
  /** Indices of the patterns to try at this node. */
  patternIndices: number[]
}

/** Longer prefixes exclude hardly any more words. */
const MAX_PREFIX_LENGTH = 4

/** Marks the character codes that occur in words of the patterns. */
const LETTERS = Uint8Array.from({ length: 256 }, (_, code) =>
  /[a-z0-9_ß-ÿ]/.test(String.fromCharCode(code)) ? 1 : 0,
)

export type FindPhrases = (
  lowerText: string,
  visit: (pattern: number, from: number, to: number) => void,
) => void

/** Compiles lower-case patterns of the form `\b(?:one|another)\b`. The finder expects lower-case texts. */
export const phraseFinder = (patterns: readonly RegExp[]): FindPhrases => {
  const root: (Branch | undefined)[] = new Array(LETTERS.length).fill(undefined)
  const getOrCreateBranch = (branch: Branch | undefined): Branch =>
    branch ?? { next: new Map(), patternIndices: [] }
  for (const [index, { source }] of patterns.entries())
    for (const prefix of findPrefixes(source)) {
      const first = prefix.charCodeAt(0)
      let branch = getOrCreateBranch(root[first])
      root[first] = branch
      for (const letter of prefix.slice(1, MAX_PREFIX_LENGTH)) {
        const next = getOrCreateBranch(branch.next.get(letter.charCodeAt(0)))
        branch.next.set(letter.charCodeAt(0), next)
        branch = next
      }
      if (!branch.patternIndices.includes(index)) branch.patternIndices.push(index)
    }
  const sticky = patterns.map(({ source }) => new RegExp(source.replace(/^\\b/, ''), 'y'))
  return (lowerText, visit) => {
    // The end of the last match of each pattern. Matches of one pattern do not overlap.
    const ends = new Int32Array(patterns.length)
    let isInside = false
    for (let at = 0; at < lowerText.length; at++) {
      const code = lowerText.charCodeAt(at)
      const wasInside = isInside
      isInside = code < LETTERS.length && LETTERS[code] === 1
      if (wasInside || !isInside) continue
      let branch = root[code]
      for (let offset = 1; branch !== undefined; offset++) {
        for (const index of branch.patternIndices) {
          if (at < (ends[index] as number)) continue
          const pattern = sticky[index] as RegExp
          pattern.lastIndex = at
          if (!pattern.test(lowerText)) continue
          ends[index] = pattern.lastIndex
          visit(index, at, pattern.lastIndex)
        }
        if (branch.next.size === 0) break
        branch = branch.next.get(lowerText.charCodeAt(at + offset))
      }
    }
  }
}
