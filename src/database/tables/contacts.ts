import type { Generated } from 'kysely'
import type { TableKeys } from './keys.ts'

/** A person in the address book, made by hand, by an import, or from mail. */
export interface ContactRow {
  id: Generated<number>
  userId: number
  name: string
  givenName: string
  familyName: string
  organization: string
  jobTitle: string
  /** JSON of `{label, number}`. */
  phones: string
  notes: string
  /** `1985-04-12`, or `--04-12` without the year; empty if unknown. */
  birthday: Generated<string>
  /** JSON of `{label, street, city, region, postalCode, country}`. */
  postalAddresses: Generated<string>
  /** JSON of `{label, url}`. */
  websites: Generated<string>
  /** JSON of texts. */
  categories: Generated<string>
  /** The unfolded lines of the imported vCards, also those without a field. An export writes them again. */
  extra: Generated<string>
  /** 1 if the user created, imported, edited or merged it. Mail then no longer changes its name. */
  isEdited: number
  /** 1 if it is edited, or if the user has written to it. */
  isKnown: number
  /** The normalized name or address that lists are sorted by. */
  sortKey: string
  version: number
  createdAt: string
  updatedAt: string
}

/** An address of mail sent or received. Each account has it at most once. */
export interface ContactAddressRow {
  id: Generated<number>
  userId: number
  /** Null for a sender of bulk mail, and for an address whose contact was deleted. */
  contactId: number | null
  /** In lower case. */
  address: string
  localPart: string
  label: string
  /** Order within the contact. */
  place: number
  sent: number
  received: number
  lastUsedAt: string | null
  /** How often and how lately it was used: see features/contacts/tally.ts. 0 if never. */
  score: number
  /** Time at which its contact was deleted. Only later mail to the address creates a contact again. */
  hiddenAt: string | null
}

/** One row per address and search term. `addressId` is 0 for a contact without an address. */
export interface ContactTermRow {
  userId: number
  term: string
  contactId: number
  addressId: number
}

/** One use of an address in a mail. A job adds it to the counts of the address and deletes it. */
export interface ContactUseRow {
  id: Generated<number>
  userId: number
  address: string
  name: string
  direction: 'sent' | 'received'
  /** 1 for mail of a mailing list and of senders that accept no replies. */
  isBulk: number
  usedAt: string
}

export interface ContactsTables {
  contacts: ContactRow
  contact_addresses: ContactAddressRow
  contact_terms: ContactTermRow
  contact_uses: ContactUseRow
}

export const contactsKeys: TableKeys<ContactsTables> = {
  contacts: ['id'],
  contact_addresses: ['id'],
  contact_terms: ['userId', 'term', 'contactId', 'addressId'],
  contact_uses: ['id'],
}
