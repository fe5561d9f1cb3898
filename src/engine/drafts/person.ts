import { splitMail } from '../history.ts'

/** Whom an answer greets. */
export interface Person {
  /** "Ana Bell"; empty when nobody is known. */
  full: string
  /** "Ana". */
  first: string
  /** "Bell", when there is one. */
  last: string
  /** "Dr.", "Prof. Dr."; empty without one. */
  title: string
}

export const NOBODY: Person = { full: '', first: '', last: '', title: '' }

const TITLES = /^(?:(?:prof|dr|dipl|ing|mag|mr|mrs|ms|miss|herr|frau|hr|fr)\.?(?:-ing\.?)?\s+)+/iu
/** Signed on behalf of somebody. */
const FOR_ANOTHER = /^(?:i\.?\s?[av]\.?|ppa\.?|p\.?p\.?)\s+(?=\p{Lu})/iu
const LEARNED = /\b(?:prof|dr)\b\.?/giu
const OFFICE =
  /\b(?:team|support|service|services|sales|info|office|büro|newsletter|news|billing|accounts?|help|helpdesk|desk|admin|group|gmbh|inc|llc|ltd|ag|kg|ug|corp|company|shop|store|hr|jobs|career|kontakt|contact|vertrieb|buchhaltung|kundenservice|notifications?|alerts?|no-?reply|system|bot|mailer|daemon|department|abteilung|praxis|bank|university|universität|hotel|restaurant|einkauf|verkauf|personal|verwaltung|sekretariat|marketing|finance|procurement|reception|empfang|redaktion|versand|logistik|booking|bookings|firma|care|customer|editors?|journal|kundenbetreuung)\b/iu
const WORD = /^\p{Lu}[\p{L}'’.-]{0,29}$/u
const PARTICLE = /^(?:von|van|de|der|den|del|della|di|da|dos|zu|zur|bin|al|el|la|le|ten|ter)$/iu

const wordsOf = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '')

/** A name as people write it, or nobody when it is an office, an address or something else. */
export const readName = (text: string): Person => {
  const plain = text
    .slice(0, 100)
    .replace(/["“”„(<[].*?[)>\]"“”]|["“”„]/gu, (part) => (/^["“„]/.test(part) ? part.slice(1, -1) : ''))
  const turned = plain.includes(',') ? plain.split(',').slice(0, 2).toReversed().join(' ') : plain
  const tidy = turned.replace(/\s+/g, ' ').trim().replace(FOR_ANOTHER, '')
  if (tidy === '' || /[@\d|/\\]/.test(tidy) || OFFICE.test(tidy)) return NOBODY
  const title = (TITLES.exec(tidy)?.[0].match(LEARNED) ?? [])
    .map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1).toLowerCase().replace(/\.?$/, '.')}`)
    .join(' ')
  const written = wordsOf(tidy.replace(TITLES, ''))
  // All in small letters, as some sign: a name of one or two words.
  const isSmall = written.length <= 2 && written.every((word) => /^\p{Ll}[\p{Ll}'’-]{1,19}$/u.test(word))
  const names = isSmall ? written.map((word) => word.charAt(0).toUpperCase() + word.slice(1)) : written
  if (names.length === 0 || names.length > 5) return NOBODY
  if (!names.every((word) => WORD.test(word) || PARTICLE.test(word))) return NOBODY
  // A shouted name is said quietly.
  const calm = names.map((word) =>
    word.length > 2 && word === word.toUpperCase() ? word.charAt(0) + word.slice(1).toLowerCase() : word,
  )
  const [first = '', ...rest] = calm
  const from = rest.findIndex((word) => PARTICLE.test(word))
  const last = from >= 0 ? rest.slice(from).join(' ') : (rest.at(-1) ?? '')
  return { full: calm.join(' '), first, last, title }
}

/** Who signed the mail: the first line below the closing that reads like a name. */
export const signerOf = (text: string): Person => {
  const lines = splitMail(text.slice(0, 30_000))
    .filter(({ kind }) => kind === 'signature')
    .slice(1, 6)
    .map(({ from, to }) => text.slice(from, Math.min(to, from + 100)).trim())
  const line = lines.find((each) => each !== '')
  return line === undefined ? NOBODY : readName(line.replace(/[,.]$/, ''))
}

const isSame = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()

/**
 * Whom to greet: who signed, when the sender is an office or the signature says the same in full; else who is said to
 * have sent it.
 */
export const personOf = (fromName: string, text: string): Person => {
  const [sender, signer] = [readName(fromName), signerOf(text)]
  if (sender.full === '') return signer
  if (signer.last === '' && isSame(signer.first, sender.first)) return sender
  if (sender.last === '' && isSame(signer.first, sender.first)) return signer
  // "Bob" signs what Robert Miller sends; an assistant signs with a name of her own.
  return signer.full !== '' && signer.last === '' ? { ...sender, first: signer.first } : sender
}
