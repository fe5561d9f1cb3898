import { createRequire } from 'node:module'
import { readTimestamp } from './timestamps.ts'

/** Nodes of a cue text (WebVTT, section 6.4). */
export type CueNode = { kind: 'text'; text: string } | { kind: 'timestamp'; ms: number } | CueElement

export interface CueElement {
  kind: 'c' | 'i' | 'b' | 'u' | 'ruby' | 'rt' | 'v' | 'lang'
  classes: string[]
  /** Speaker (`v`) or language (`lang`). */
  annotation: string
  children: CueNode[]
}

type Token =
  | { kind: 'text'; text: string }
  | { kind: 'start'; name: string; classes: string[]; annotation: string }
  | { kind: 'end'; name: string }
  | { kind: 'timestamp'; text: string }

/** Loaded on first use, because the table of HTML entities is large. */
const require = createRequire(import.meta.url)
const decodeCharacters = (text: string): string =>
  text.includes('&') ? (require('entities') as typeof import('entities')).decodeHTML(text) : text

/** Matches tag name, classes and annotation. */
const TAG = /^([^\t\n\f .]*)((?:\.[^\t\n\f .]*)*)([\t\n\f ][\s\S]*)?$/

const readTag = (inside: string): Token => {
  if (inside.startsWith('/')) return { kind: 'end', name: inside.slice(1) }
  if (/^\d/.test(inside)) return { kind: 'timestamp', text: inside }
  const [, name = '', classes = '', annotation = ''] = TAG.exec(inside) ?? []
  return {
    kind: 'start',
    name,
    classes: classes.split('.').filter((one) => one !== ''),
    annotation: decodeCharacters(annotation)
      .replace(/[\t\n\f\r ]+/g, ' ')
      .replace(/^ | $/g, ''),
  }
}

/** WebVTT, section 6.5. A tag ends at `>` or at the end of the text. */
function* tokenize(text: string): Generator<Token> {
  let at = 0
  while (at < text.length) {
    if (text[at] === '<') {
      const close = text.indexOf('>', at)
      const end = close < 0 ? text.length : close
      yield readTag(text.slice(at + 1, end))
      at = end + 1
    } else {
      const open = text.indexOf('<', at)
      const end = open < 0 ? text.length : open
      yield { kind: 'text', text: decodeCharacters(text.slice(at, end)) }
      at = end
    }
  }
}

const ELEMENTS = new Set(['c', 'i', 'b', 'u', 'ruby', 'rt', 'v', 'lang'])

/** WebVTT, section 6.4. Ignores misplaced tags. Unclosed elements end with the text. */
export const readCueText = (markup: string): CueNode[] => {
  const root: CueNode[] = []
  const open: CueElement[] = []
  for (const token of tokenize(markup.replaceAll('\0', '\uFFFD'))) {
    const current = open.at(-1)
    const children = current?.children ?? root
    if (token.kind === 'text') {
      children.push(token)
    } else if (token.kind === 'timestamp') {
      const stamp = readTimestamp(token.text, 0)
      if (stamp?.end === token.text.length) children.push({ kind: 'timestamp', ms: stamp.ms })
    } else if (token.kind === 'start') {
      if (!ELEMENTS.has(token.name) || (token.name === 'rt' && current?.kind !== 'ruby')) continue
      const { classes, annotation } = token
      const element: CueElement = {
        kind: token.name as CueElement['kind'],
        classes,
        annotation,
        children: [],
      }
      children.push(element)
      open.push(element)
    } else if (current?.kind === token.name) {
      open.pop()
    } else if (token.name === 'ruby' && current?.kind === 'rt') {
      open.length -= 2
    }
  }
  return root
}

/** Returns the text without markup. */
export const plainTextOf = (nodes: readonly CueNode[]): string =>
  nodes
    .map((node) => {
      if (node.kind === 'text') return node.text
      return node.kind === 'timestamp' ? '' : plainTextOf(node.children)
    })
    .join('')

/** Returns the speaker if a single voice element contains the whole text. */
export const speakerOf = (nodes: readonly CueNode[]): string | null => {
  const said = nodes.filter((node) => node.kind !== 'text' || node.text.trim() !== '')
  const [only] = said
  return said.length === 1 && only?.kind === 'v' && only.annotation !== '' ? only.annotation : null
}
