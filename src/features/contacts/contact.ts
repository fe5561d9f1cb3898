import type { Selectable } from 'kysely'
import Type, { type Static } from 'typebox'
import { columns, flag, json } from '../../database/entity.ts'
import { foldText } from '../../database/full-text/full-text.ts'
import type { ContactAddressRow, ContactRow } from '../../database/tables/contacts.ts'
import { foldWords } from '../../database/word-index.ts'
import { toSortedJson } from '../../platform/fingerprint.ts'
import { Instant, Nullable } from '../../platform/http/shapes.ts'

/* The definition of a contact: its fields, their API schema, and their columns. */

export const MAX_ADDRESSES = 50
export const MAX_PHONES = 20
export const MAX_POSTAL_ADDRESSES = 10
export const MAX_WEBSITES = 20
export const MAX_CATEGORIES = 30
export const MAX_LENGTH = {
  name: 200,
  organization: 200,
  label: 50,
  number: 50,
  notes: 10_000,
  address: 254,
  street: 500,
  place: 200,
  url: 2000,
  category: 50,
}

export const ContactId = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, examples: [12] })
const Label = Type.String({ maxLength: MAX_LENGTH.label, examples: ['work'], description: 'Empty if none' })

const Phone = Type.Object(
  {
    label: Label,
    number: Type.String({ minLength: 1, maxLength: MAX_LENGTH.number, examples: ['+43 1 234567'] }),
  },
  { title: 'ContactPhone', additionalProperties: false },
)
export type Phone = Static<typeof Phone>

const Address = Type.Object(
  {
    address: Type.String({ examples: ['ana@example.org'], description: 'In lower case' }),
    label: Label,
    sent: Type.Integer({ examples: [12], description: 'Emails that you sent to it' }),
    received: Type.Integer({ examples: [30], description: 'Emails that you received from it' }),
    lastUsedAt: Nullable(Instant),
  },
  { title: 'ContactAddress' },
)
export type ContactAddress = Static<typeof Address>

const Place = Type.String({ maxLength: MAX_LENGTH.place, examples: ['Vienna'] })
const PostalAddress = Type.Object(
  {
    label: Label,
    street: Type.String({
      maxLength: MAX_LENGTH.street,
      examples: ['Ringstraße 1'],
      description: 'Street with number, post office box and apartment, in several lines if needed',
    }),
    city: Place,
    region: Type.String({ maxLength: MAX_LENGTH.place, examples: ['Lower Austria'] }),
    postalCode: Type.String({ maxLength: MAX_LENGTH.label, examples: ['1010'] }),
    country: Type.String({ maxLength: MAX_LENGTH.place, examples: ['Austria'] }),
  },
  { title: 'ContactPostalAddress', additionalProperties: false },
)
export type PostalAddress = Static<typeof PostalAddress>

const Website = Type.Object(
  {
    label: Label,
    url: Type.String({
      maxLength: MAX_LENGTH.url,
      pattern: '^https?://[^\\s]+$',
      examples: ['https://example.org'],
    }),
  },
  { title: 'ContactWebsite', additionalProperties: false },
)
export type Website = Static<typeof Website>

const listFields = {
  postalAddresses: Type.Array(PostalAddress, { maxItems: MAX_POSTAL_ADDRESSES }),
  websites: Type.Array(Website, { maxItems: MAX_WEBSITES }),
  categories: Type.Array(
    Type.String({ minLength: 1, maxLength: MAX_LENGTH.category, examples: ['Friends'] }),
    {
      maxItems: MAX_CATEGORIES,
    },
  ),
}
export type ListFields = Pick<Contact, keyof typeof listFields>
export const LIST_FIELDS = Object.keys(listFields) as (keyof typeof listFields)[]
const MAX_ITEMS: Readonly<Record<keyof typeof listFields, number>> = {
  postalAddresses: MAX_POSTAL_ADDRESSES,
  websites: MAX_WEBSITES,
  categories: MAX_CATEGORIES,
}

/** Joins the lists of several contacts. Each value occurs once. */
export const joinLists = (contacts: readonly ListFields[]): ListFields =>
  Object.fromEntries(
    LIST_FIELDS.map((field) => {
      const values = contacts.flatMap((contact) => contact[field] as unknown[])
      const unique = new Map(values.map((value) => [toSortedJson(value).toLowerCase(), value]))
      return [field, [...unique.values()].slice(0, MAX_ITEMS[field])]
    }),
  ) as unknown as ListFields

const textFields = {
  name: Type.String({ maxLength: MAX_LENGTH.name, examples: ['Ana Ruiz'], description: 'The display name' }),
  givenName: Type.String({ maxLength: MAX_LENGTH.name, examples: ['Ana'] }),
  familyName: Type.String({ maxLength: MAX_LENGTH.name, examples: ['Ruiz'] }),
  organization: Type.String({ maxLength: MAX_LENGTH.organization, examples: ['Falk Architekten'] }),
  jobTitle: Type.String({ maxLength: MAX_LENGTH.organization, examples: ['Architect'] }),
  notes: Type.String({ maxLength: MAX_LENGTH.notes, examples: ['Prefers calls before noon'] }),
  birthday: Type.String({
    pattern: '^(?:|(?:[0-9]{4}|-)-[0-9]{2}-[0-9]{2})$',
    examples: ['1985-04-12'],
    description: '`1985-04-12`, or `--04-12` without the year. Empty if unknown',
  }),
}
export const TEXT_FIELDS = Object.keys(textFields) as (keyof typeof textFields)[]

/** The fields that a user edits, except the addresses, which have a table of their own. */
const Details = Type.Object({
  ...textFields,
  phones: Type.Array(Phone, { maxItems: MAX_PHONES }),
  ...listFields,
})
export type ContactDetails = Static<typeof Details>

export const NO_DETAILS = {
  ...(Object.fromEntries(TEXT_FIELDS.map((field) => [field, ''])) as Pick<
    ContactDetails,
    (typeof TEXT_FIELDS)[number]
  >),
  phones: [],
  postalAddresses: [],
  websites: [],
  categories: [],
} satisfies ContactDetails

const ContactFields = Type.Object({
  id: ContactId,
  ...Details.properties,
  isKnown: Type.Boolean({
    examples: [true],
    description: 'Whether you saved the contact, or have written to it',
  }),
  createdAt: Instant,
  updatedAt: Instant,
})

export const Contact = Type.Object(
  { ...ContactFields.properties, addresses: Type.Array(Address) },
  { title: 'Contact' },
)
export type Contact = Static<typeof Contact>

/** A contact with its version, which the ETag needs, and the lines of its vCards, which the API never returns. */
export type VersionedContact = Contact & { version: number; extra: string }

const AddressInput = Type.Object(
  {
    address: Type.String({ minLength: 3, maxLength: MAX_LENGTH.address, examples: ['ana@example.org'] }),
    label: Type.Optional(Label),
  },
  { title: 'ContactAddressInput', additionalProperties: false },
)
const Addresses = Type.Array(AddressInput, {
  maxItems: MAX_ADDRESSES,
  description: 'Complete list, the preferred address first',
})

const inputFields = { ...Type.Partial(Details).properties, addresses: Type.Optional(Addresses) }

export const NewContact = Type.Object(inputFields, {
  additionalProperties: false,
  title: 'NewContact',
  examples: [{ name: 'Ana Ruiz', addresses: [{ address: 'ana@example.org', label: 'work' }] }],
})
export type NewContact = Static<typeof NewContact>

export const ContactChange = Type.Object(inputFields, {
  additionalProperties: false,
  title: 'ContactChange',
  examples: [{ organization: 'Falk Architekten' }],
})
export type ContactChange = Static<typeof ContactChange>

type ContactRecord = Selectable<ContactRow>
type AddressRecord = Selectable<ContactAddressRow>

/** The columns of a contact that must have a value. */
export const BLANK_ROW = {
  name: '',
  givenName: '',
  familyName: '',
  organization: '',
  jobTitle: '',
  notes: '',
  phones: '[]',
}

const encodings = { phones: json, postalAddresses: json, websites: json, categories: json }
export const detailColumns = columns(Details, encodings)
const contactColumns = columns(ContactFields, { ...encodings, isKnown: flag })

const toAddress = ({ address, label, sent, received, lastUsedAt }: AddressRecord): ContactAddress => ({
  address,
  label,
  sent,
  received,
  lastUsedAt,
})

export const toContact = (row: ContactRecord, addresses: readonly AddressRecord[]): VersionedContact => ({
  ...contactColumns.fromRow(row),
  addresses: addresses.map(toAddress),
  version: row.version,
  extra: row.extra,
})

const ADDRESS = /^[^\s@<>,;:"()[\]\\\p{Cc}]{1,200}@[^\s@<>,;:"()[\]\\\p{Cc}]{1,200}$/u

/** Returns the address in lower case, or undefined if the text is not an address. */
export const normalizeAddress = (text: string): string | undefined => {
  const address = text.trim().toLowerCase()
  return address.length <= MAX_LENGTH.address && address.isWellFormed() && ADDRESS.test(address)
    ? address
    : undefined
}

export const toLocalPart = (address: string): string => address.slice(0, address.lastIndexOf('@'))

/** Removes control characters, which PostgreSQL may reject, and repeated spaces. */
export const cleanText = (text: string, longest: number): string =>
  text
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, longest)
    .toWellFormed()

/** Cleans a text of several lines. */
export const cleanNotes = (text: string): string =>
  text
    .replace(/\r\n?/g, '\n')
    .replace(/[^\P{Cc}\n\t]+/gu, '')
    .trim()
    .slice(0, MAX_LENGTH.notes)
    .toWellFormed()

const BIRTHDAY = /^(\d{4}|-)-(\d{2})-(\d{2})$/
/** A leap year: 29 February without a year is a date. */
const ANY_YEAR = 2000

/** Whether the text is a date of the calendar, with or without a year. */
export const isBirthday = (text: string): boolean => {
  const [, year = '', month, day] = BIRTHDAY.exec(text) ?? []
  if (year === '') return false
  const date = new Date(0)
  date.setUTCFullYear(year === '-' ? ANY_YEAR : Number(year), Number(month) - 1, Number(day))
  return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day)
}

/** Returns the address of a page, or undefined if the text is none. Some programs leave out the scheme. */
export const normalizeWebsite = (text: string): string | undefined => {
  const given = text.trim()
  const url = /^https?:\/\//i.test(given) ? given : `https://${given}`
  const isPage = /^https?:\/\/[^\s/.:]+(?:\.[^\s/.:]+)+\S*$/i.test(url)
  return isPage && url.length <= MAX_LENGTH.url && url.isWellFormed() ? url : undefined
}

export const cleanPostalAddress = (given: PostalAddress): PostalAddress => ({
  label: cleanText(given.label, MAX_LENGTH.label),
  street: cleanNotes(given.street).slice(0, MAX_LENGTH.street).toWellFormed(),
  city: cleanText(given.city, MAX_LENGTH.place),
  region: cleanText(given.region, MAX_LENGTH.place),
  postalCode: cleanText(given.postalCode, MAX_LENGTH.label),
  country: cleanText(given.country, MAX_LENGTH.place),
})

export const isEmptyAddress = ({ label: _, ...parts }: PostalAddress): boolean =>
  Object.values(parts).every((part) => part === '')

/** Some programs write the address as the name, or put the name in quotes. */
export const toPersonName = (name: string, address: string): string => {
  const cleaned = cleanText(name, MAX_LENGTH.name)
    .replace(/^["'“]+|["'”]+$/g, '')
    .trim()
  return cleaned.toLowerCase() === address ? '' : cleaned
}

const MAX_TERM_LENGTH = 64
const MAX_TERMS = 40

const toTerm = (text: string): string => [...foldText(text)].slice(0, MAX_TERM_LENGTH).join('')

const splitWords = (text: string): string[] => text.split(/[\s,;<>"@]+/u).filter((word) => word !== '')

type Indexed = Pick<
  ContactRecord,
  'name' | 'givenName' | 'familyName' | 'organization' | 'postalAddresses' | 'categories'
>

/** Cities and categories are searched too. */
const listOtherNames = ({ postalAddresses, categories }: Indexed): string =>
  [
    ...(JSON.parse(postalAddresses) as PostalAddress[]).map(({ city }) => city),
    ...(JSON.parse(categories) as string[]),
  ].join(' ')

/**
 * Returns the search terms of a contact: the words of its names, and the parts of the address. The domain counts from
 * each of its labels on. The last label alone is no term, because half of all addresses share it.
 */
export const toTerms = (contact: Indexed, address: string | undefined): string[] => {
  const names = `${contact.name} ${contact.givenName} ${contact.familyName} ${contact.organization} ${listOtherNames(contact)}`
  const terms = [...splitWords(names).map(toTerm), ...foldWords(names)]
  if (address !== undefined) {
    const local = toLocalPart(address)
    const labels = address.slice(local.length + 1).split('.')
    const domains =
      labels.length === 1 ? labels : labels.slice(0, -1).map((_, at) => labels.slice(at).join('.'))
    terms.unshift(toTerm(local), ...domains.slice(0, 4).map(toTerm), ...foldWords(local))
  }
  return [...new Set(terms)].filter((term) => term !== '').slice(0, MAX_TERMS)
}

const MAX_QUERY_WORDS = 6

/** Returns the prefixes of a search, the longest first, because it matches the fewest terms. */
export const toPrefixes = (q: string): string[] =>
  [...new Set(splitWords(q).map(toTerm))]
    .filter((word) => word !== '')
    .sort((one, other) => other.length - one.length)
    .slice(0, MAX_QUERY_WORDS)

const MAX_SORT_KEY_LENGTH = 100

/** Returns the key that lists are sorted by: the name, else the organization, else the first address. */
export const toSortKey = (
  { name, organization }: Pick<Contact, 'name' | 'organization'>,
  addresses: readonly string[],
): string => {
  const text = name || organization || addresses[0] || ''
  return [...foldText(text)].slice(0, MAX_SORT_KEY_LENGTH).join('').replace(/\s+/g, ' ').trim()
}

const NO_REPLY =
  /(?:^|[._+-])(?:no-?reply|not-?reply|do-?not-?reply|donotreply|noreply|nepasrepondre|nicht-?antworten|mailer-?daemon|postmaster|bounces?|newsletters?|notifications?|notify|unsubscribe|mailing|automailer)(?:[._+-]|$)/

/** Whether the address belongs to a program that reads no replies. */
export const isAutomaticSender = (address: string): boolean => NO_REPLY.test(toLocalPart(address))
