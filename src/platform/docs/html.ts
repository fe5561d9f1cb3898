import { readFileSync } from 'node:fs'

/** One file per subject, in cascade order. */
const STYLESHEETS = [
  new URL('./stylesheets/colours.css', import.meta.url),
  new URL('./stylesheets/text.css', import.meta.url),
  new URL('./stylesheets/contents.css', import.meta.url),
  new URL('./stylesheets/chapters.css', import.meta.url),
  new URL('./stylesheets/fields.css', import.meta.url),
  new URL('./stylesheets/samples.css', import.meta.url),
  new URL('./stylesheets/print.css', import.meta.url),
]

/**
 * Reads the stylesheet of the reference. It never changes while the process runs, so callers read it once.
 */
export const readDocsStyle = (): string => STYLESHEETS.map((file) => readFileSync(file, 'utf8')).join('\n')

const SAFE = Symbol('safe html')

/**
 * Markup that needs no escaping. The key is a symbol, so an object that was parsed from JSON cannot imitate
 * one.
 */
export interface SafeHtml {
  readonly [SAFE]: string
}

export type Piece = SafeHtml | string | number | false | undefined | readonly Piece[]

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escapeText = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => ENTITIES[character] as string)

const isSafe = (piece: object): piece is SafeHtml => SAFE in piece

const write = (piece: Piece): string => {
  if (piece === undefined || piece === false) return ''
  if (typeof piece !== 'object') return escapeText(String(piece))
  return isSafe(piece) ? piece[SAFE] : piece.map(write).join('')
}

/** Marks text as safe markup. Only for text that this program wrote. */
export const raw = (markup: string): SafeHtml => ({ [SAFE]: markup })

/**
 * Template tag that escapes every inserted text. Lists are joined; `false` and `undefined` render nothing.
 */
export const html = (parts: TemplateStringsArray, ...pieces: readonly Piece[]): SafeHtml =>
  raw(parts.map((part, index) => part + write(pieces[index])).join(''))

export const toText = (markup: SafeHtml): string => markup[SAFE]

const withCode = (text: string): SafeHtml[] =>
  text.split(/`([^`]+)`/).map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`))

/** Renders one line of text; backticks mark code. */
export const line = (text: string | undefined): SafeHtml => html`${withCode(text ?? '')}`

/** Renders descriptions: blank lines separate paragraphs, backticks mark code, nothing else is markup. */
export const prose = (text: string | undefined): SafeHtml =>
  html`${(text ?? '')
    .split(/\n[ \t]*\n/)
    .filter((paragraph) => paragraph.trim() !== '')
    .map((paragraph) => html`<p>${withCode(paragraph.trim())}</p>\n`)}`

/** Joins items: a, b or c. */
export const either = (items: readonly Piece[]): SafeHtml =>
  html`${items.map((item, index) => {
    const before = index === 0 ? '' : index === items.length - 1 ? ' or ' : ', '
    return html`${before}${item}`
  })}`

/** Converts a name to a valid id or fragment. Operation ids, error codes and schema names stay unchanged. */
export const anchor = (name: string): string => name.replace(/[^\w.-]+/g, '-')

/** Lets a long path break after each slash. */
export const breakable = (path: string): SafeHtml =>
  html`${path.split(/(?<=\/)/).map((part, index) => html`${index > 1 && html`<wbr>`}${part}`)}`

const KEY = /^(\s*)("(?:[^"\\]|\\.)*")(?=: )/

/** Indented JSON has one key per line, which is all that the highlighting needs. */
const jsonLine = (text: string): SafeHtml => {
  const [whole = '', indent = '', key] = KEY.exec(text) ?? []
  return html`${indent}${key !== undefined && html`<span class="key">${key}</span>`}${text.slice(whole.length)}`
}

const codeBlock = (label: string, kind: string, code: Piece): SafeHtml =>
  html`<figure class="sample"><figcaption>${label}</figcaption>
<pre class="${kind}" tabindex="0" role="group" aria-label="${label}"><code>${code}</code></pre></figure>\n`

/** Renders an example value: JSON, or plain text. */
export const sample = (label: string, value: unknown): SafeHtml => {
  const text = typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? '')
  const lines = text.split('\n')
  return codeBlock(
    label,
    'value',
    lines.map((one, index) => html`${index > 0 && '\n'}${jsonLine(one)}`),
  )
}

export const command = (label: string, text: string): SafeHtml => codeBlock(label, 'command', text)
