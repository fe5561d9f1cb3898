import { mondayOf } from './calendar.ts'
import type { Node } from './chart.ts'
import type { Num } from './numbers.ts'
import type { Token } from './tokens.ts'
import type { Fields, When } from './values.ts'

const LISTED = /^(?:und|oder|and|or|bzw|,|\/|&|der|den|dem|the|am|on|\.)$/
const JOINS = /^(?:und|oder|and|or|bzw|&)$/
/** What follows a number that is a day, not a count. */
const FOLLOWS = /^(?:[.,;!?)]|at|from|in|on|for|to|with|works?|is|are|would|um|von|ab|bis|im|or|and)$/

const fieldsOf = ({ kind, value }: Node): Fields | undefined => {
  const { date } = value as When
  return kind === 'when' && date?.is === 'fields' ? date : undefined
}

const isOnlyDay = (node: Node): boolean => {
  const date = fieldsOf(node)
  const { to, bound } = node.value as When
  return date?.d !== undefined && date.m === undefined && date.dow === undefined && !to && !bound
}

/** "24, 26 and 30 November": each before the next. */
const bareDay = (all: readonly Node[], end: number, limit: number): Node | undefined =>
  all.find(({ kind, to, value }) => {
    const { n, digits } = value as Num
    return kind === 'num' && to === end && digits > 0 && digits <= 2 && n >= 1 && n < limit
  })

/** The days before one, in a list that ends with it: "the 5th, 6th and 7th of June". */
const before = (last: Node, month: Fields, all: readonly Node[], tokens: readonly Token[]): Node[] => {
  const found: Node[] = []
  let limit = month.d as number
  for (let at = last.from; ; ) {
    let end = at
    while (end > 0 && LISTED.test(tokens[end - 1]?.text ?? '')) end--
    const ordinal = end < at ? all.find(({ kind, to }) => kind === 'ordday' && to === end) : undefined
    const bare = end < at && !ordinal ? bareDay(all, end, limit) : undefined
    const day = ordinal ?? bare
    if (!day) return found
    limit = bare ? (bare.value as Num).n : limit
    const date = {
      ...(bare ? { is: 'fields' as const, d: limit } : (day.value as Fields)),
      ...(month.y === undefined ? {} : { y: month.y }),
      m: month.m as number,
    }
    found.unshift({ ...day, kind: 'when', value: { date } })
    at = day.from
  }
}

/** The day after one, as in "on May 12 and 13". */
const after = (
  first: Node,
  month: Fields,
  all: readonly Node[],
  tokens: readonly Token[],
): Node | undefined => {
  if (!JOINS.test(tokens[first.to]?.text ?? '') || tokens[first.to - 1]?.kind !== 'number') return undefined
  const day = all.find(({ kind, from }) => kind === 'num' && from === first.to + 1)
  const { n, digits } = (day?.value ?? { n: 0, digits: 0 }) as Num
  const next = day && tokens[day.to]
  if (!day || digits === 0 || n <= (month.d ?? 0) || n > 31 || (next && !FOLLOWS.test(next.text)))
    return undefined
  return { ...day, kind: 'when', value: { date: { ...month, d: n } } }
}

/** The Monday of the week that is named with a day, as in "Friday of next week". */
const weekOf = ({ from, to, value }: Node, tokens: readonly Token[]): number | undefined => {
  const { date } = value as When
  const isNamed = tokens.slice(from, to).some(({ text }) => text === 'week' || text === 'woche')
  return date?.is === 'days' && date.grain === 'day' && isNamed ? mondayOf(date.from) : undefined
}

/** Of days in a list, the month is said once. */
export const inOneMonth = (
  chosen: readonly Node[],
  all: readonly Node[],
  tokens: readonly Token[],
): Node[] => {
  const found: Node[] = []
  for (const node of chosen.toReversed()) {
    const next = found[0]
    const month = next ? fieldsOf(next) : undefined
    const isListed =
      next !== undefined &&
      next.from > node.to &&
      tokens.slice(node.to, next.from).every(({ text }) => LISTED.test(text))
    if (month?.m !== undefined && month.d !== undefined && isListed && isOnlyDay(node)) {
      const date = { ...fieldsOf(node), m: month.m, ...(month.y === undefined ? {} : { y: month.y }) }
      found.unshift({ ...node, value: { ...(node.value as When), date } })
      continue
    }
    const own = fieldsOf(node)
    const week = next && isListed ? weekOf(next, tokens) : undefined
    if (week !== undefined && own?.dow !== undefined && own.d === undefined && own.toward === undefined) {
      const from = week + own.dow - 1
      const date = { is: 'days', from, to: from + 1, grain: 'day' } as const
      found.unshift({ ...node, value: { ...(node.value as When), date } })
      continue
    }
    const { time, to, bound } = node.value as When
    if (own?.m === undefined || own.d === undefined || to || bound) {
      found.unshift(node)
      continue
    }
    const later = time ? undefined : after(node, own, all, tokens)
    const isFree = later !== undefined && (next === undefined || next.from >= later.to)
    const earlier = before(node, own, all, tokens).filter(
      (day) => !chosen.some((other) => other.from < day.to && day.from < other.to),
    )
    found.unshift(...earlier, node, ...(isFree ? [later] : []))
  }
  return found
}
