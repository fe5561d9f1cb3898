import type { Contact } from './contact.ts'
import { FIELDS, MAX_EXTRA_LENGTH, readFields, readProperty } from './vcard.ts'

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

const LINE_HEAD = /^(?:([\w-]+)\.)?([\w-]+)/

/** Groups the lines that belong together: `item1.EMAIL` and `item1.X-ABLabel`. */
const toBlocks = (extra: string): { group: string; lines: string[] }[] => {
  const blocks: { group: string; lines: string[] }[] = []
  const byGroup = new Map<string, string[]>()
  for (const line of extra === '' ? [] : extra.split('\n')) {
    const group = LINE_HEAD.exec(line)?.[1]?.toLowerCase() ?? ''
    const known = group === '' ? undefined : byGroup.get(group)
    const own = group === '' ? line : line.slice(group.length + 1)
    if (known) known.push(own)
    else {
      const lines = [own]
      blocks.push({ group, lines })
      if (group !== '') byGroup.set(group, lines)
    }
  }
  return blocks
}

/** Properties that a card has once. */
const SINGLE = new Set(['fn', 'n', 'bday', 'uid', 'photo', 'title', 'org', 'gender', 'anniversary'])
const nameOf = (line: string): string => LINE_HEAD.exec(line)?.[2]?.toLowerCase() ?? ''

/** Joins the lines of two cards. Each line occurs once, and groups of the second card get numbers of their own. */
export const joinExtra = (first: string, second: string): string => {
  if (first === '' || second === '' || first === second) return first || second
  const blocks = toBlocks(first)
  const known = new Set(blocks.map(({ lines }) => lines.join('\n')))
  const names = new Set(blocks.flatMap(({ lines }) => lines.map(nameOf)))
  const groups = new Set(blocks.map(({ group }) => group))
  let number = 0
  let joined = first
  for (const { group, lines } of toBlocks(second)) {
    const isTaken = lines.some((line) => SINGLE.has(nameOf(line)) && names.has(nameOf(line)))
    if (known.has(lines.join('\n')) || isTaken) continue
    let own = group
    while (own !== '' && groups.has(own)) own = `item${++number}`
    groups.add(own)
    const added = lines.map((line) => (own === '' ? line : `${own}.${line}`)).join('\n')
    if (joined.length + added.length < MAX_EXTRA_LENGTH) joined += `\n${added}`
  }
  return joined
}

/** Writes a contact as vCard 3.0, the newest version that Outlook, Google and Apple all import. */
export const writeCard = (contact: Contact & { extra: string }): string => {
  const { name, givenName, familyName, organization, jobTitle, notes, birthday } = contact
  const { phones, addresses, postalAddresses, websites, categories } = contact
  const kept = contact.extra.split('\n').flatMap((line) => readProperty({ bytes: Buffer.from(line) }) ?? [])
  const stored = readFields(kept, [])
  const isSame = (field: string): boolean =>
    JSON.stringify(FIELDS[field]?.(stored)) === JSON.stringify(FIELDS[field]?.(contact))
  const displayName = name || organization || addresses[0]?.address || ''
  const hasParts = givenName !== '' || familyName !== ''
  const taken = new Set(kept.map(({ group }) => group))
  let groups = 0
  const labelled = (property: string, type: string, label: string, value: string): string[] => {
    const kind = typeOf(label)
    if (kind !== '' || label === '') return [`${property}${type}${kind}:${value}`]
    let group = `item${++groups}`
    while (taken.has(group)) group = `item${++groups}`
    return [`${group}.${property}${type}:${value}`, `${group}.X-ABLabel:${escapeText(label)}`]
  }
  const written: Readonly<Record<string, string[]>> = {
    fn: [`FN:${escapeText(displayName)}`],
    n: [
      hasParts
        ? `N:${escapeText(familyName)};${escapeText(givenName)};;;`
        : `N:${escapeText(displayName)};;;;`,
    ],
    org: organization === '' ? [] : [`ORG:${escapeText(organization)}`],
    title: jobTitle === '' ? [] : [`TITLE:${escapeText(jobTitle)}`],
    email: addresses.flatMap(({ address, label }) =>
      labelled('EMAIL', ';TYPE=INTERNET', label, escapeText(address)),
    ),
    tel: phones.flatMap(({ number, label }) => labelled('TEL', '', label, escapeText(number))),
    adr: postalAddresses.flatMap(({ label, street, city, region, postalCode, country }) =>
      labelled(
        'ADR',
        '',
        label,
        `;;${[street, city, region, postalCode, country].map(escapeText).join(';')}`,
      ),
    ),
    url: websites.flatMap(({ label, url }) => labelled('URL', '', label, url)),
    bday:
      birthday === ''
        ? []
        : birthday.startsWith('--')
          ? // As Apple writes it: 3.0 has no birthday without a year.
            [`BDAY;X-APPLE-OMIT-YEAR=1604:1604-${birthday.slice(2)}`]
          : [`BDAY:${birthday}`],
    categories: categories.length === 0 ? [] : [`CATEGORIES:${categories.map(escapeText).join(',')}`],
    note: notes === '' ? [] : [`NOTE:${escapeText(notes)}`],
  }
  const isChanged = new Set(Object.keys(written).filter((field) => !isSame(field)))
  // A label belongs to a line of its group. It is left out with that line.
  const goneGroups = new Set(
    kept
      .filter((property) => property.group !== '' && isChanged.has(property.name))
      .map(({ group }) => group),
  )
  const lines = [
    'BEGIN:VCARD',
    'VERSION:3.0',
    ...Object.entries(written).flatMap(([field, fresh]) => {
      const old = kept.filter((property) => property.name === field)
      return isChanged.has(field) || old.length === 0 ? fresh : old.map(({ line }) => line)
    }),
    ...kept
      .filter((property) => !Object.hasOwn(written, property.name) && !goneGroups.has(property.group))
      .map(({ line }) => line),
    'END:VCARD',
  ]
  return `${lines.map(fold).join('\r\n')}\r\n`
}
