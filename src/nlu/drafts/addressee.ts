import { splitMail } from '../history.ts'

/** The person that a reply addresses. */
export interface Person {
  /** For example "Ana Bell"; empty if the name is unknown. */
  full: string
  /** For example "Ana". */
  first: string
  /** For example "Bell"; empty if unknown. */
  last: string
  /** For example "Dr." or "Prof. Dr."; empty if there is none. */
  title: string
}

const NO_PERSON: Person = { full: '', first: '', last: '', title: '' }

const TITLES = /^(?:(?:prof|dr|dipl|ing|mag|mr|mrs|ms|miss|herr|frau|hr|fr)\.?(?:-ing\.?)?\s+)+/iu
/** A prefix such as "i. A." marks a signature on behalf of somebody. */
const FOR_ANOTHER = /^(?:i\.?\s?[av]\.?|ppa\.?|p\.?p\.?)\s+(?=\p{Lu})/iu
const ACADEMIC_TITLE = /\b(?:prof|dr)\b\.?/giu
const ORGANIZATION =
  /\b(?:team|support|service|services|sales|info|office|büro|newsletter|news|billing|accounts?|help|helpdesk|desk|admin|group|gmbh|inc|llc|ltd|ag|kg|ug|corp|company|shop|store|hr|jobs|career|kontakt|contact|vertrieb|buchhaltung|kundenservice|notifications?|alerts?|no-?reply|system|bot|mailer|daemon|department|abteilung|praxis|bank|university|universität|hotel|restaurant|einkauf|verkauf|personal|verwaltung|sekretariat|marketing|finance|procurement|reception|empfang|redaktion|versand|logistik|booking|bookings|firma|care|customer|editors?|journal|kundenbetreuung)\b/iu
const WORD = /^\p{Lu}[\p{L}'’.-]{0,29}$/u
const PARTICLE = /^(?:von|van|de|der|den|del|della|di|da|dos|zu|zur|bin|al|el|la|le|ten|ter)$/iu

const splitWords = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '')

/** Parses a personal name. Returns `NO_PERSON` for an organization, an address or other text. */
export const readName = (text: string): Person => {
  const plain = text
    .slice(0, 100)
    .replace(/["“”„(<[].*?[)>\]"“”]|["“”„]/gu, (part) => (/^["“„]/.test(part) ? part.slice(1, -1) : ''))
  const reordered = plain.includes(',') ? plain.split(',').slice(0, 2).toReversed().join(' ') : plain
  const cleaned = reordered.replace(/\s+/g, ' ').trim().replace(FOR_ANOTHER, '')
  if (cleaned === '' || /[@\d|/\\]/.test(cleaned) || ORGANIZATION.test(cleaned)) return NO_PERSON
  const title = (TITLES.exec(cleaned)?.[0].match(ACADEMIC_TITLE) ?? [])
    .map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1).toLowerCase().replace(/\.?$/, '.')}`)
    .join(' ')
  const written = splitWords(cleaned.replace(TITLES, ''))
  // Some people sign in lower case. Accept this for names of one or two words.
  const isLowerCase = written.length <= 2 && written.every((word) => /^\p{Ll}[\p{Ll}'’-]{1,19}$/u.test(word))
  const names = isLowerCase ? written.map((word) => word.charAt(0).toUpperCase() + word.slice(1)) : written
  if (names.length === 0 || names.length > 5) return NO_PERSON
  if (!names.every((word) => WORD.test(word) || PARTICLE.test(word))) return NO_PERSON
  // Capitalize a name that is written in upper case.
  const capitalized = names.map((word) =>
    word.length > 2 && word === word.toUpperCase() ? word.charAt(0) + word.slice(1).toLowerCase() : word,
  )
  const [first = '', ...rest] = capitalized
  const from = rest.findIndex((word) => PARTICLE.test(word))
  const last = from >= 0 ? rest.slice(from).join(' ') : (rest.at(-1) ?? '')
  return { full: capitalized.join(' '), first, last, title }
}

/** Finds the signer: the first line after the closing, if it is a name. */
export const findSigner = (text: string): Person => {
  const lines = splitMail(text.slice(0, 30_000))
    .filter(({ kind }) => kind === 'signature')
    .slice(1, 6)
    .map(({ from, to }) => text.slice(from, Math.min(to, from + 100)).trim())
  const line = lines.find((each) => each !== '')
  return line === undefined ? NO_PERSON : readName(line.replace(/[,.]$/, ''))
}

const isSame = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()

/**
 * Picks the person to address. This is the signer if the sender is an organization or if the signature has
 * the full name. Otherwise it is the sender.
 */
export const findAddressee = (fromName: string, text: string): Person => {
  const [sender, signer] = [readName(fromName), findSigner(text)]
  if (sender.full === '') return signer
  if (signer.last === '' && isSame(signer.first, sender.first)) return sender
  if (sender.last === '' && isSame(signer.first, sender.first)) return signer
  // "Bob" may sign an email from Robert Miller. An assistant signs with another full name.
  return signer.full !== '' && signer.last === '' ? { ...sender, first: signer.first } : sender
}
