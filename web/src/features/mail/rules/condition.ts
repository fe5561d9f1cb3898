/* The condition of a rule is a search query. The form fields are parts of it: sender, recipient, subject
   and other terms. */

export const PARTS = ['from', 'to', 'subject', 'words'] as const
export type Part = (typeof PARTS)[number]
export type Parts = Readonly<Record<Part, string>>

export const NO_PARTS: Parts = { from: '', to: '', subject: '', words: '' }

/** Same term syntax as the service: minus sign, operator with colon, quoted phrase or word. */
const TERM = /(-?)(?:([a-z]+):)?(?:"([^"]*)(?:"|$)|(\S+))(\*?)/giu

const written = (name: string, value: string): string => {
  const words = value.replaceAll('"', ' ').trim().replace(/\s+/g, ' ')
  if (words === '') return ''
  return words.includes(' ') ? `${name}:"${words}"` : `${name}:${words}`
}

export const compose = ({ from, to, subject, words }: Parts): string =>
  [written('from', from), written('to', to), written('subject', subject), words.trim()]
    .filter((part) => part !== '')
    .join(' ')

/**
 * Splits a query into the form fields. The first term of each operator fills its field, all others go to
 * `words`.
 */
export const partsOf = (q: string): Parts => {
  const parts: Record<Part, string> = { ...NO_PARTS }
  const rest: string[] = []
  for (const [term, minus, name = '', quoted, word = '', star] of q.matchAll(TERM)) {
    const part = PARTS.find((one) => one !== 'words' && one === name.toLowerCase())
    const isPlain = minus === '' && (quoted === undefined || star === '')
    if (part && isPlain && parts[part] === '') parts[part] = quoted ?? word
    else rest.push(term)
  }
  return { ...parts, words: rest.join(' ') }
}
