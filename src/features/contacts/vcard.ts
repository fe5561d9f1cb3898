import { AppError } from '../../platform/errors.ts'
import {
  type ContactDetails,
  cleanNotes,
  cleanPostalAddress,
  cleanText,
  isBirthday,
  isEmptyAddress,
  MAX_ADDRESSES,
  MAX_CATEGORIES,
  MAX_LENGTH,
  MAX_PHONES,
  MAX_POSTAL_ADDRESSES,
  MAX_WEBSITES,
  normalizeAddress,
  normalizeWebsite,
  type Phone,
  type PostalAddress,
  type Website,
} from './contact.ts'

/*
 * Reads vCard 2.1, 3.0 and 4.0. The library vcard4 reads only 4.0 with CRLF; Google and Apple export 3.0,
 * Outlook 2.1 in quoted-printable, and some programs write LF or Windows-1252. Reading is linear and bounded: each
 * byte is visited a constant number of times, and pictures are never decoded. The lines of a card are kept as they are:
 * an export writes each line whose field has not changed, and all lines without a field.
 */

export const MAX_CARDS = 20_000
export const MAX_LINES_PER_CARD = 5_000
/** A photo of a contact has a few ten kilobytes. */
const MAX_LINE_BYTES = 96 * 1024
export const MAX_EXTRA_LENGTH = 128 * 1024
const MAX_FAULTS_PER_CARD = 5

export interface CardFields extends ContactDetails {
  addresses: { address: string; label: string }[]
  /** The unfolded lines of the card as vCard 3.0, separated by line feeds. */
  extra: string
}

export interface ReadCard {
  /** The first line in the file. */
  line: number
  fields: CardFields
  /** Why parts of the card were left out. */
  faults: string[]
  /** Properties without a field in a contact. They are in `extra`. */
  others: { name: string; value: string }[]
}

export interface Property {
  group: string
  name: string
  parameters: ReadonlyMap<string, readonly string[]>
  value: string
  /** The unfolded line as vCard 3.0. */
  line: string
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

const QUOTED_PRINTABLE = /^[^:]*quoted-printable/i

interface Line {
  number: number
  bytes: Buffer
  /** Whether the line is too long. Only its beginning is there. */
  isCut: boolean
}

const CUT_BYTES = 200

/**
 * Joins folded lines before decoding, because some programs fold within a character. Quoted-printable lines of vCard
 * 2.1 end with `=` instead.
 */
function* unfoldLines(file: Buffer): Generator<Line> {
  const end = file.includes(LF) ? LF : CR
  let pieces: Buffer[] | undefined
  let size = 0
  let firstNumber = 0
  let isCut = false
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
      if (pieces) yield { number: firstNumber, bytes: Buffer.concat(pieces), isCut }
      const start = line.subarray(0, 200).toString('latin1')
      pieces = []
      size = 0
      firstNumber = number
      isCut = false
      isQuoted = QUOTED_PRINTABLE.test(start)
    }
    endsSoftly = isQuoted && line.at(-1) === EQUALS
    const body = line.subarray(isFolded ? 1 : 0, endsSoftly ? -1 : undefined)
    size += body.length
    if (isCut) continue
    pieces?.push(body)
    if (size <= MAX_LINE_BYTES) continue
    isCut = true
    pieces = [Buffer.from((pieces?.[0] ?? body).subarray(0, CUT_BYTES))]
  }
  if (pieces) yield { number: firstNumber, bytes: Buffer.concat(pieces), isCut }
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

/** Parameters of vCard 2.1 that 3.0 does not have: types without a name, charsets, and other encodings. */
const isOldStyle = (head: string): boolean =>
  /;(?:charset=|encoding=(?:quoted|base64|8bit)|[^=;:"]+(?:;|$))/i.test(head)

/** Writes a line of vCard 2.1 as 3.0. */
const modernize = (full: string, parameters: Property['parameters'], value: string): string => {
  const types = (parameters.get('type') ?? []).filter(
    (type) => type !== '' && !/^(?:quoted-printable|base64|8bit|7bit)$/i.test(type),
  )
  const isBinary = [...parameters.values()].flat().some((each) => /^(?:base64|b)$/i.test(each))
  const others = [...parameters].filter(([name]) => !['type', 'charset', 'encoding'].includes(name))
  const head = [
    full.toUpperCase(),
    ...(isBinary ? ['ENCODING=b'] : []),
    ...(types.length > 0 ? [`TYPE=${types.join(',')}`] : []),
    ...others.map(([name, values]) => `${name.toUpperCase()}=${values.join(',')}`),
  ]
  return `${head.join(';')}:${value.replace(/\r\n?|\n/g, '\\n')}`
}

/** Parts of vCard 4.0 that readers of 3.0 take literally: quoted lists of types, and `tel:` and `data:` URIs. */
const QUOTED_TYPES = /;type="([\w,-]*)"/gi
const NEW_STYLE = /;type="|:(?:tel|data):/i
const DATA_URI = /^data:(?:\w+\/)?([\w.+-]+);base64,/i

/** Writes a line of vCard 4.0 as 3.0. */
const downgrade = (head: string, value: string): string => {
  const types = head.replace(QUOTED_TYPES, ';TYPE=$1')
  if (/^tel:/i.test(value)) return `${types.replace(/;value=uri/i, '')}:${value.slice('tel:'.length)}`
  const [uri, format] = DATA_URI.exec(value) ?? []
  if (uri === undefined || format === undefined) return `${types}:${value}`
  const plain = types.replace(/;(?:value|mediatype|type)=[^;]*/gi, '')
  return `${plain};ENCODING=b;TYPE=${format.toUpperCase()}:${value.slice(uri.length)}`
}

const toVersion3 = (
  head: string,
  value: string,
  { full, parameters }: { full: string; parameters: Property['parameters'] },
): string => {
  if (isOldStyle(head)) return modernize(full, parameters, value)
  return NEW_STYLE.test(`${head}:${value.slice(0, 10)}`) ? downgrade(head, value) : `${head}:${value}`
}

/** PostgreSQL stores no NUL, and a line of `extra` has no line breaks. */
const cleanLine = (text: string): string => text.replace(/[\0\r\n]+/g, '').toWellFormed()

export const readProperty = ({ bytes }: Pick<Line, 'bytes'>): Property | undefined => {
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
  const given = bytes.subarray(colon + 1)
  const value = decodeBytes(isQuoted ? decodeQuotedPrintable(given) : given, parameters.get('charset')?.[0])
  return {
    group: dot < 0 ? '' : full.slice(0, dot),
    name: full.slice(dot + 1),
    parameters,
    value,
    line: cleanLine(toVersion3(head, value, { full, parameters })),
  }
}

const unescapeText = (text: string): string =>
  text.replace(/\\(.)/gs, (_, character: string) => (/n/i.test(character) ? '\n' : character))

/** Splits a value with several components, such as `N`, and keeps their escapes. */
export const splitEscaped = (value: string): string[] =>
  (value.match(/(?:\\.|[^;\\])*(?:;|$)/gs) ?? []).map((part) => part.replace(/;$/, ''))

const splitComponents = (value: string): string[] => splitEscaped(value).map(unescapeText)

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

export const isPreferred = (property: Property): boolean =>
  typesOf(property).includes('pref') || property.parameters.has('pref')

/** Apple marks its own labels as `_$!<Other>!$_`. */
const toLabel = (property: Property, labels: ReadonlyMap<string, string>): string => {
  const custom = property.group === '' ? undefined : labels.get(property.group)
  if (custom !== undefined)
    return cleanText(
      custom.replace(/^_\$!<(.*)>!\$_$/, (_, label: string) => label.toLowerCase()),
      MAX_LENGTH.label,
    )
  const type = typesOf(property).find((each) => !PLAIN_TYPES.has(each)) ?? ''
  return cleanText(TYPE_NAMES[type] ?? type.replace(/^x-/, ''), MAX_LENGTH.label)
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
  return [...addresses].slice(0, MAX_ADDRESSES).map(([address, label]) => ({ address, label }))
}

const readPhones = (properties: readonly Property[], labels: ReadonlyMap<string, string>): Phone[] =>
  properties
    .map((property) => ({
      label: toLabel(property, labels),
      number: cleanText(unescapeText(property.value).replace(/^tel:/i, ''), MAX_LENGTH.number),
    }))
    .filter(({ number }) => number !== '')
    .slice(0, MAX_PHONES)

/** Properties that describe the file and not the person. An export writes its own. */
const TECHNICAL = new Set(['version', 'prodid', 'rev', 'begin', 'end', 'agent'])
/** Properties that say nothing to a person. */
const UNREPORTED = /^(?:uid|source|mailer|clientpidmap|sort-string|x-ab.*|x-ms-.*)$/
const BINARY = /^(?:photo|logo|sound|key)$/
const MAX_OTHER_LENGTH = 500

const toOther = ({ name, value }: Property): ReadCard['others'][number] => ({
  name,
  value: BINARY.test(name)
    ? ''
    : splitComponents(value.slice(0, MAX_OTHER_LENGTH))
        .map((part) => cleanText(part, MAX_OTHER_LENGTH))
        .filter((part) => part !== '')
        .join(', '),
})

/** Reads `1985-04-12`, `19850412T…`, `--0412`, and the year that Apple writes for an unknown one. */
const readBirthday = (property: Property | undefined): string => {
  const [, year = '', month, day] =
    /^(\d{4}|-)-?(\d{2})-?(\d{2})(?:T|\s|$)/.exec(property?.value.trim() ?? '') ?? []
  const isOmitted = property?.parameters.get('x-apple-omit-year')?.[0] === year
  const birthday = `${isOmitted ? '-' : year}-${month}-${day}`
  return isBirthday(birthday) ? birthday : ''
}

const readPostalAddress = (property: Property, labels: ReadonlyMap<string, string>): PostalAddress => {
  const [box = '', extended = '', street = '', city = '', region = '', postalCode = '', country = ''] =
    splitComponents(property.value)
  return cleanPostalAddress({
    label: toLabel(property, labels),
    street: [street, extended, box].filter((part) => part.trim() !== '').join('\n'),
    city,
    region,
    postalCode,
    country,
  })
}

const readWebsite = (property: Property, labels: ReadonlyMap<string, string>): Website[] => {
  const url = normalizeWebsite(unescapeText(property.value))
  return url === undefined ? [] : [{ label: toLabel(property, labels), url }]
}

const splitList = (value: string): string[] =>
  (value.match(/(?:\\.|[^,\\])+/gs) ?? []).map((part) => cleanText(unescapeText(part), MAX_LENGTH.category))

/** The fields of a card, without `extra`. `faults` receives the reasons for values that were left out. */
export const readFields = (properties: readonly Property[], faults: string[]): Fields => {
  const named = (name: string) => properties.filter((property) => property.name === name)
  const textOf = (name: string, longest: number): string =>
    cleanText(unescapeText(named(name)[0]?.value ?? ''), longest)
  const labels = new Map(named('x-ablabel').map(({ group, value }) => [group, unescapeText(value)]))
  const [familyName = '', givenName = '', middleName = ''] = splitComponents(named('n')[0]?.value ?? '').map(
    (part) => cleanText(part, MAX_LENGTH.name),
  )
  const [company = '', ...units] = splitComponents(named('org')[0]?.value ?? '').map((part) =>
    cleanText(part, MAX_LENGTH.organization),
  )
  const fullName = [givenName, middleName, familyName].filter((part) => part !== '').join(' ')
  const [bday] = named('bday')
  const birthday = readBirthday(bday)
  if (bday && birthday === '') faults.push(`“${cleanText(bday.value, 100)}” is not a date.`)
  const websites = named('url').flatMap((property) => readWebsite(property, labels))
  return {
    name:
      textOf('fn', MAX_LENGTH.name) ||
      fullName.slice(0, MAX_LENGTH.name) ||
      textOf('nickname', MAX_LENGTH.name),
    givenName,
    familyName,
    organization: [company, ...units]
      .filter((part) => part !== '')
      .join(', ')
      .slice(0, MAX_LENGTH.organization),
    jobTitle: textOf('title', MAX_LENGTH.organization),
    notes: cleanNotes(
      named('note')
        .map(({ value }) => unescapeText(value))
        .join('\n\n'),
    ),
    birthday,
    phones: readPhones(preferredFirst(named('tel')), labels),
    addresses: readAddresses(preferredFirst(named('email')), labels, faults),
    postalAddresses: preferredFirst(named('adr'))
      .map((property) => readPostalAddress(property, labels))
      .filter((address) => !isEmptyAddress(address))
      .slice(0, MAX_POSTAL_ADDRESSES),
    websites: websites.slice(0, MAX_WEBSITES),
    categories: [...new Set(named('categories').flatMap(({ value }) => splitList(value)))]
      .filter((category) => category !== '')
      .slice(0, MAX_CATEGORIES),
  }
}

type Fields = Omit<CardFields, 'extra'>

/** The values of properties that occur once per value. */
export const LISTS: Readonly<Record<string, (fields: Fields) => { value: string; label: string }[]>> = {
  email: ({ addresses }) => addresses.map(({ address, label }) => ({ value: address, label })),
  tel: ({ phones }) => phones.map(({ number, label }) => ({ value: number, label })),
  adr: ({ postalAddresses }) =>
    postalAddresses.map(({ label, street, city, region, postalCode, country }) => ({
      value: JSON.stringify([street, city, region, postalCode, country]),
      label,
    })),
  url: ({ websites }) => websites.map(({ url, label }) => ({ value: url, label })),
}

/** Properties with a field. */
export const FIELDS: Readonly<Record<string, (fields: Fields) => unknown>> = {
  fn: ({ name }) => name,
  n: ({ givenName, familyName }) => [givenName, familyName],
  org: ({ organization }) => organization,
  title: ({ jobTitle }) => jobTitle,
  ...LISTS,
  bday: ({ birthday }) => birthday,
  categories: ({ categories }) => categories,
  note: ({ notes }) => notes,
}

const hasField = (name: string): boolean => Object.hasOwn(FIELDS, name) || name === 'nickname'

const readCard = (line: number, properties: readonly Property[]): ReadCard => {
  const faults: string[] = []
  const fields = readFields(properties, faults)
  const kept: string[] = []
  let length = 0
  for (const property of properties) {
    length += property.line.length + 1
    if (length <= MAX_EXTRA_LENGTH) kept.push(property.line)
    else {
      length -= property.line.length + 1
      if (faults.length < MAX_FAULTS_PER_CARD)
        faults.push(`${property.name.toUpperCase()} is too long and was left out.`)
    }
  }
  return {
    line,
    faults,
    others: properties.filter(({ name }) => !hasField(name) && !UNREPORTED.test(name)).map(toOther),
    fields: { ...fields, extra: kept.join('\n') },
  }
}

const EDGE = /^(?:[\w-]+\.)?(BEGIN|END)[ \t]*:[ \t]*VCARD[ \t]*$/i
const MAX_EDGE_LENGTH = 100

/** Whether a line begins or ends a card. */
const readEdge = ({ bytes }: Line): 'begin' | 'end' | undefined =>
  bytes.length > MAX_EDGE_LENGTH
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
  const cut = new Set<string>()
  const finish = (): ReadCard => {
    const card = readCard(startLine, properties as Property[])
    properties = undefined
    if (lines > MAX_LINES_PER_CARD)
      card.faults.push(`The vCard has more than ${MAX_LINES_PER_CARD} lines. The rest was left out.`)
    for (const name of cut) card.faults.push(`${name} is too long and was left out.`)
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
      cut.clear()
      startLine = line.number
    } else if (edge === 'end') {
      depth = Math.max(0, depth - 1)
      if (depth === 0 && properties !== undefined) yield finish()
    } else if (depth === 1 && properties && ++lines <= MAX_LINES_PER_CARD) {
      const property = readProperty(line)
      if (line.isCut && cut.size < MAX_FAULTS_PER_CARD) cut.add((property?.name ?? 'A line').toUpperCase())
      if (property && !line.isCut && !TECHNICAL.has(property.name)) properties.push(property)
    }
  }
  if (properties) yield finish()
}
