/** Overlay options, all from the query string. */
export interface Options {
  token: string | null
  language: string | null
  show: ReadonlySet<'captions' | 'milestones' | 'title'>
  /** Number of visible caption lines. */
  lines: number
  /** Seconds until a caption disappears; 0: only when the next one arrives. */
  linger: number
  position: 'top' | 'middle' | 'bottom'
  align: 'left' | 'center' | 'right'
  corner: 'top-left' | 'top-right' | 'bottom-left' | 'bottom-right'
  /** CSS custom properties. */
  style: Readonly<Record<string, string>>
}

const PARTS = ['captions', 'milestones', 'title'] as const

const oneOf = <T extends string>(value: string | null, allowed: readonly [T, ...T[]]): T =>
  allowed.find((one) => one === value) ?? allowed[0]

const numberIn = (value: string | null, low: number, high: number, otherwise: number): number => {
  const number = value === null || value.trim() === '' ? Number.NaN : Number(value)
  return Number.isFinite(number) ? Math.min(high, Math.max(low, number)) : otherwise
}

/** Accepts `ff8800` as well as `#ff8800`, since `#` must be escaped in a URL. Ignores invalid colors. */
const colorOf = (value: string | null, otherwise: string): string => {
  if (value === null) return otherwise
  const color = /^[\da-f]{3,8}$/i.test(value) ? `#${value}` : value
  return CSS.supports('color', color) ? color : otherwise
}

export const readOptions = (search: string): Options => {
  const given = new URLSearchParams(search)
  const wanted = (given.get('show') ?? 'captions,milestones').split(',')
  return {
    token: given.get('token'),
    language: given.get('language'),
    show: new Set(PARTS.filter((part) => wanted.includes(part))),
    lines: Math.round(numberIn(given.get('lines'), 1, 8, 3)),
    linger: numberIn(given.get('linger'), 0, 3600, 30),
    position: oneOf(given.get('position'), ['bottom', 'top', 'middle']),
    align: oneOf(given.get('align'), ['center', 'left', 'right']),
    corner: oneOf(given.get('corner'), ['top-right', 'top-left', 'bottom-left', 'bottom-right']),
    style: {
      '--overlay-size': `${numberIn(given.get('size'), 10, 200, 40)}px`,
      '--overlay-width': `${numberIn(given.get('width'), 20, 100, 80)}%`,
      '--overlay-color': colorOf(given.get('color'), '#ffffff'),
      '--overlay-background': colorOf(given.get('background'), '#000000b3'),
      '--overlay-accent': colorOf(given.get('accent'), '#5ac8a8'),
    },
  }
}
