import { createRequire } from 'node:module'

/** A start tag. `from` is the offset of "<", `to` the offset after ">". */
export interface Tag {
  name: string
  attributes: ReadonlyMap<string, string>
  from: number
  to: number
}

export interface MarkupVisitor {
  open(tag: Tag): void
  close(name: string, from: number): void
  text(words: string): void
  doctype(words: string): void
}

/** Limits for hostile pages. Anything beyond them is ignored. */
const MAX_ATTRIBUTES = 200
const MAX_VALUE_LENGTH = 20_000
/** Maximum number of tags, attributes and text pieces. The largest real pages have a tenth of it. */
const MAX_STEPS = 300_000
const NONE: ReadonlyMap<string, string> = new Map()

/** Loaded with the first page, because loading it would slow down the start. */
const require = createRequire(import.meta.url)
const load = () => require('htmlparser2') as typeof import('htmlparser2')

/**
 * Tokenizes a page with htmlparser2. Its parser is not used, because it shifts an array of open elements. A
 * page with a million open tags would take hours. Here nothing grows with depth. Returns whether the end was
 * reached.
 */
export const readMarkup = (html: string, visitor: MarkupVisitor): boolean => {
  const { Tokenizer } = load()
  let name = ''
  let from = 0
  let attributes: Map<string, string> | undefined
  let attribute = ''
  let value = ''
  let steps = 0
  const step = (): void => {
    if (++steps === MAX_STEPS) tokenizer.pause()
  }
  const add = (piece: string): void => {
    if (value.length < MAX_VALUE_LENGTH) value += piece
  }
  const opened = (endIndex: number): void => {
    visitor.open({ name, attributes: attributes ?? NONE, from, to: endIndex + 1 })
    attributes = undefined
  }
  const tokenizer = new Tokenizer(
    { decodeEntities: true },
    {
      onopentagname(start, end) {
        step()
        name = html.slice(start, end).toLowerCase()
        from = start - 1
      },
      onattribname(start, end) {
        step()
        attribute = html.slice(start, end).toLowerCase()
        value = ''
      },
      onattribdata: (start, end) => add(html.slice(start, Math.min(end, start + MAX_VALUE_LENGTH))),
      onattribentity(codepoint) {
        step()
        add(String.fromCodePoint(codepoint))
      },
      onattribend() {
        attributes ??= new Map()
        // Like browsers, use the first of two attributes with the same name.
        if (attributes.size < MAX_ATTRIBUTES && !attributes.has(attribute)) attributes.set(attribute, value)
      },
      onopentagend: opened,
      onselfclosingtag: opened,
      onclosetag(start, end) {
        step()
        visitor.close(html.slice(start, end).toLowerCase(), start - 2)
      },
      ontext(start, end) {
        step()
        visitor.text(html.slice(start, end))
      },
      ontextentity(codepoint) {
        step()
        visitor.text(String.fromCodePoint(codepoint))
      },
      oncdata: step,
      oncomment: step,
      ondeclaration: (start, end) => visitor.doctype(html.slice(start, Math.min(end, start + 200))),
      onprocessinginstruction: step,
      onend: () => {},
    },
  )
  tokenizer.write(html)
  const isWhole = steps < MAX_STEPS
  if (isWhole) tokenizer.end()
  return isWhole
}
