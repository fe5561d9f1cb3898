import type { Address } from '../folders.ts'

/** Same rule as the API for recipient addresses. */
const ADDRESS = /^(?:[^\s@<>,;"()]+|"(?:[^"\\<>\p{Cc}]|\\[^<>\p{Cc}])+")@[^\s@<>,;"()]+$/u

export interface Recipient {
  name: string
  address: string
}

export const isValidRecipient = ({ address }: Recipient): boolean => ADDRESS.test(address)

/**
 * Parses `Ana Ruiz <ana@example.org>` or `ana@example.org`. Keeps invalid text, so that the user can correct
 * it.
 */
const readOne = (text: string): Recipient => {
  const [, name = '', address = ''] = /^(.*?)<([^<>]*)>\s*$/.exec(text) ?? []
  if (address !== '') return { name: name.trim().replace(/^"(.*)"$/, '$1'), address: address.trim() }
  return { name: '', address: text.trim() }
}

/** Splits typed or pasted text at commas, semicolons and line breaks. Commas inside quotes do not split. */
export const readRecipients = (text: string): Recipient[] =>
  (text.match(/(?:"(?:[^"\\]|\\.)*"|[^,;\n"])+/g) ?? [])
    .map((part) => part.trim())
    .filter(Boolean)
    .flatMap((part) => {
      // Splits "ana@example.org ben@example.org" only if both parts are valid addresses.
      const words = part.split(/\s+/).map(readOne)
      return words.length > 1 && words.every(isValidRecipient) ? words : [readOne(part)]
    })

export const isSame = (one: Pick<Address, 'address'>, other: Pick<Address, 'address'>): boolean =>
  one.address.toLowerCase() === other.address.toLowerCase()

/** Removes duplicates. */
export const distinct = (people: readonly Recipient[]): Recipient[] =>
  people.filter((person, index) => people.findIndex((other) => isSame(person, other)) === index)
