/*
 * The condition of a rule is a search. The plain fields of the form are parts of it: who wrote it, to whom, what its
 * subject has, and everything else.
 */

export const PARTS = ['from', 'to', 'subject', 'words'] as const
export type Part = (typeof PARTS)[number]
export type Parts = Readonly<Record<Part, string>>

export const NO_PARTS: Parts = { from: '', to: '', subject: '', words: '' }

/** As in the service: a minus, a name with a colon, a phrase in quotes or a word. */
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

/** The first of each kind goes into its field; whatever else there is, among the words. */
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
