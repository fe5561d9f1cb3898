import { createRequire } from 'node:module'
import { createYielder } from './yield.ts'

/** `name` has the form `{namespace}local`, so that prefixes do not matter. */
export interface XmlElement {
  name: string
  /** Names as written, including prefixes. */
  attributes: Record<string, string>
  text: string
  children: XmlElement[]
}

/** Limits for hostile documents. Real ones stay far below them. */
const MAX_DEPTH = 40
const MAX_STEPS = 2_000_000
/** Elements take more memory than text. */
const STEPS_OF_ELEMENT = 4
const MAX_ATTRIBUTES = 100
const MAX_NAMESPACES = 100
const SLICE = 32 * 1024

const NONE: ReadonlyMap<string, string> = new Map([['xml', 'http://www.w3.org/XML/1998/namespace']])

/** Loaded with the first document, because loading it would slow down the start. */
const require = createRequire(import.meta.url)
const load = () => require('htmlparser2') as typeof import('htmlparser2')

const withDeclared = (known: ReadonlyMap<string, string>, attributes: Record<string, string>) => {
  let found: Map<string, string> | undefined
  for (const name in attributes) {
    if (name !== 'xmlns' && !name.startsWith('xmlns:')) continue
    found ??= new Map(known)
    found.set(name.slice('xmlns:'.length), attributes[name] ?? '')
    if (found.size > MAX_NAMESPACES) throw new Error('The XML declares too many namespaces.')
  }
  return found ?? known
}

const nameIn = (namespaces: ReadonlyMap<string, string>, written: string): string => {
  const colon = written.indexOf(':')
  const prefix = colon === -1 ? '' : written.slice(0, colon)
  return `{${namespaces.get(prefix) ?? ''}}${written.slice(colon + 1)}`
}

/**
 * Parses a document and returns its root, or throws. A document type declaration is always rejected:
 * DAV needs none, and entity expansion can turn a few lines into gigabytes.
 */
export const readXml = async (source: string): Promise<XmlElement> => {
  const { Parser } = load()
  const yieldIfNeeded = createYielder()
  const open: { element: XmlElement; namespaces: ReadonlyMap<string, string>; end: number }[] = []
  let root: XmlElement | undefined
  let steps = 0
  let attributesHere = 0
  let isCutOff = false
  const step = (count: number): void => {
    steps += count
    if (steps > MAX_STEPS || open.length > MAX_DEPTH) throw new Error('The XML is too large.')
  }
  const parser = new Parser(
    {
      onopentag(written, attributes) {
        const parent = open.at(-1)
        step(STEPS_OF_ELEMENT)
        attributesHere = 0
        if (!parent && root) throw new Error('The XML has more than one root.')
        const namespaces = withDeclared(parent?.namespaces ?? NONE, attributes)
        const element = { name: nameIn(namespaces, written), attributes, text: '', children: [] }
        if (parent) parent.element.children.push(element)
        else root = element
        open.push({ element, namespaces, end: parser.endIndex })
      },
      onattribute() {
        if (++attributesHere > MAX_ATTRIBUTES) throw new Error('The XML has too many attributes.')
      },
      ontext(text) {
        step(1)
        const inside = open.at(-1)
        if (inside) inside.element.text += text
      },
      onclosetag(_written, isImplied) {
        // The parser also closes an element when another one ends. Only `<a/>` may close itself.
        if (isImplied && open.at(-1)?.end !== parser.endIndex) isCutOff = true
        open.pop()
      },
      onprocessinginstruction(name) {
        if (name.startsWith('!')) throw new Error('The XML has a document type declaration.')
      },
    },
    { xmlMode: true },
  )
  for (let from = 0; from < source.length; from += SLICE) {
    parser.write(source.slice(from, from + SLICE))
    await yieldIfNeeded()
  }
  parser.end()
  if (!root) throw new Error('The text is not XML.')
  if (isCutOff) throw new Error('The XML is incomplete.')
  return root
}

export const childrenOf = (element: XmlElement | undefined, name: string): XmlElement[] =>
  element?.children.filter((child) => child.name === name) ?? []

export const childOf = (element: XmlElement | undefined, name: string): XmlElement | undefined =>
  element?.children.find((child) => child.name === name)

export const escapeXml = (text: string): string =>
  text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)
