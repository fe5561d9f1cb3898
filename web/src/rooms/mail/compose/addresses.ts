import type { Address } from '../folders.ts'

/** The API's own rule for what mail can be sent to. */
const ADDRESS = /^(?:[^\s@<>,;"()]+|"(?:[^"\\<>\p{Cc}]|\\[^<>\p{Cc}])+")@[^\s@<>,;"()]+$/u

export interface Recipient {
  name: string
  address: string
}

export const isGood = ({ address }: Recipient): boolean => ADDRESS.test(address)

/** Reads `Ana Ruiz <ana@example.org>` or `ana@example.org`; whatever else it is, it is kept to be corrected. */
const readOne = (text: string): Recipient => {
  const [, name = '', address = ''] = /^(.*?)<([^<>]*)>\s*$/.exec(text) ?? []
  if (address !== '') return { name: name.trim().replace(/^"(.*)"$/, '$1'), address: address.trim() }
  return { name: '', address: text.trim() }
}

/** All that were typed or pasted, parted by commas, semicolons or lines; a comma within quotes parts nothing. */
export const readRecipients = (text: string): Recipient[] =>
  (text.match(/(?:"(?:[^"\\]|\\.)*"|[^,;\n"])+/g) ?? [])
    .map((part) => part.trim())
    .filter(Boolean)
    .flatMap((part) => {
      // "ana@example.org ben@example.org": two, when each is one.
      const words = part.split(/\s+/).map(readOne)
      return words.length > 1 && words.every(isGood) ? words : [readOne(part)]
    })

export const isSame = (one: Pick<Address, 'address'>, other: Pick<Address, 'address'>): boolean =>
  one.address.toLowerCase() === other.address.toLowerCase()

/** Each once. */
export const distinct = (people: readonly Recipient[]): Recipient[] =>
  people.filter((person, index) => people.findIndex((other) => isSame(person, other)) === index)
