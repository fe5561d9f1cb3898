import { type MarkupVisitor, readMarkup, type Tag } from '../markup.ts'
import { readLenientJson } from './lenient-json.ts'

/** An item of JSON-LD or microdata. Names of types have no vocabulary; names of properties are in lower case. */
export interface DataItem {
  types: string[]
  properties: Map<string, DataValue[]>
}
export type DataValue = string | DataItem

/** Limits for hostile mail. Anything beyond them is ignored. */
const MAX_HTML_LENGTH = 512 * 1024
const MAX_DEPTH = 40
const MAX_ITEMS = 2_000
const MAX_OPEN_ELEMENTS = 200
const MAX_TEXT_LENGTH = 2_000
const MAX_SCRIPTS = 50

/** `http://schema.org/FlightReservation` and `schema:FlightReservation` are the same type. */
const toTerm = (name: string): string => name.trim().replace(/^.*[/#:]/s, '')

const toTypes = (value: unknown): string[] =>
  (Array.isArray(value) ? value.slice(0, 10) : [value])
    .filter((type): type is string => typeof type === 'string')
    .flatMap((type) => type.trim().split(/\s+/).slice(0, 5))
    .map(toTerm)
    .filter((type) => type !== '')

const addProperty = (item: DataItem, name: string, value: DataValue): void => {
  const key = toTerm(name).toLowerCase()
  if (key === '') return
  const known = item.properties.get(key)
  if (known) known.push(value)
  else item.properties.set(key, [value])
}

/** Converts JSON-LD to items. References by `@id` are resolved to the item with that id. */
class JsonLdReader {
  private count = 0
  private readonly byId = new Map<string, DataItem>()
  private readonly references: { item: DataItem; name: string; id: string }[] = []

  read(values: readonly unknown[]): DataItem[] {
    const items = values.flatMap((value) => this.toItems(value, 0))
    for (const { item, name, id } of this.references) {
      const target = this.byId.get(id)
      if (target && target !== item) addProperty(item, name, target)
    }
    return items
  }

  private toItems(value: unknown, depth: number): DataItem[] {
    if (Array.isArray(value)) return value.flatMap((each) => this.toItems(each, depth + 1))
    const converted = this.toValue(value, depth)
    return converted === undefined || typeof converted === 'string' ? [] : [converted]
  }

  private toValue(value: unknown, depth: number): DataValue | undefined {
    if (typeof value === 'string') return value
    if (typeof value === 'number' || typeof value === 'boolean') return String(value)
    if (value === null || typeof value !== 'object' || depth > MAX_DEPTH || ++this.count > MAX_ITEMS)
      return undefined
    const given = value as Record<string, unknown>
    const inner = given['@value']
    if (typeof inner === 'string' || typeof inner === 'number') return String(inner)
    const item: DataItem = { types: toTypes(given['@type'] ?? given.type), properties: new Map() }
    for (const [name, content] of Object.entries(given)) {
      if (name === '@type' || name === '@context') continue
      if (name === '@id') {
        if (typeof content === 'string' && item.types.length > 0) this.byId.set(content, item)
        continue
      }
      for (const each of Array.isArray(content) ? content : [content]) this.addValue(item, name, each, depth)
    }
    return item
  }

  private addValue(item: DataItem, name: string, content: unknown, depth: number): void {
    const converted = this.toValue(content, depth + 1)
    if (converted === undefined) return
    const id = (content as Record<string, unknown> | null)?.['@id']
    if (typeof converted !== 'string' && converted.types.length === 0 && typeof id === 'string')
      this.references.push({ item, name, id })
    addProperty(item, name, converted)
  }
}

const unwrapScript = (text: string): string => {
  const bare = text.replace(/^\s*(?:<!--|\/\/<!\[CDATA\[|<!\[CDATA\[)|(?:-->|\/\/\]\]>|\]\]>)\s*$/g, '')
  return bare.includes('"') ? bare : bare.replaceAll('&quot;', '"').replaceAll('&amp;', '&')
}

/** Reads JSON-LD texts. Broken ones are read as far as possible. */
export const readJsonLd = (texts: readonly string[]): DataItem[] =>
  new JsonLdReader().read(
    texts.slice(0, MAX_SCRIPTS).flatMap((text) => {
      const bare = unwrapScript(text.slice(0, MAX_HTML_LENGTH))
      return bare.trim() === '' ? [] : readLenientJson(bare)
    }),
  )

/** HTML elements without content. They have no end tag. */
const VOID = new Set('area base br col embed hr img input link meta param source track wbr'.split(' '))
/** Attributes that hold the value of a property (HTML Standard, section 5.2.4). */
const VALUE_ATTRIBUTES = ['href', 'src', 'data', 'value', 'datetime', 'content']

interface OpenElement {
  name: string
  item: DataItem | undefined
  /** Receives the text of the element at its end. */
  property: { item: DataItem; names: string[] } | undefined
  text: string
}

/**
 * Collects JSON-LD scripts and microdata items from tags. A paragraph does not end before a block, because
 * senders nest items in paragraphs.
 */
class MarkupCollector implements MarkupVisitor {
  readonly scripts: string[] = []
  readonly items: DataItem[] = []
  private readonly elements: OpenElement[] = []
  private script: string | undefined
  private count = 0
  private readonly withQuotes: boolean

  constructor(withQuotes: boolean) {
    this.withQuotes = withQuotes
  }

  open({ name, attributes }: Tag): void {
    if (name === 'script') {
      if (/^\s*application\/(?:ld\+json|json\+ld)/i.test(attributes.get('type') ?? '')) this.script = ''
      return
    }
    const owner = this.findOwner()
    const names = (attributes.get('itemprop') ?? '').trim().split(/\s+/).filter(Boolean).slice(0, 10)
    let item: DataItem | undefined
    if (attributes.has('itemscope') && !this.isQuoted() && this.count++ < MAX_ITEMS) {
      item = { types: toTypes(attributes.get('itemtype')), properties: new Map() }
      if (owner && names.length > 0) for (const each of names) addProperty(owner, each, item)
      else this.items.push(item)
    }
    const isProperty = item === undefined && owner !== undefined && names.length > 0
    const value = isProperty
      ? VALUE_ATTRIBUTES.map((each) => attributes.get(each)).find((each) => each !== undefined)
      : undefined
    if (isProperty && value !== undefined) for (const each of names) addProperty(owner, each, value)
    if (VOID.has(name) || this.elements.length >= MAX_OPEN_ELEMENTS) return
    const property = isProperty && value === undefined ? { item: owner, names } : undefined
    this.elements.push({ name, item, property, text: '' })
  }

  close(name: string): void {
    if (name === 'script') {
      if (this.script !== undefined && this.scripts.length < MAX_SCRIPTS) this.scripts.push(this.script)
      this.script = undefined
      return
    }
    const index = this.elements.findLastIndex((element) => element.name === name)
    if (index < 0) return
    for (const { property, text } of this.elements.splice(index))
      if (property) for (const each of property.names) addProperty(property.item, each, text.trim())
  }

  text(words: string): void {
    if (this.script !== undefined) {
      if (this.script.length < MAX_HTML_LENGTH) this.script += words
      return
    }
    for (const element of this.elements)
      if (element.property && element.text.length < MAX_TEXT_LENGTH)
        element.text += words.slice(0, MAX_TEXT_LENGTH)
  }

  doctype(): void {}

  /** A reply quotes the mail that it answers. */
  private isQuoted(): boolean {
    return !this.withQuotes && this.elements.some(({ name }) => name === 'blockquote')
  }

  private findOwner(): DataItem | undefined {
    return this.elements.findLast(({ item }) => item !== undefined)?.item
  }
}

const HAS_MARKUP = /ld\+json|json\+ld|itemscope/i

/** Reads the schema.org items of an HTML mail: JSON-LD and microdata. A forwarded mail is a quote. */
export const readStructuredData = (html: string, { withQuotes = false } = {}): DataItem[] => {
  const bounded = html.slice(0, MAX_HTML_LENGTH)
  if (!HAS_MARKUP.test(bounded)) return []
  const collector = new MarkupCollector(withQuotes)
  readMarkup(bounded, collector)
  return [...readJsonLd(collector.scripts), ...collector.items]
}
