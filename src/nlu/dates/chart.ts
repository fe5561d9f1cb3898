import { smallOf } from '../lower-case.ts'

/** A word, a run of digits, or one other character; `text` is in lower case. */
export interface Token {
  text: string
  start: number
  end: number
  kind: 'word' | 'number' | 'mark'
  /** Whitespace precedes the token, or it is the first one. */
  spaceBefore: boolean
  capitalized: boolean
}

const LETTER = /\p{L}/u
const BLANK = /\s/

/** Handles ASCII without a Unicode regular expression, for speed. */
const isLetter = (code: number): boolean =>
  code < 128 ? (code | 32) >= 97 && (code | 32) <= 122 : LETTER.test(String.fromCodePoint(code))
const isDigit = (code: number): boolean => code >= 48 && code <= 57
const isBlank = (code: number): boolean =>
  code < 128 ? code === 32 || (code >= 9 && code <= 13) : BLANK.test(String.fromCodePoint(code))
const isApostrophe = (code: number): boolean => code === 39 || code === 0x2019

/** Returns the end of a word: letters, and apostrophes between letters. */
const endOfWord = (text: string, start: number): number => {
  let at = start
  for (;;) {
    const code = text.codePointAt(at) ?? 0
    if (isLetter(code)) at += code > 0xffff ? 2 : 1
    else if (isApostrophe(code) && isLetter(text.codePointAt(at + 1) ?? 0)) at++
    else return at
  }
}

const endOfNumber = (text: string, start: number): number => {
  let at = start
  while (isDigit(text.charCodeAt(at))) at++
  return at
}

/** Removes a possessive ending: "tomorrow's" becomes "tomorrow". */
export const baseOf = (word: string): string => (word.endsWith("'s") ? word.slice(0, -2) : word)

/** Limits the work for hostile texts. No person names times after a hundred pages. */
export const MAX_TEXT_LENGTH = 100_000

/** Also splits between letters and digits, so that "3pm" and "14april" are two tokens each. */
export const tokenize = (whole: string): Token[] => {
  const text = whole.slice(0, MAX_TEXT_LENGTH)
  const lowerText = smallOf(text)
  const tokens: Token[] = []
  let before = 0
  for (let start = 0; start < text.length; ) {
    const code = text.codePointAt(start) as number
    if (isBlank(code)) {
      start++
      continue
    }
    const isWord = isLetter(code)
    const end = isWord
      ? endOfWord(text, start)
      : isDigit(code)
        ? endOfNumber(text, start)
        : start + (code > 0xffff ? 2 : 1)
    const lower = lowerText.slice(start, end)
    // Words need letters with two cases. No word of the lexicon uses a script without them.
    const kind = isDigit(code)
      ? 'number'
      : isWord && (code < 128 || lower !== text.slice(start, end).toUpperCase())
        ? 'word'
        : 'mark'
    tokens.push({
      text: lower.includes('’') ? lower.replace('’', "'") : lower,
      start,
      end,
      kind,
      spaceBefore: start > before || start === 0,
      capitalized: kind === 'word' && code !== lower.codePointAt(0),
    })
    before = end
    start = end
  }
  return tokens
}

/** One interpretation of the tokens [from, to). */
export interface Node {
  kind: string
  from: number
  to: number
  value: unknown
  /** Preference over other interpretations of the same tokens. */
  score: number
}

/** The position and context of a rule match. */
export interface RuleMatch<C> {
  context: C
  tokens: readonly Token[]
  from: number
  to: number
}

/**
 * Builds the value of a node from the values that the pattern captures. TypeScript cannot derive parameter
 * types from a pattern. A method signature is bivariant, so each rule can declare its own parameter types.
 */
interface RuleAction<C> {
  make(match: RuleMatch<C>, ...values: unknown[]): unknown
}
type MakeValue<C> = RuleAction<C>['make']

export interface Rule<C> {
  kind: string
  /** The kinds to match in sequence. A literal word has its text as its kind. */
  items: readonly string[]
  /** Maps each argument of `make` to an index in `items`. -1 marks an optional item that did not match. */
  slots: readonly number[]
  make: MakeValue<C>
  score: number
}

const MISSING = '\0'

/**
 * Compiles a pattern into rules. `<kind>` matches a kind and passes its value to `make`. `@kind` matches
 * without passing a value. Any other item is a literal word or mark. `a|b` matches either; a trailing `?`
 * makes an item optional. `make` returns undefined to reject the match.
 */
export const rules = <C>(kind: string, pattern: string, make: MakeValue<C>, score = 0): Rule<C>[] => {
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

/** A trie of rules, keyed by their items from last to first. Rules with a common ending share a branch. */
interface Branch<C> {
  next: Map<number, Branch<C>>
  rules: { rule: Rule<C>; kind: number }[]
}

export interface Grammar<C> {
  /** Maps each kind that a rule uses to a number. Other kinds have no entry. */
  kinds: ReadonlyMap<string, number>
  root: Branch<C>
}

export const createGrammar = <C>(all: readonly Rule<C>[]): Grammar<C> => {
  const kinds = new Map<string, number>()
  const getKindNumber = (kind: string): number => {
    const known = kinds.get(kind)
    if (known !== undefined) return known
    kinds.set(kind, kinds.size)
    return kinds.size - 1
  }
  const root: Branch<C> = { next: new Map(), rules: [] }
  for (const rule of all) {
    let branch = root
    for (const item of rule.items.toReversed()) {
      const kind = getKindNumber(item)
      let next = branch.next.get(kind)
      if (!next) {
        next = { next: new Map(), rules: [] }
        branch.next.set(kind, next)
      }
      branch = next
    }
    branch.rules.push({ rule, kind: getKindNumber(rule.kind) })
  }
  return { kinds, root }
}

/** Values are plain data, so comparing their JSON is enough. */
const isEqualValue = (a: unknown, b: unknown): boolean =>
  a === b || (typeof a === 'object' && typeof b === 'object' && JSON.stringify(a) === JSON.stringify(b))

/** Limits the work for hostile texts. Ordinary expressions stay far below this. */
const MAX_NODES = 3000

/**
 * Returns every interpretation of the tokens, bottom up. When a node ends at a token, all nodes that end
 * before its start are known. Each rule is therefore tried once per last item, from right to left.
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
  /** Nodes of one kind that cover the same tokens. */
  const nodesByKey = new Map<number, Node[]>()
  const width = tokens.length + 1
  const agenda: { node: Node; kind: number }[] = []

  const add = (node: Node, kind: number | undefined): void => {
    if (all.length >= MAX_NODES || kind === undefined) return
    const key = (kind * width + node.from) * width + node.to
    const others = nodesByKey.get(key)
    const known = others?.find(({ value }) => isEqualValue(value, node.value))
    if (known) {
      known.score = Math.max(known.score, node.score)
      return
    }
    if (others) others.push(node)
    else nodesByKey.set(key, [node])
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
