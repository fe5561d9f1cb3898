import type { PostalAddress } from '../../contacts/contact.ts'
import type { CardFields } from '../../contacts/vcard.ts'
import { Problems, skip } from '../import-record.ts'
import { type NamedRow, toColumnKey } from './csv.ts'
import { readDay } from './dates.ts'
import { joinNotes, type TableFormat } from './table.ts'

/** Names of the columns of Outlook and Google Contacts, in English and German. */
const NAMES = {
  name: ['Name', 'Display Name', 'File As', 'Anzeigename', 'Speichern unter'],
  givenName: ['First Name', 'Given Name', 'Vorname'],
  middleName: ['Middle Name', 'Additional Name', 'Weitere Vornamen', 'Zweiter Vorname'],
  familyName: ['Last Name', 'Family Name', 'Nachname'],
  organization: ['Company', 'Organization Name', 'Organization 1 - Name', 'Firma', 'Unternehmen'],
  jobTitle: ['Job Title', 'Organization Title', 'Organization 1 - Title', 'Position', 'Berufsbezeichnung'],
  notes: ['Notes', 'Notizen'],
  birthday: ['Birthday', 'Geburtstag'],
  categories: ['Categories', 'Kategorien', 'Labels', 'Group Membership'],
  website: ['Web Page', 'Webseite', 'Personal Web Page', 'Private Webseite', 'Business Web Page'],
} as const

/** The columns of a postal address of Outlook: `Business Street`, `Straße geschäftlich`. */
const POSTAL: readonly { label: string; columns: Record<keyof Omit<PostalAddress, 'label'>, string[]> }[] = (
  [
    ['work', 'Business', 'geschäftlich'],
    ['home', 'Home', 'privat'],
    ['other', 'Other', 'weitere'],
  ] as const
).map(([label, english, german]) => ({
  label,
  columns: {
    street: [`${english} Street`, `Straße ${german}`],
    city: [`${english} City`, `Ort ${german}`],
    region: [`${english} State`, `Bundesland ${german}`, `Region ${german}`, `Bundesland/Kanton ${german}`],
    postalCode: [`${english} Postal Code`, `Postleitzahl ${german}`],
    country: [`${english} Country/Region`, `${english} Country`, `Land/Region ${german}`, `Land ${german}`],
  },
}))

const PHONES: Readonly<Record<string, string>> = {
  'Mobile Phone': 'mobile',
  Mobiltelefon: 'mobile',
  'Home Phone': 'home',
  'Home Phone 2': 'home',
  'Telefon (privat)': 'home',
  'Telefon (privat 2)': 'home',
  'Business Phone': 'work',
  'Business Phone 2': 'work',
  'Telefon geschäftlich': 'work',
  'Telefon (geschäftlich)': 'work',
  'Telefon geschäftlich 2': 'work',
  'Primary Phone': '',
  Haupttelefon: '',
  'Other Phone': 'other',
  'Weiteres Telefon': 'other',
  'Company Main Phone': 'work',
  'Telefon Firma': 'work',
  'Business Fax': 'fax',
  'Home Fax': 'fax',
  'Fax geschäftlich': 'fax',
  'Fax privat': 'fax',
}

const ADDRESSES = [
  'E-mail Address',
  'E-mail 2 Address',
  'E-mail 3 Address',
  'E-Mail-Adresse',
  'E-Mail 2: Adresse',
  'E-Mail 3: Adresse',
  'E-Mail',
  'Email',
  'Email Address',
]

/** Google numbers its columns: `E-mail 1 - Value`, `Phone 2 - Label`. */
const NUMBERED = [1, 2, 3, 4, 5]

/** The numbered entries of a table, for example each `E-mail` by its `Value`. */
const readNumbered = (row: NamedRow, name: string, column: string) =>
  NUMBERED.filter((number) => row.has(`${name} ${number} - ${column}`)).map((number) => {
    const get = (...columns: string[]) => row.get(...columns.map((each) => `${name} ${number} - ${each}`))
    return {
      field: `${name} ${number} - ${column}`,
      value: get(column),
      label: get('Label', 'Type').replace(/^\*\s*/, ''),
      get,
    }
  })

/** Google joins several values with colons. */
const splitValues = (text: string): string[] => text.split(/\s*:::\s*/).filter((value) => value !== '')

/** Columns without a value for a person: labels, display names of addresses, kinds. */
const TECHNICAL =
  /^(?:email\d*(?:type|displayname|anzeigename|label|value|typ)|phone\d(?:label|type|value)|address\d(?:label|type|formatted|street|city|pobox|region|postalcode|country|extendedaddress)|website\d(?:label|type|value)|emaildisplayname|emailanzeigename|emailtyp|emailtype|photo|sensitivity|vertraulichkeit|priority|priorität|private|privat|gender|geschlecht|initials|initialen|language|sprache)$/

const EMAIL = /^[^\s@<>"]+@[^\s@<>"]+\.[^\s@<>"]+$/

const readAddresses = (row: NamedRow, problems: Problems): CardFields['addresses'] => {
  const given = [
    ...ADDRESSES.map((field) => ({ field, value: row.get(field), label: '' })),
    ...readNumbered(row, 'E-mail', 'Value'),
  ]
  const addresses = new Map<string, string>()
  for (const { field, value, label } of given)
    for (const part of splitValues(value)) {
      const address = part.toLowerCase()
      if (EMAIL.test(address) && address.length <= 254) addresses.set(address, label.slice(0, 50))
      else problems.changed(field, part, 'This is not an email address. It was added to the notes.')
    }
  return [...addresses].slice(0, 50).map(([address, label]) => ({ address, label }))
}

const readPhones = (row: NamedRow): CardFields['phones'] => {
  const phones = new Map<string, string>()
  for (const [name, label] of Object.entries(PHONES))
    if (row.get(name) !== '') phones.set(row.get(name).slice(0, 50), label)
  for (const { value, label } of readNumbered(row, 'Phone', 'Value'))
    for (const number of splitValues(value)) phones.set(number.slice(0, 50), label.toLowerCase().slice(0, 50))
  return [...phones].slice(0, 20).map(([number, label]) => ({ number, label }))
}

const readPostalAddresses = (row: NamedRow): PostalAddress[] => {
  const google = readNumbered(row, 'Address', 'Street').map(({ label, get }) => ({
    label: label.toLowerCase(),
    street: joinLines(get('Street'), get('Extended Address'), get('PO Box')),
    city: get('City'),
    region: get('Region'),
    postalCode: get('Postal Code'),
    country: get('Country'),
  }))
  const outlook = POSTAL.map(({ label, columns }) => ({
    label,
    street: row.get(...columns.street),
    city: row.get(...columns.city),
    region: row.get(...columns.region),
    postalCode: row.get(...columns.postalCode),
    country: row.get(...columns.country),
  }))
  return [...google, ...outlook]
    .filter(({ label: _, ...parts }) => Object.values(parts).some((part) => part !== ''))
    .slice(0, 10)
    .map(({ label, street, city, region, postalCode, country }) => ({
      label: clean(label, 50),
      street: street.replaceAll('\0', '').slice(0, 500).toWellFormed(),
      city: clean(city, 200),
      region: clean(region, 200),
      postalCode: clean(postalCode, 50),
      country: clean(country, 200),
    }))
}

const joinLines = (...parts: string[]): string => parts.filter((part) => part !== '').join('\n')

const WEBSITE = /^https?:\/\/[^\s/.:]+(?:\.[^\s/.:]+)+\S*$/i

const readWebsites = (row: NamedRow): CardFields['websites'] =>
  [
    ...readNumbered(row, 'Website', 'Value'),
    ...NAMES.website.map((name) => ({ value: row.get(name), label: '' })),
  ]
    .filter(({ value }) => value !== '')
    .map(({ value, label }) => ({
      url: /^https?:/i.test(value) ? value : `https://${value}`,
      label: clean(label, 50),
    }))
    .filter(({ url }) => WEBSITE.test(url) && url.length <= 2000 && url.isWellFormed())
    .slice(0, 20)

/** Outlook writes `0/0/00` for an unknown birthday, and Google ` --04-12` without the year. */
const readBirthday = (row: NamedRow, problems: Problems): string => {
  const given = row.get(...NAMES.birthday)
  if (given === '' || /^0+[./]0+[./]0+$/.test(given)) return ''
  const partial = /^--(\d{2})-?(\d{2})$/.exec(given)
  const birthday = partial
    ? readDay(`2000-${partial[1]}-${partial[2]}`, false)?.replace('2000', '-')
    : readDay(given, false)
  if (!birthday) problems.changed('Birthday', given, 'This is not a date. It was added to the notes.')
  return birthday ?? ''
}

const clean = (text: string, longest: number): string =>
  text
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, longest)
    .toWellFormed()

const readContact = (row: NamedRow, others: string, file: string) => {
  const problems = new Problems({ file, line: row.line })
  const addresses = readAddresses(row, problems)
  const givenName = row.get(...NAMES.givenName)
  const familyName = row.get(...NAMES.familyName)
  const full = [givenName, row.get(...NAMES.middleName), familyName].filter((part) => part !== '').join(' ')
  const birthday = readBirthday(row, problems)
  const invalidValues = problems.all.map(({ value }) => value).join(', ')
  const card: CardFields = {
    name: clean(full || row.get(...NAMES.name), 200),
    givenName: clean(givenName, 200),
    familyName: clean(familyName, 200),
    organization: clean(row.get(...NAMES.organization), 200),
    jobTitle: clean(row.get(...NAMES.jobTitle), 200),
    notes: joinNotes(row.get(...NAMES.notes), invalidValues, others)
      .replaceAll('\0', '')
      .slice(0, 10_000)
      .toWellFormed(),
    birthday,
    phones: readPhones(row),
    postalAddresses: readPostalAddresses(row),
    websites: readWebsites(row),
    // Google marks its own groups with asterisks.
    categories: [
      ...new Set(
        row
          .get(...NAMES.categories)
          .split(/\s*(?::::|[;,])\s*/)
          .filter((label) => !label.startsWith('*'))
          .map((label) => clean(label, 50)),
      ),
    ]
      .filter((label) => label !== '')
      .slice(0, 30),
    addresses,
    extra: '',
  }
  return { card, problems: problems.all }
}

export const contactTable: TableFormat = {
  matches: (keys) =>
    [...keys].some((key) => /^e?mail/.test(key)) &&
    [...NAMES.name, ...NAMES.givenName, ...NAMES.familyName].some((name) => keys.has(toColumnKey(name))),
  columns: [
    ...Object.values(NAMES).flat(),
    ...Object.keys(PHONES),
    ...ADDRESSES,
    ...POSTAL.flatMap(({ columns }) => Object.values(columns).flat()),
  ],
  pattern: TECHNICAL,
  async *read(rows, { file }) {
    for await (const { row, others } of rows) {
      const { card, problems } = readContact(row, others, file)
      if (card.name === '' && card.organization === '' && card.addresses.length === 0)
        yield skip({ file, line: row.line, value: card.notes }, 'The row has neither a name nor an address.')
      else yield { kind: 'contacts', file, line: row.line, card, problems }
    }
  },
}
