import { invalidField } from '../../platform/errors.ts'
import { type Address, readAddresses } from './mime/addresses.ts'

type AddressGiven = string | { name?: string | null; address: string }

/** The part before the @ may be in quotes (RFC 5322, 3.4.1); of what may stand in them, servers take no brackets. */
const ADDRESS = /^(?:[^\s@<>,;"()]+|"(?:[^"\\<>\p{Cc}]|\\[^<>\p{Cc}])+")@[^\s@<>,;"()]+$/u

/** A line break in a name would become a header line of its own once it is sent. */
const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()

/** Reads `Name <a@b>`, `a@b` or `{name, address}`; refuses what no mail could be sent to. */
export const readAddress = (path: string, given: AddressGiven): Address => {
  if (typeof given !== 'string') {
    const address = given.address.trim()
    if (!ADDRESS.test(address))
      throw invalidField(`${path}.address`, 'must be an address such as ana@example.org')
    return { name: oneLine(given.name ?? ''), address }
  }
  // The reader takes bytes as characters, as they come in a message.
  const [address, ...more] = readAddresses(Buffer.from(given, 'utf8').toString('latin1'))
  if (!address || more.length > 0 || !ADDRESS.test(address.address))
    throw invalidField(path, 'must be one address, such as ana@example.org or Ana Ruiz <ana@example.org>')
  return { name: oneLine(address.name), address: address.address }
}

/** Whoever it says, as far as it says so: for reading, nothing is sent there. */
export const readGivenAddress = (path: string, given: AddressGiven | null | undefined): Address =>
  given === null || given === undefined ? { name: '', address: '' } : readAddress(path, given)

export const readAddressList = (path: string, given: readonly AddressGiven[] = []): Address[] =>
  given.map((each, index) => readAddress(`${path}.${index}`, each))

/** As it is compared: without brackets. */
export const readMessageId = (path: string, given: string | null | undefined): string | null => {
  if (given === null || given === undefined) return null
  const id = given.trim().replace(/^<|>$/g, '')
  if (id === '' || /[\s<>]/.test(id))
    throw invalidField(path, 'must be a message id, such as 4711@example.org')
  return id
}

export const readSubject = (given: string): string => oneLine(given)
