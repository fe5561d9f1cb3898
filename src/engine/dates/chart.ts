import type { Token } from './tokens.ts'

/** Something understood about the tokens [from, to). */
export interface Node {
  kind: string
  from: number
  to: number
  value: unknown
  /** How much better than other readings of the same words. */
  score: number
}

/** What a rule is told about the place where it matched. */
export interface Place<C> {
  context: C
  tokens: readonly Token[]
  from: number
  to: number
}

/**
 * What a rule makes of the values that its pattern hands over. Types cannot read a pattern: a rule says by its own
 * parameters what it receives, which a method's parameters are let to do.
 */
interface Making<C> {
  make(place: Place<C>, ...values: unknown[]): unknown
}
type Make<C> = Making<C>['make']

export interface Rule<C> {
  kind: string
  /** The kinds to match, one after the other; a word is the kind of its own text. */
  items: readonly string[]
  /** For each argument of `make`, the item that gives it; -1 for an optional one that is not there. */
  slots: readonly number[]
  make: Make<C>
  score: number
}

const MISSING = '\0'

/**
 * Rules from a pattern: `<kind>` hands its value to `make`, `@kind` only has to be there, anything else is a word or a
 * mark. `a|b` is either; a trailing `?` makes an item optional. `make` returns undefined to decline.
 */
export const rules = <C>(kind: string, pattern: string, make: Make<C>, score = 0): Rule<C>[] => {
  let variants: string[][] = [[]]
  for (const part of pattern.split(' ')) {
    const optional = part.length > 1 && part.endsWith('?')
    const bare = optional ? part.slice(0, -1) : part
    const choices = bare.length > 1 && !bare.startsWith('<') ? bare.split('|') : [bare]
    if (optional) choices.push(MISSING + bare)
    variants = variants.flatMap((variant) => choices.map((choice) => [...variant, choice]))
  }
  return variants.map((variant) => {
    const items: string[] = []
    const slots: number[] = []
    for (const item of variant) {
      if (item.startsWith(MISSING)) {
        if (item[1] === '<') slots.push(-1)
        continue
      }
      if (item.startsWith('<')) slots.push(items.length)
      items.push(item.startsWith('<') ? item.slice(1, -1) : item.startsWith('@') ? item.slice(1) : `'${item}`)
    }
    return { kind, items, slots, make, score }
  })
}

/** Rules by their items from last to first, so that rules with the same ending are tried together. */
interface Branch<C> {
  next: Map<number, Branch<C>>
  rules: { rule: Rule<C>; kind: number }[]
}

export interface Grammar<C> {
  /** Kinds by number; what no rule names has none. */
  kinds: ReadonlyMap<string, number>
  root: Branch<C>
}

export const createGrammar = <C>(all: readonly Rule<C>[]): Grammar<C> => {
  const kinds = new Map<string, number>()
  const numberOf = (kind: string): number => {
    const known = kinds.get(kind)
    if (known !== undefined) return known
    kinds.set(kind, kinds.size)
    return kinds.size - 1
  }
  const root: Branch<C> = { next: new Map(), rules: [] }
  for (const rule of all) {
    let branch = root
    for (const item of rule.items.toReversed()) {
      const kind = numberOf(item)
      let next = branch.next.get(kind)
      if (!next) {
        next = { next: new Map(), rules: [] }
        branch.next.set(kind, next)
      }
      branch = next
    }
    branch.rules.push({ rule, kind: numberOf(rule.kind) })
  }
  return { kinds, root }
}

/** Values are plain data. */
const isSame = (a: unknown, b: unknown): boolean =>
  a === b || (typeof a === 'object' && typeof b === 'object' && JSON.stringify(a) === JSON.stringify(b))

/** Hostile texts make many readings; a person's expression never comes near this. */
const MOST_NODES = 3000

/**
 * Every reading of the tokens by the rules, bottom up. When a node that ends at a token is found, all that ends before
 * its start is known, so each rule is tried once per last item, leftwards.
 */
export const parse = <C>(
  context: C,
  tokens: readonly Token[],
  seeds: readonly Node[],
  grammar: Grammar<C>,
): Node[] => {
  const endingAt: { node: Node; kind: number }[][] = Array.from({ length: tokens.length + 1 }, () => [])
  const seedsByEnd: Node[][] = []
  for (const seed of seeds) {
    const same = seedsByEnd[seed.to]
    if (same) same.push(seed)
    else seedsByEnd[seed.to] = [seed]
  }
  const all: Node[] = []
  /** Readings of one kind of the same words. */
  const alike = new Map<number, Node[]>()
  const width = tokens.length + 1
  const agenda: { node: Node; kind: number }[] = []

  const add = (node: Node, kind: number | undefined): void => {
    if (all.length >= MOST_NODES || kind === undefined) return
    const place = (kind * width + node.from) * width + node.to
    const others = alike.get(place)
    const known = others?.find(({ value }) => isSame(value, node.value))
    if (known) {
      known.score = Math.max(known.score, node.score)
      return
    }
    if (others) others.push(node)
    else alike.set(place, [node])
    all.push(node)
    const entry = { node, kind }
    agenda.push(entry)
    ;(endingAt[node.to] as { node: Node; kind: number }[]).push(entry)
  }

  const apply = (rule: Rule<C>, kind: number, matched: readonly Node[], depth: number): void => {
    const from = (matched[depth] as Node).from
    const to = (matched[0] as Node).to
    const last = rule.items.length - 1
    const values: unknown[] = []
    for (const slot of rule.slots) values.push(slot < 0 ? undefined : (matched[last - slot] as Node).value)
    const value = rule.make({ context, tokens, from, to }, ...values)
    if (value === undefined) return
    let score = rule.score
    for (let index = 0; index <= depth; index++) score += (matched[index] as Node).score
    add({ kind: rule.kind, from, to, value, score }, kind)
  }

  const matched: Node[] = []
  const descend = (branch: Branch<C>, node: Node, depth: number): void => {
    matched[depth] = node
    for (const { rule, kind } of branch.rules) apply(rule, kind, matched, depth)
    if (branch.next.size === 0) return
    for (const before of endingAt[node.from] as { node: Node; kind: number }[]) {
      const next = branch.next.get(before.kind)
      if (next) descend(next, before.node, depth + 1)
    }
  }

  for (let end = 1; end <= tokens.length; end++) {
    for (const seed of seedsByEnd[end] ?? []) add(seed, grammar.kinds.get(seed.kind))
    for (let entry = agenda.pop(); entry; entry = agenda.pop()) {
      const branch = grammar.root.next.get(entry.kind)
      if (branch) descend(branch, entry.node, 0)
    }
  }
  return all
}
