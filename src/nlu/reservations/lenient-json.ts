/** Limits for hostile markup. Anything beyond them is dropped. */
const MAX_DEPTH = 40
const MAX_VALUES = 20_000

type Json = string | number | boolean | null | Json[] | { [name: string]: Json }

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' }

/**
 * Parses JSON with the faults that senders make: trailing or missing commas, comments, line breaks in strings,
 * a missing end. It makes one pass, and returns everything it could read.
 */
class LenientParser {
  private at = 0
  private values = 0
  private readonly text: string

  constructor(text: string) {
    this.text = text
  }

  /** Reads values up to the end of the text. */
  readAll(): Json[] {
    const found: Json[] = []
    while (this.at < this.text.length) {
      const before = this.at
      const value = this.readValue(0)
      if (value !== undefined) found.push(value)
      if (this.at === before) this.at++
    }
    return found
  }

  private skip(): void {
    const { text } = this
    for (;;) {
      while (this.at < text.length && /[\s,;]/.test(text[this.at] as string)) this.at++
      if (text.startsWith('//', this.at)) this.at = this.findEnd('\n')
      else if (text.startsWith('/*', this.at)) this.at = Math.min(this.findEnd('*/') + 2, text.length)
      else return
    }
  }

  private findEnd(mark: string): number {
    const end = this.text.indexOf(mark, this.at)
    return end < 0 ? this.text.length : end
  }

  private readValue(depth: number): Json | undefined {
    this.skip()
    const character = this.text[this.at]
    if (character === undefined || depth > MAX_DEPTH || ++this.values > MAX_VALUES) {
      this.at = this.text.length
      return undefined
    }
    if (character === '{') return this.readObject(depth)
    if (character === '[') return this.readArray(depth)
    if (character === '"' || character === "'") return this.readString(character)
    if (character === '}' || character === ']') return undefined
    return this.readWord()
  }

  private readObject(depth: number): Json {
    const object: { [name: string]: Json } = Object.create(null)
    this.at++
    for (;;) {
      this.skip()
      const character = this.text[this.at]
      if (character === undefined) return object
      if (character === '}') {
        this.at++
        return object
      }
      if (character === ']') return object
      const name = character === '"' || character === "'" ? this.readString(character) : this.readName()
      this.skip()
      if (this.text[this.at] !== ':') {
        if (name === '') this.at++
        continue
      }
      this.at++
      const value = this.readValue(depth + 1)
      if (value !== undefined && !(name in object)) object[name] = value
    }
  }

  private readArray(depth: number): Json {
    const list: Json[] = []
    this.at++
    for (;;) {
      this.skip()
      const character = this.text[this.at]
      if (character === undefined || character === '}') return list
      if (character === ']') {
        this.at++
        return list
      }
      const before = this.at
      const value = this.readValue(depth + 1)
      if (value !== undefined) list.push(value)
      if (this.at === before) this.at++
    }
  }

  private readString(quote: string): string {
    let value = ''
    for (this.at++; this.at < this.text.length; this.at++) {
      const character = this.text[this.at] as string
      if (character === quote) {
        this.at++
        return value
      }
      if (character !== '\\') {
        value += character
        continue
      }
      const next = this.text[++this.at] ?? ''
      const [hex] = next === 'u' ? (/^[\da-f]{4}/i.exec(this.text.slice(this.at + 1, this.at + 5)) ?? []) : []
      if (hex === undefined) value += ESCAPES[next] ?? next
      else {
        value += String.fromCharCode(Number.parseInt(hex, 16))
        this.at += 4
      }
    }
    return value
  }

  private readName(): string {
    const start = this.at
    while (this.at < this.text.length && /[\w@$:.-]/.test(this.text[this.at] as string)) {
      if (this.text[this.at] === ':' && !/\w/.test(this.text[this.at + 1] ?? '')) break
      this.at++
    }
    return this.text.slice(start, this.at)
  }

  private readWord(): Json | undefined {
    const start = this.at
    while (this.at < this.text.length && !/[\s,;:{}[\]"']/.test(this.text[this.at] as string)) this.at++
    const word = this.text.slice(start, this.at)
    if (word === 'true' || word === 'false') return word === 'true'
    if (word === 'null' || word === '') return undefined
    return /^-?\d+(?:\.\d+)?$/.test(word) ? Number(word) : word
  }
}

/** Returns the values of a JSON text, or what can be read of a broken one. */
export const readLenientJson = (text: string): unknown[] => {
  try {
    return [JSON.parse(text)]
  } catch {
    return new LenientParser(text).readAll()
  }
}
