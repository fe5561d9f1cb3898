const SAFE = Symbol('safe html')

/** A piece of markup that is safe as it is. The key is a symbol, so nothing that came in as JSON can pass for one. */
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

/** Marks text as markup. Only for what this program wrote itself. */
export const raw = (markup: string): SafeHtml => ({ [SAFE]: markup })

/** Markup in which every inserted text is escaped; lists are joined, `false` and `undefined` leave nothing. */
export const html = (parts: TemplateStringsArray, ...pieces: readonly Piece[]): SafeHtml =>
  raw(parts.map((part, index) => part + write(pieces[index])).join(''))

export const toText = (markup: SafeHtml): string => markup[SAFE]
