import type { PostalAddress } from '../../contacts/contact.ts'
import type { CardFields } from '../../contacts/vcard.ts'
import { onlyProblems, type Problem, toProblem } from '../import-record.ts'
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

/** The numbers that a table has, for example of `E-mail` by its `Value`. */
const numbersOf = (row: NamedRow, name: string, column: string): number[] =>
  NUMBERED.filter((number) => row.has(`${name} ${number} - ${column}`))

/** Columns without a value for a person: labels, display names of addresses, kinds. */
const TECHNICAL =
  /^(?:email\d*(?:type|displayname|anzeigename|label|value|typ)|phone\d(?:label|type|value)|address\d(?:label|type|formatted|street|city|pobox|region|postalcode|country|extendedaddress)|website\d(?:label|type|value)|emaildisplayname|emailanzeigename|emailtyp|emailtype|photo|sensitivity|vertraulichkeit|priority|priorität|private|privat|gender|geschlecht|initials|initialen|language|sprache)$/

const EMAIL = /^[^\s@<>"]+@[^\s@<>"]+\.[^\s@<>"]+$/

const readAddresses = (row: NamedRow, file: string, problems: Problem[]): CardFields['addresses'] => {
  const given = [
    ...ADDRESSES.map((name) => ({ name, text: row.get(name), label: '' })),
    ...numbersOf(row, 'E-mail', 'Value').map((number) => ({
      name: `E-mail ${number} - Value`,
      text: row.get(`E-mail ${number} - Value`),
      label: row.get(`E-mail ${number} - Label`, `E-mail ${number} - Type`).replace(/^\*\s*/, ''),
    })),
  ]
  const addresses = new Map<string, string>()
  // Google joins several addresses with colons.
  for (const { name, text, label } of given)
    for (const part of text.split(/\s*:::\s*/)) {
      if (part === '') continue
      const address = part.toLowerCase()
      if (EMAIL.test(address) && address.length <= 254) addresses.set(address, label.slice(0, 50))
      else
        problems.push(
          toProblem(
            { file, line: row.line, field: name, value: part },
            'changed',
            'This is not an email address. It was added to the notes.',
          ),
        )
    }
  return [...addresses].slice(0, 50).map(([address, label]) => ({ address, label }))
}

const readPhones = (row: NamedRow): CardFields['phones'] => {
  const given = [
    ...Object.entries(PHONES).map(([name, label]) => ({ number: row.get(name), label })),
    ...numbersOf(row, 'Phone', 'Value').flatMap((number) =>
      row
        .get(`Phone ${number} - Value`)
        .split(/\s*:::\s*/)
        .map((value) => ({
          number: value,
          label: row
            .get(`Phone ${number} - Label`, `Phone ${number} - Type`)
            .replace(/^\*\s*/, '')
            .toLowerCase(),
        })),
    ),
  ]
  const phones = new Map<string, string>()
  for (const { number, label } of given)
    if (number !== '') phones.set(number.slice(0, 50), label.slice(0, 50))
  return [...phones].slice(0, 20).map(([number, label]) => ({ number, label }))
}

const readPostalAddresses = (row: NamedRow): PostalAddress[] => {
  const google = numbersOf(row, 'Address', 'Street').map((number) => {
    const get = (name: string) => row.get(`Address ${number} - ${name}`)
    return {
      label: (get('Label') || get('Type')).replace(/^\*\s*/, '').toLowerCase(),
      street: joinLines(get('Street'), get('Extended Address'), get('PO Box')),
      city: get('City'),
      region: get('Region'),
      postalCode: get('Postal Code'),
      country: get('Country'),
    }
  })
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
    .map(({ street, ...parts }) => ({
      ...(Object.fromEntries(
        Object.entries(parts).map(([name, text]) => [
          name,
          clean(text, name === 'postalCode' || name === 'label' ? 50 : 200),
        ]),
      ) as Omit<PostalAddress, 'street'>),
      street: street.replaceAll('\0', '').slice(0, 500).toWellFormed(),
    }))
}

const joinLines = (...parts: string[]): string => parts.filter((part) => part !== '').join('\n')

const WEBSITE = /^https?:\/\/[^\s/.:]+(?:\.[^\s/.:]+)+\S*$/i

const readWebsites = (row: NamedRow): CardFields['websites'] =>
  [
    ...numbersOf(row, 'Website', 'Value').map((number) => ({
      url: row.get(`Website ${number} - Value`),
      label: row.get(`Website ${number} - Label`, `Website ${number} - Type`).replace(/^\*\s*/, ''),
    })),
    ...NAMES.website.map((name) => ({ url: row.get(name), label: '' })),
  ]
    .filter(({ url }) => url !== '')
    .map(({ url, label }) => ({
      url: /^https?:/i.test(url) ? url : `https://${url}`,
      label: clean(label, 50),
    }))
    .filter(({ url }) => WEBSITE.test(url) && url.length <= 2000 && url.isWellFormed())
    .slice(0, 20)

/** Outlook writes `0/0/00` for an unknown birthday, and Google ` --04-12` without the year. */
const readBirthday = (row: NamedRow, file: string, problems: Problem[]): string => {
  const given = row.get(...NAMES.birthday)
  if (given === '' || /^0+[./]0+[./]0+$/.test(given)) return ''
  const partial = /^--(\d{2})-?(\d{2})$/.exec(given)
  const birthday = partial
    ? readDay(`2000-${partial[1]}-${partial[2]}`, false)?.replace('2000', '-')
    : readDay(given, false)
  if (birthday) return birthday
  problems.push(
    toProblem(
      { file, line: row.line, field: 'Birthday', value: given },
      'changed',
      'This is not a date. It was added to the notes.',
    ),
  )
  return ''
}

const clean = (text: string, longest: number): string =>
  text
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, longest)
    .toWellFormed()

const readContact = (row: NamedRow, others: string, file: string) => {
  const problems: Problem[] = []
  const addresses = readAddresses(row, file, problems)
  const [givenName, middleName, familyName] = [
    row.get(...NAMES.givenName),
    row.get(...NAMES.middleName),
    row.get(...NAMES.familyName),
  ]
  const full = [givenName, middleName, familyName].filter((part) => part !== '').join(' ')
  const birthday = readBirthday(row, file, problems)
  const invalidAddresses = problems.map(({ value }) => value).join(', ')
  const card: CardFields = {
    name: clean(full || row.get(...NAMES.name), 200),
    givenName: clean(givenName, 200),
    familyName: clean(familyName, 200),
    organization: clean(row.get(...NAMES.organization), 200),
    jobTitle: clean(row.get(...NAMES.jobTitle), 200),
    notes: joinNotes(row.get(...NAMES.notes), invalidAddresses, others)
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
  return { card, problems }
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
        yield onlyProblems(
          file,
          toProblem(
            { file, line: row.line, value: card.notes },
            'skipped',
            'The row has neither a name nor an address.',
          ),
        )
      else yield { kind: 'contacts', file, line: row.line, card, problems }
    }
  },
}
