import type { Node } from './chart.ts'
import { formatsAt, type Order } from './formats.ts'
import { feastsAt } from './holidays.ts'
import { LEXICON } from './lexicon.ts'
import { numbersAt } from './numbers.ts'
import type { TerseDays } from './terse-days.ts'
import { baseOf, type Token } from './tokens.ts'
import { zoneAt } from './zones.ts'

const DOTTED_MERIDIEM = /([ap])(?:\s?\.\s?m\s?\.|\sm(?=[\s.,;!?)]|$)|\.m\b)/iy

/** What each token, and each run of them in a known dress, can be on its own. */
export const seedsOf = (
  text: string,
  tokens: readonly Token[],
  { from: first, to: end }: { from: number; to: number },
  order: Order,
  twelveHours: boolean,
): Node[] => {
  const seeds: Node[] = []
  const tokenAfter = (offset: number, from: number): number | undefined => {
    let index = from
    while (index < end && (tokens[index] as Token).end < offset) index++
    return (tokens[index] as Token | undefined)?.end === offset ? index + 1 : undefined
  }
  const add = (kind: string, from: number, to: number | undefined, value: unknown, score = 0): void => {
    if (to !== undefined && to > from && to <= end) seeds.push({ kind, from, to, value, score })
  }
  for (let index = first; index < end; index++) {
    const token = tokens[index] as Token
    add(`'${token.text}`, index, index + 1, token.text)
    if (token.kind === 'number' || token.text === '+' || token.text === "'" || token.text === '’')
      for (const { kind, length, value, score } of formatsAt(text, token.start, order, twelveHours)) {
        const to = tokenAfter(token.start + length, index)
        add(kind, index, to, value, score)
        if (kind === 'date' && (value as { digits?: true }).digits) add('slashed', index, to, value, score)
      }
    if (token.kind === 'number') {
      seeds.push(...numbersAt(tokens, index))
      continue
    }
    const word = LEXICON.has(token.text) ? token.text : baseOf(token.text)
    for (const [kind, value] of LEXICON.get(word) ?? []) add(kind, index, index + 1, value)
    if (token.kind === 'mark') continue
    seeds.push(...numbersAt(tokens, index))
    for (const { length, day, name } of feastsAt(tokens, index))
      add('feast', index, index + length, { name, day }, (length - 1) / 2)
    if (token.text === 'a' || token.text === 'p') {
      DOTTED_MERIDIEM.lastIndex = token.start
      const dotted = DOTTED_MERIDIEM.exec(text)
      if (dotted) add('ampm', index, tokenAfter(token.start + dotted[0].length, index), `${token.text}m`)
      if (!token.apart && tokens[index - 1]?.kind === 'number') add('ap', index, index + 1, `${token.text}m`)
    }
    const zone = zoneAt(text, token)
    if (zone) add('zone', index, tokenAfter(token.start + zone.length, index), zone.zone)
  }
  return seeds
}

const CODES = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']

/** One short weekday is a day; several are those on which something comes back. */
export const daySeeds = (terse: readonly TerseDays[]): Node[] =>
  terse.map(({ from, to, days }) =>
    days.length === 1
      ? { kind: 'dow', from, to, value: days[0], score: 0 }
      : {
          kind: 'set',
          from,
          to,
          value: {
            rule: `FREQ=WEEKLY;BYDAY=${CODES.filter((_, index) => days.includes(index + 1)).join(',')}`,
          },
          score: 0.3,
        },
  )
