import { isSameJson } from '../../platform/fingerprint.ts'
import type { Contact } from './contact.ts'
import {
  FIELDS,
  isPreferred,
  LISTS,
  MAX_EXTRA_LENGTH,
  type Property,
  readFields,
  readProperty,
  splitEscaped,
} from './vcard.ts'

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

/** Parts of a name without a field, such as a middle name and titles. */
const writeName = (old: Property | undefined, familyName: string, givenName: string): string => {
  const [, , ...others] = splitEscaped(old?.value ?? '')
  const rest = [0, 1, 2].map((index) => others[index] ?? '')
  return `N:${[escapeText(familyName), escapeText(givenName), ...rest].join(';')}`
}

interface Changes {
  kept: readonly Property[]
  /** The values of the old lines. */
  stored: readonly { value: string }[]
  wanted: readonly { value: string; label: string }[]
  /** Returns the value of a line. Undefined if it is not readable. */
  read: (property: Property) => { value: string; label: string } | undefined
  /** Returns the lines of a value without an old line. */
  write: (index: number) => string[]
}

/**
 * Writes the lines of a property after a change of its values. Values that did not change keep their line. Lines that
 * no value represents stay: unreadable ones, and those above the limits.
 */
const writeValues = ({
  kept,
  stored,
  wanted,
  read,
  write,
}: Changes): { lines: string[]; used: Property[] } => {
  const unused = new Map(kept.map((property) => [property, read(property)]))
  const used: Property[] = []
  // The reader puts preferred values first, so a preferred line must not follow another one.
  let isAllPreferred = true
  const lines = wanted.flatMap(({ value, label }, index) => {
    const old = unused
      .entries()
      .find(
        ([property, entry]) =>
          entry?.value === value && entry.label === label && (isAllPreferred || !isPreferred(property)),
      )?.[0]
    isAllPreferred &&= old !== undefined && isPreferred(old)
    if (!old) return write(index)
    unused.delete(old)
    used.push(old)
    return [old.line]
  })
  const known = new Set(stored.map(({ value }) => value))
  const others = [...unused].filter(([, entry]) => entry === undefined || !known.has(entry.value))
  used.push(...others.map(([property]) => property))
  return { lines: [...lines, ...others.map(([{ line }]) => line)], used }
}

/** Writes a contact as vCard 3.0, the newest version that Outlook, Google and Apple all import. */
export const writeCard = (contact: Contact & { extra: string }): string => {
  const { name, givenName, familyName, organization, jobTitle, notes, birthday } = contact
  const { phones, addresses, postalAddresses, websites, categories } = contact
  const kept = contact.extra.split('\n').flatMap((line) => readProperty({ bytes: Buffer.from(line) }) ?? [])
  const byName = Map.groupBy(kept, (property) => property.name)
  const keptOf = (field: string): Property[] => byName.get(field) ?? []
  const labelsOf = Map.groupBy(keptOf('x-ablabel'), ({ group }) => group)
  const stored = readFields(kept, [])
  const isSame = (field: string): boolean => isSameJson(FIELDS[field]?.(stored), FIELDS[field]?.(contact))
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
  /** The lines of each value of each property. */
  const written: Readonly<Record<string, string[][]>> = {
    fn: [[`FN:${escapeText(displayName)}`]],
    n: [[hasParts ? writeName(keptOf('n')[0], familyName, givenName) : `N:${escapeText(displayName)};;;;`]],
    org: organization === '' ? [] : [[`ORG:${escapeText(organization)}`]],
    title: jobTitle === '' ? [] : [[`TITLE:${escapeText(jobTitle)}`]],
    email: addresses.map(({ address, label }) =>
      labelled('EMAIL', ';TYPE=INTERNET', label, escapeText(address)),
    ),
    tel: phones.map(({ number, label }) => labelled('TEL', '', label, escapeText(number))),
    adr: postalAddresses.map(({ label, street, city, region, postalCode, country }) =>
      labelled(
        'ADR',
        '',
        label,
        `;;${[street, city, region, postalCode, country].map(escapeText).join(';')}`,
      ),
    ),
    url: websites.map(({ label, url }) => labelled('URL', '', label, url)),
    bday:
      birthday === ''
        ? []
        : birthday.startsWith('--')
          ? // As Apple writes it: 3.0 has no birthday without a year.
            [[`BDAY;X-APPLE-OMIT-YEAR=1604:1604-${birthday.slice(2)}`]]
          : [[`BDAY:${birthday}`]],
    categories: categories.length === 0 ? [] : [[`CATEGORIES:${categories.map(escapeText).join(',')}`]],
    note: notes === '' ? [] : [[`NOTE:${escapeText(notes)}`]],
  }
  const used = new Set<Property>()
  const linesOf = ([field, fresh]: [string, string[][]]): string[] => {
    const old = keptOf(field)
    const list = LISTS[field]
    if (old.length === 0 || (!isSame(field) && !list)) return fresh.flat()
    const { lines, used: reused } =
      isSame(field) || !list
        ? { lines: old.map(({ line }) => line), used: old }
        : writeValues({
            kept: old,
            stored: list(stored),
            wanted: list(contact),
            read: (property) => list(readFields([property, ...(labelsOf.get(property.group) ?? [])], []))[0],
            write: (index) => fresh[index] ?? [],
          })
    for (const property of reused) used.add(property)
    return lines
  }
  const fieldLines = Object.entries(written).flatMap(linesOf)
  // A label belongs to a line of its group. It is left out with that line.
  const hasField = ({ name }: Property): boolean => Object.hasOwn(written, name)
  const groupsOf = (properties: readonly Property[]) => new Set(properties.map(({ group }) => group))
  const goneGroups = groupsOf(
    kept.filter((property) => hasField(property) && !used.has(property)),
  ).difference(groupsOf([...used]))
  const lines = [
    'BEGIN:VCARD',
    'VERSION:3.0',
    ...fieldLines,
    ...kept
      .filter((property) => !hasField(property) && !(property.group !== '' && goneGroups.has(property.group)))
      .map(({ line }) => line),
    'END:VCARD',
  ]
  return `${lines.map(fold).join('\r\n')}\r\n`
}
