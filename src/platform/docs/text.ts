import { html, type Piece, type SafeHtml } from './html.ts'

const withCode = (text: string): SafeHtml[] =>
  text.split(/`([^`]+)`/).map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`))

/** One line of prose: what stands in backticks is code. */
export const line = (text: string | undefined): SafeHtml => html`${withCode(text ?? '')}`

/** Prose as the API's description has it: blank lines part paragraphs, backticks mark code, nothing else is markup. */
export const prose = (text: string | undefined): SafeHtml =>
  html`${(text ?? '')
    .split(/\n[ \t]*\n/)
    .filter((paragraph) => paragraph.trim() !== '')
    .map((paragraph) => html`<p>${withCode(paragraph.trim())}</p>\n`)}`

/** a, b or c */
export const either = (items: readonly Piece[]): SafeHtml =>
  html`${items.map((item, index) => {
    const before = index === 0 ? '' : index === items.length - 1 ? ' or ' : ', '
    return html`${before}${item}`
  })}`

/** What an id or a fragment may hold; operation ids, error codes and schema names stay as they are. */
export const anchor = (name: string): string => name.replace(/[^\w.-]+/g, '-')

/** A long path may break after each slash. */
export const breakable = (path: string): SafeHtml =>
  html`${path.split(/(?<=\/)/).map((part, index) => html`${index > 1 && html`<wbr>`}${part}`)}`

const KEY = /^(\s*)("(?:[^"\\]|\\.)*")(?=: )/

/** Indented JSON has one key a line, which is all that its colouring needs. */
const jsonLine = (text: string): SafeHtml => {
  const [whole = '', indent = '', key] = KEY.exec(text) ?? []
  return html`${indent}${key !== undefined && html`<span class="key">${key}</span>`}${text.slice(whole.length)}`
}

const codeBlock = (label: string, kind: string, code: Piece): SafeHtml =>
  html`<figure class="sample"><figcaption>${label}</figcaption>
<pre class="${kind}" tabindex="0" role="group" aria-label="${label}"><code>${code}</code></pre></figure>\n`

/** A value that is sent or answered: JSON, or text as it is. */
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
