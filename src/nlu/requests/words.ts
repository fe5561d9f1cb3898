import type { Sentence } from './sentence.ts'

/* Accounts for the words of a message. */

export const isMark = (text: string): boolean => /^[^\p{L}\p{N}]$/u.test(text)

/** Knows which words are accounted for. */
export const createWords = ({ tokens }: Sentence) => {
  const used = tokens.map(({ text }) => isMark(text))
  /** Used words that are no punctuation: they part a title. */
  const cuts = tokens.map(() => false)
  const isFree = (at: number): boolean => used[at] === false
  const use = (at: readonly number[]): void => {
    for (const index of at) used[index] = cuts[index] = true
  }
  return {
    use,
    isFree,
    isCut: (at: number): boolean => cuts[at] === true,
    useRange(from: number, to: number): void {
      for (let at = from; at < to; at++) use([at])
    },
    /** Uses the tokens between two places of the text. */
    useSpan(from: number, to: number): void {
      for (const [at, token] of tokens.entries()) if (token.from >= from && token.to <= to) use([at])
    },
    /** True if a token between two places of the text is used. */
    isUsedSpan: (from: number, to: number): boolean =>
      tokens.some((token, at) => token.from >= from && token.to <= to && cuts[at] === true),
    /** The runs of free words. */
    runs(): { from: number; to: number }[] {
      const found: { from: number; to: number }[] = []
      for (let at = 0; at < used.length; at++) {
        if (!isFree(at)) continue
        const last = found.at(-1)
        if (last && !cuts.slice(last.to, at).includes(true)) last.to = at + 1
        else found.push({ from: at, to: at + 1 })
      }
      return found
    },
  }
}

export type Words = ReturnType<typeof createWords>
