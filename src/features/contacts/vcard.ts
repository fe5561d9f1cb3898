import { AppError } from '../../platform/errors.ts'
import {
  type Contact,
  cleanNotes,
  cleanText,
  LONGEST,
  MOST_ADDRESSES,
  MOST_PHONES,
  normalizeAddress,
  type Phone,
} from './contact.ts'

/*
 * Reads vCard 2.1, 3.0 and 4.0, and writes 3.0. The library vcard4 reads only 4.0 with CRLF; Google and Apple export 3.0,
 * Outlook 2.1 in quoted-printable, and some programs write LF or Windows-1252. Reading is linear and bounded: each
 * byte is visited a constant number of times, and pictures are never decoded.
 */

export const MAX_CARDS = 20_000
export const MAX_LINES_PER_CARD = 5_000
const MAX_LINE_BYTES = 64 * 1024
const MAX_FAULTS_PER_CARD = 5

export interface CardFields
  extends Pick<
    Contact,
    'name' | 'givenName' | 'familyName' | 'organization' | 'jobTitle' | 'notes' | 'phones'
  > {
  addresses: { address: string; label: string }[]
}

export interface ReadCard {
  /** The first line in the file. */
  line: number
  fields: CardFields
  /** Why parts of the card were left out. */
  faults: string[]
  /** Properties without a field in a contact. Pictures and sounds have an empty value. */
  others: { name: string; value: string }[]
}

interface Property {
  group: string
  name: string
  parameters: ReadonlyMap<string, readonly string[]>
  value: string
}

const strictUtf8 = new TextDecoder('utf-8', { fatal: true })
const windows1252 = new TextDecoder('windows-1252')

const decodeBytes = (bytes: Uint8Array, charset: string | undefined): string => {
  if (charset !== undefined && !/^utf-?8$/i.test(charset))
    try {
      return new TextDecoder(charset).decode(bytes)
    } catch {
      // An unknown charset: the bytes decide.
    }
  try {
    return strictUtf8.decode(bytes)
  } catch {
    return windows1252.decode(bytes)
  }
}

/** Converts UTF-16 to UTF-8 and removes the byte order mark. */
const toUtf8 = (file: Buffer): Buffer => {
  const [first, second, third] = file
  if (first === 0xff && second === 0xfe) return Buffer.from(new TextDecoder('utf-16le').decode(file))
  if (first === 0xfe && second === 0xff) return Buffer.from(new TextDecoder('utf-16be').decode(file))
  return first === 0xef && second === 0xbb && third === 0xbf ? file.subarray(3) : file
}

const LF = 0x0a
const CR = 0x0d
const EQUALS = 0x3d
const isBlank = (byte: number | undefined): boolean => byte === 0x20 || byte === 0x09

/** Large values that are not read. */
const IGNORED = /^(?:[\w-]+\.)?(?:photo|logo|sound|key|agent)[;:]/i
const QUOTED_PRINTABLE = /^[^:]*quoted-printable/i

interface Line {
  number: number
  bytes: Buffer
}

/**
 * Joins folded lines before decoding, because some programs fold within a character. Quoted-printable lines of vCard
 * 2.1 end with `=` instead.
 */
function* unfoldLines(file: Buffer): Generator<Line> {
  const end = file.includes(LF) ? LF : CR
  let pieces: Buffer[] | undefined
  let size = 0
  let firstNumber = 0
  let isIgnored = false
  let isQuoted = false
  let endsSoftly = false
  let number = 0
  for (let at = 0; at < file.length; ) {
    const next = file.indexOf(end, at)
    const stop = next < 0 ? file.length : next
    const line = file.subarray(at, stop > at && file[stop - 1] === CR ? stop - 1 : stop)
    at = stop + 1
    number++
    const isFolded = !endsSoftly && pieces !== undefined && isBlank(line[0])
    if (!isFolded && !endsSoftly) {
      if (pieces && !isIgnored) yield { number: firstNumber, bytes: Buffer.concat(pieces) }
      const start = line.subarray(0, 200).toString('latin1')
      pieces = []
      size = 0
      firstNumber = number
      isIgnored = IGNORED.test(start)
      isQuoted = QUOTED_PRINTABLE.test(start)
    }
    endsSoftly = isQuoted && line.at(-1) === EQUALS
    const body = line.subarray(isFolded ? 1 : 0, endsSoftly ? -1 : undefined)
    size += body.length
    if (size > MAX_LINE_BYTES) isIgnored = true
    if (!isIgnored) pieces?.push(body)
  }
  if (pieces && !isIgnored) yield { number: firstNumber, bytes: Buffer.concat(pieces) }
}

const decodeQuotedPrintable = (bytes: Buffer): Buffer =>
  Buffer.from(
    bytes
      .toString('latin1')
      .replace(/=([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))),
    'latin1',
  )

const readParameters = (text: string): Map<string, string[]> => {
  const parameters = new Map<string, string[]>()
  for (const part of text.match(/(?:[^;"]|"[^"]*")+/g) ?? []) {
    const equals = part.indexOf('=')
    // vCard 2.1 names types without `TYPE=`.
    const name = equals < 0 ? 'type' : part.slice(0, equals).trim().toLowerCase()
    const values = part
      .slice(equals + 1)
      .replaceAll('"', '')
      .split(',')
      .map((value) => value.trim())
    parameters.set(name, [...(parameters.get(name) ?? []), ...values])
  }
  return parameters
}

/** Returns the index of the first colon outside quotes. */
const findColon = (text: string): number => {
  let isQuoted = false
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '"') isQuoted = !isQuoted
    else if (text[at] === ':' && !isQuoted) return at
  }
  return text.indexOf(':')
}

const readProperty = ({ bytes }: Line): Property | undefined => {
  // The name and the parameters are ASCII in practice, so the colon has the same index in both forms.
  const raw = bytes.toString('latin1')
  const colon = findColon(raw)
  if (colon < 0) return undefined
  const head = decodeBytes(bytes.subarray(0, colon), undefined)
  const semicolon = head.indexOf(';')
  const full = (semicolon < 0 ? head : head.slice(0, semicolon)).trim().toLowerCase()
  const parameters = readParameters(semicolon < 0 ? '' : head.slice(semicolon + 1))
  const dot = full.lastIndexOf('.')
  const types = [...(parameters.get('type') ?? []), ...(parameters.get('encoding') ?? [])]
  const isQuoted = types.some((type) => type.toLowerCase() === 'quoted-printable')
  const value = bytes.subarray(colon + 1)
  return {
    group: dot < 0 ? '' : full.slice(0, dot),
    name: full.slice(dot + 1),
    parameters,
    value: decodeBytes(isQuoted ? decodeQuotedPrintable(value) : value, parameters.get('charset')?.[0]),
  }
}

const unescapeText = (text: string): string =>
  text.replace(/\\(.)/gs, (_, character: string) => (/n/i.test(character) ? '\n' : character))

/** Splits a value with several components, such as `N`. */
const splitComponents = (value: string): string[] =>
  (value.match(/(?:\\.|[^;\\])*(?:;|$)/gs) ?? []).map((part) => unescapeText(part.replace(/;$/, '')))

/** Types that say nothing to a person. */
const PLAIN_TYPES = new Set([
  'internet',
  'pref',
  'voice',
  'quoted-printable',
  'x-internet',
  'main',
  'type',
  '',
])
const TYPE_NAMES: Readonly<Record<string, string>> = { cell: 'mobile', iphone: 'mobile' }

const typesOf = ({ parameters }: Property): string[] =>
  (parameters.get('type') ?? []).map((type) => type.toLowerCase())

const isPreferred = (property: Property): boolean =>
  typesOf(property).includes('pref') || property.parameters.has('pref')

/** Apple marks its own labels as `_$!<Other>!$_`. */
const toLabel = (property: Property, labels: ReadonlyMap<string, string>): string => {
  const custom = property.group === '' ? undefined : labels.get(property.group)
  if (custom !== undefined)
    return cleanText(
      custom.replace(/^_\$!<(.*)>!\$_$/, (_, label: string) => label.toLowerCase()),
      LONGEST.label,
    )
  const type = typesOf(property).find((each) => !PLAIN_TYPES.has(each)) ?? ''
  return cleanText(TYPE_NAMES[type] ?? type.replace(/^x-/, ''), LONGEST.label)
}

/** Keeps the order of the file, but puts preferred values first. */
const preferredFirst = (properties: readonly Property[]): Property[] => [
  ...properties.filter(isPreferred),
  ...properties.filter((property) => !isPreferred(property)),
]

const readAddresses = (
  properties: readonly Property[],
  labels: ReadonlyMap<string, string>,
  faults: string[],
): CardFields['addresses'] => {
  const addresses = new Map<string, string>()
  for (const property of properties) {
    const text = unescapeText(property.value)
      .replace(/^mailto:/i, '')
      .trim()
    const address = normalizeAddress(text)
    if (address !== undefined) addresses.set(address, addresses.get(address) ?? toLabel(property, labels))
    else if (text !== '' && faults.length < MAX_FAULTS_PER_CARD)
      faults.push(`“${cleanText(text, 100)}” is not an email address.`)
  }
  return [...addresses].slice(0, MOST_ADDRESSES).map(([address, label]) => ({ address, label }))
}

const readPhones = (properties: readonly Property[], labels: ReadonlyMap<string, string>): Phone[] =>
  properties
    .map((property) => ({
      label: toLabel(property, labels),
      number: cleanText(unescapeText(property.value).replace(/^tel:/i, ''), LONGEST.number),
    }))
    .filter(({ number }) => number !== '')
    .slice(0, MOST_PHONES)

/** Properties that describe the file and not the person. */
const TECHNICAL = /^(?:version|prodid|rev|uid|begin|end|source|mailer|clientpidmap|x-ab.*|x-ms-.*|x-ablabel)$/
const BINARY = /^(?:photo|logo|sound|key|agent|x-ms-cardpicture)$/
const MAX_OTHERS_PER_CARD = 30
const LONGEST_OTHER = 500

/** The components of an address or a name in one line. */
const toOther = ({ name, value }: Property): ReadCard['others'][number] => ({
  name,
  value: BINARY.test(name)
    ? ''
    : splitComponents(value)
        .map((part) => cleanText(part, LONGEST_OTHER))
        .filter((part) => part !== '')
        .join(', ')
        .slice(0, LONGEST_OTHER),
})

const isOther = (name: string): boolean => !TECHNICAL.test(name)

const readCard = (line: number, properties: readonly Property[]): ReadCard => {
  const named = (name: string) => properties.filter((property) => property.name === name)
  const textOf = (name: string, longest: number): string =>
    cleanText(unescapeText(named(name)[0]?.value ?? ''), longest)
  const labels = new Map(named('x-ablabel').map(({ group, value }) => [group, unescapeText(value)]))
  const [familyName = '', givenName = '', middleName = ''] = splitComponents(named('n')[0]?.value ?? '').map(
    (part) => cleanText(part, LONGEST.name),
  )
  const [company = '', ...units] = splitComponents(named('org')[0]?.value ?? '').map((part) =>
    cleanText(part, LONGEST.organization),
  )
  const fullName = [givenName, middleName, familyName].filter((part) => part !== '').join(' ')
  const faults: string[] = []
  return {
    line,
    faults,
    others: properties.filter(({ name }) => !READ.has(name)).map(toOther),
    fields: {
      name: textOf('fn', LONGEST.name) || fullName.slice(0, LONGEST.name) || textOf('nickname', LONGEST.name),
      givenName,
      familyName,
      organization: [company, ...units]
        .filter((part) => part !== '')
        .join(', ')
        .slice(0, LONGEST.organization),
      jobTitle: textOf('title', LONGEST.organization),
      notes: cleanNotes(
        named('note')
          .map(({ value }) => unescapeText(value))
          .join('\n\n'),
      ),
      phones: readPhones(preferredFirst(named('tel')), labels),
      addresses: readAddresses(preferredFirst(named('email')), labels, faults),
    },
  }
}

const READ = new Set(['fn', 'n', 'nickname', 'org', 'title', 'note', 'tel', 'email', 'x-ablabel'])

const EDGE = /^(?:[\w-]+\.)?(BEGIN|END)[ \t]*:[ \t]*VCARD[ \t]*$/i
const LONGEST_EDGE = 100

/** Whether a line begins or ends a card. */
const readEdge = ({ bytes }: Line): 'begin' | 'end' | undefined =>
  bytes.length > LONGEST_EDGE
    ? undefined
    : (EDGE.exec(bytes.toString('latin1'))?.[1]?.toLowerCase() as 'begin' | 'end' | undefined)

/**
 * Reads the vCards of a file one after another. A card without an end is read as far as it goes. Lines outside of cards
 * and above the limit are not parsed.
 */
export function* readCards(file: Buffer): Generator<ReadCard> {
  let properties: Property[] | undefined
  let startLine = 0
  let depth = 0
  let cards = 0
  let lines = 0
  let others = 0
  const finish = (): ReadCard => {
    const card = readCard(startLine, properties as Property[])
    properties = undefined
    if (lines > MAX_LINES_PER_CARD)
      card.faults.push(`The vCard has more than ${MAX_LINES_PER_CARD} lines. The rest was left out.`)
    return card
  }
  for (const line of unfoldLines(toUtf8(file))) {
    const edge = readEdge(line)
    if (edge === 'begin') {
      if (++cards > MAX_CARDS)
        throw new AppError(
          'too_large',
          'too_large',
          `The file has more than ${MAX_CARDS} vCards. Split the file.`,
        )
      depth++
      // A card inside another one describes an agent. A card after an unfinished one starts anew.
      if (depth > 1 && properties !== undefined) continue
      properties = []
      lines = 0
      others = 0
      startLine = line.number
    } else if (edge === 'end') {
      depth = Math.max(0, depth - 1)
      if (depth === 0 && properties !== undefined) yield finish()
    } else if (depth === 1 && properties && ++lines <= MAX_LINES_PER_CARD) {
      const property = readProperty(line)
      if (!property) continue
      if (READ.has(property.name)) properties.push(property)
      else if (isOther(property.name) && others++ < MAX_OTHERS_PER_CARD) properties.push(property)
    }
  }
  if (properties) yield finish()
}

const escapeText = (text: string): string => text.replace(/[\\;,]/g, '\\$&').replace(/\r\n?|\n/g, '\\n')

const FOLD_BYTES = 75

/** RFC 2425, section 5.8.1: lines of at most 75 bytes, never split within a character. */
const fold = (line: string): string => {
  if (Buffer.byteLength(line) <= FOLD_BYTES) return line
  const lines: string[] = []
  let current = ''
  let bytes = 0
  for (const character of line) {
    const size = Buffer.byteLength(character)
    if (bytes + size > FOLD_BYTES) {
      lines.push(current)
      current = ' '
      bytes = 1
    }
    current += character
    bytes += size
  }
  return [...lines, current].join('\r\n')
}

const typeOf = (label: string): string => {
  const type = label.toLowerCase() === 'mobile' ? 'cell' : label.toLowerCase()
  return /^(?:home|work|cell|fax|pager|other)$/.test(type) ? `;TYPE=${type}` : ''
}

/** Writes a contact as vCard 3.0, the newest version that Outlook, Google and Apple all import. */
export const writeCard = (contact: Contact): string => {
  const { name, givenName, familyName, organization, jobTitle, notes, phones, addresses } = contact
  const displayName = name || organization || addresses[0]?.address || ''
  const hasParts = givenName !== '' || familyName !== ''
  let groups = 0
  const labelled = (property: string, type: string, label: string, value: string): string[] => {
    const kind = typeOf(label)
    if (kind !== '' || label === '') return [`${property}${type}${kind}:${escapeText(value)}`]
    const group = `item${++groups}`
    return [`${group}.${property}${type}:${escapeText(value)}`, `${group}.X-ABLabel:${escapeText(label)}`]
  }
  const lines = [
    'BEGIN:VCARD',
    'VERSION:3.0',
    `FN:${escapeText(displayName)}`,
    hasParts ? `N:${escapeText(familyName)};${escapeText(givenName)};;;` : `N:${escapeText(displayName)};;;;`,
    ...(organization === '' ? [] : [`ORG:${escapeText(organization)}`]),
    ...(jobTitle === '' ? [] : [`TITLE:${escapeText(jobTitle)}`]),
    ...addresses.flatMap(({ address, label }) => labelled('EMAIL', ';TYPE=INTERNET', label, address)),
    ...phones.flatMap(({ number, label }) => labelled('TEL', '', label, number)),
    ...(notes === '' ? [] : [`NOTE:${escapeText(notes)}`]),
    'END:VCARD',
  ]
  return `${lines.map(fold).join('\r\n')}\r\n`
}
