import type { Token } from './tokens.ts'

/** Weekdays as somebody writes them who is in a hurry, one after the other in the tokens [from, to). */
export interface TerseDays {
  from: number
  to: number
  days: readonly number[]
}

const SHORT: ReadonlyMap<string, number> = new Map(
  ['mon mo', 'tue tues di', 'wed weds mi', 'thu thur thurs do', 'fri fr', 'sat sa', 'sun so'].flatMap(
    (words, index) => words.split(' ').map((word) => [word, index + 1] as const),
  ),
)
const BETWEEN = /^[/,&+]$/
/** "In the sun", "what to do", "see to it so". */
const OTHERWISE =
  /^(?:call|meet|ask|email|text|tell|see|visit|with|for|from|thank|invite|phone|remind|help|the|a|my|his|her|in|to|not|i|you|we|they|who|and|or|please|if|how|just|mach|es|das)$/
/** What may stand behind the day at the end of a line. */
const MARK = /^[#!(@.]$/

const isShort = (token: Token | undefined): boolean => token?.kind === 'word' && SHORT.has(token.text)

/** Two letters are many things; alone they are a day with a capital. */
const isDay = (tokens: readonly Token[], at: number): boolean => {
  const [before, own, after] = [tokens[at - 1], tokens[at] as Token, tokens[at + 1]]
  // "Sat: mow the lawn".
  if (at === 0) return after?.text === ':' && (own.text.length > 2 || own.capital)
  if (before?.kind !== 'word' && before?.kind !== 'number') return false
  if (OTHERWISE.test(before.text)) return false
  // "Elternabend Do 19:30": with an hour behind it, a capital is enough.
  if (after?.kind === 'number') return own.capital
  if (after && !(after.kind === 'mark' && MARK.test(after.text))) return false
  // "Fr. Meier".
  if (after?.text === '.' && tokens[at + 2]) return false
  return own.text.length > 2 || own.capital
}

/** "Gym mon wed fri", "call mum sat": in a line that becomes a task these are days, though nothing else says so. */
export const terseDays = (tokens: readonly Token[]): TerseDays[] => {
  const found: TerseDays[] = []
  for (let index = 0; index < tokens.length; index++) {
    if (!isShort(tokens[index])) continue
    const from = index
    let to = index + 1
    const days = [SHORT.get((tokens[index] as Token).text) as number]
    // "Mon-Fri".
    const last = /^[-–]$/.test(tokens[to]?.text ?? '') ? SHORT.get(tokens[to + 1]?.text ?? '') : undefined
    if (last !== undefined && last > (days[0] as number)) {
      while ((days.at(-1) as number) < last) days.push((days.at(-1) as number) + 1)
      to += 2
    }
    for (;;) {
      const next = BETWEEN.test(tokens[to]?.text ?? '') ? to + 1 : to
      if (!isShort(tokens[next])) break
      days.push(SHORT.get((tokens[next] as Token).text) as number)
      to = next + 1
    }
    const isRow = days.length > 1 && new Set(days).size === days.length
    if (isRow || (days.length === 1 && isDay(tokens, from))) found.push({ from, to, days })
    index = to - 1
  }
  return found
}
