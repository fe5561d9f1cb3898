import { createRequire } from 'node:module'
import { createBreather } from '../../platform/breather.ts'

/** `name` is written `{namespace}local`: which prefix a server uses is its own affair. */
export interface XmlElement {
  name: string
  /** As written, prefixes included. */
  attributes: Record<string, string>
  text: string
  children: XmlElement[]
}

/** What a server sends that means well stays far below; what does not must neither take long nor much memory. */
const DEEPEST = 40
const MOST_STEPS = 2_000_000
/** Elements take more memory than pieces of text. */
const STEPS_OF_ELEMENT = 4
const MOST_ATTRIBUTES = 100
const MOST_NAMESPACES = 100
const SLICE = 32 * 1024

const NONE: ReadonlyMap<string, string> = new Map([['xml', 'http://www.w3.org/XML/1998/namespace']])

/** Loaded with the first answer: a start need not wait for it. */
const require = createRequire(import.meta.url)
const load = () => require('htmlparser2') as typeof import('htmlparser2')

const withDeclared = (known: ReadonlyMap<string, string>, attributes: Record<string, string>) => {
  let found: Map<string, string> | undefined
  for (const name in attributes) {
    if (name !== 'xmlns' && !name.startsWith('xmlns:')) continue
    found ??= new Map(known)
    found.set(name.slice('xmlns:'.length), attributes[name] ?? '')
    if (found.size > MOST_NAMESPACES) throw new Error('The XML declares too many namespaces.')
  }
  return found ?? known
}

const nameIn = (namespaces: ReadonlyMap<string, string>, written: string): string => {
  const colon = written.indexOf(':')
  const prefix = colon === -1 ? '' : written.slice(0, colon)
  return `{${namespaces.get(prefix) ?? ''}}${written.slice(colon + 1)}`
}

/**
 * The root of a document. Throws for what is none. A document type is refused whatever it says: answers have no need of
 * one, and entities are how a few lines of XML become gigabytes.
 */
export const readXml = async (source: string): Promise<XmlElement> => {
  const { Parser } = load()
  const breathe = createBreather()
  const open: { element: XmlElement; namespaces: ReadonlyMap<string, string> }[] = []
  let root: XmlElement | undefined
  let steps = 0
  let attributesHere = 0
  const step = (count: number): void => {
    steps += count
    if (steps > MOST_STEPS || open.length > DEEPEST) throw new Error('The XML is too large.')
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
        open.push({ element, namespaces })
      },
      onattribute() {
        if (++attributesHere > MOST_ATTRIBUTES) throw new Error('The XML has too many attributes.')
      },
      ontext(text) {
        step(1)
        const inside = open.at(-1)
        if (inside) inside.element.text += text
      },
      onclosetag() {
        open.pop()
      },
      onprocessinginstruction(name) {
        if (name.startsWith('!')) throw new Error('The XML has a document type.')
      },
    },
    { xmlMode: true },
  )
  for (let from = 0; from < source.length; from += SLICE) {
    parser.write(source.slice(from, from + SLICE))
    await breathe()
  }
  const isCutOff = open.length > 0
  parser.end()
  if (!root) throw new Error('This is no XML.')
  if (isCutOff) throw new Error('The XML ends too soon.')
  return root
}

export const childrenOf = (element: XmlElement | undefined, name: string): XmlElement[] =>
  element?.children.filter((child) => child.name === name) ?? []

export const childOf = (element: XmlElement | undefined, name: string): XmlElement | undefined =>
  element?.children.find((child) => child.name === name)

export const escapeXml = (text: string): string =>
  text.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`)
