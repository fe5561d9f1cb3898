import { openingsOf } from './openings.ts'

/*
 * Phrases of many kinds in one pass over a text. A pattern that is looked for everywhere is tried at every letter; here
 * each is tried at the words that begin as one of its alternatives does, which are few. A word begins with its first letter,
 * be it "ö": for \b that is none.
 */

interface Branch {
  /** By the code of the next letter. */
  next: Map<number, Branch>
  /** The places of the patterns that are tried here. */
  tried: number[]
}

/** Longer openings tell hardly more words apart. */
const DEEPEST = 4

/** Which codes are letters or digits of those that patterns are written with. */
const LETTERS = Uint8Array.from({ length: 256 }, (_, code) =>
  /[a-z0-9_ß-ÿ]/.test(String.fromCharCode(code)) ? 1 : 0,
)

export type FindPhrases = (small: string, visit: (pattern: number, from: number, to: number) => void) => void

/** Patterns of small letters, each as \b(?:one|another)\b, for texts in small letters. */
export const phraseFinder = (patterns: readonly RegExp[]): FindPhrases => {
  const root: (Branch | undefined)[] = new Array(LETTERS.length).fill(undefined)
  const grow = (branch: Branch | undefined): Branch => branch ?? { next: new Map(), tried: [] }
  for (const [index, { source }] of patterns.entries())
    for (const opening of openingsOf(source)) {
      const first = opening.charCodeAt(0)
      let branch = grow(root[first])
      root[first] = branch
      for (const letter of opening.slice(1, DEEPEST)) {
        const next = grow(branch.next.get(letter.charCodeAt(0)))
        branch.next.set(letter.charCodeAt(0), next)
        branch = next
      }
      if (!branch.tried.includes(index)) branch.tried.push(index)
    }
  const sticky = patterns.map(({ source }) => new RegExp(source.replace(/^\\b/, ''), 'y'))
  return (small, visit) => {
    // Where the last phrase of each pattern ended: two of one do not overlap.
    const ends = new Int32Array(patterns.length)
    let isInside = false
    for (let at = 0; at < small.length; at++) {
      const code = small.charCodeAt(at)
      const wasInside = isInside
      isInside = code < LETTERS.length && LETTERS[code] === 1
      if (wasInside || !isInside) continue
      let branch = root[code]
      for (let deep = 1; branch !== undefined; deep++) {
        for (const index of branch.tried) {
          if (at < (ends[index] as number)) continue
          const pattern = sticky[index] as RegExp
          pattern.lastIndex = at
          if (!pattern.test(small)) continue
          ends[index] = pattern.lastIndex
          visit(index, at, pattern.lastIndex)
        }
        if (branch.next.size === 0) break
        branch = branch.next.get(small.charCodeAt(at + deep))
      }
    }
  }
}
