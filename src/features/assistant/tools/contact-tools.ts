import Type from 'typebox'
import { pick } from '../../../platform/collections.ts'
import { etagOf } from '../../../platform/http/etag.ts'
import type { Contact, ContactChange } from '../../contacts/contact.ts'
import { near, says } from './commands.ts'
import { LAST_EMAIL_FIELDS } from './contracts/people.ts'
import { Changed, ChangedItem, fieldsOf, unlessChanged } from './journal.ts'
import { filterOpenEmails, toSearch } from './mail-search.ts'
import { getProposalTexts } from './proposal-texts.ts'
import type { ToolDeps } from './services.ts'
import { defineTool, type Tool, type ToolUse } from './tool.ts'

/** Addresses of a person whose mail is looked up. */
const MAX_ADDRESSES = 5
const MAX_PRIVATE = 20

const CHANGE_VERBS = says({
  words: ['change|update|edit|correct|set|add|save|note|replace|neue[rsn]?'],
  stems: ['änder|aktualisier|setz|ergänz|speicher|notier|trag|korrigier|ersetz|füg'],
})

const toAddressInputs = (addresses: readonly string[]): { address: string }[] =>
  addresses.map((address) => ({ address }))

/** The old values of the fields that a call changes. */
const pickBefore = (contact: Contact, names: readonly string[]): ContactChange => {
  const { addresses, ...fields } = contact
  const before = Object.entries({
    ...fields,
    addresses: addresses.map(({ address, label }) => ({ address, label })),
  })
  return Object.fromEntries(before.filter(([name]) => names.includes(name)))
}

export const createContactTools = (deps: ToolDeps): Tool[] => {
  const { contacts, contracts, finding, journal } = deps

  const recordCreated = journal.define(
    'contact',
    'assistant.contact_created',
    Type.Object(ChangedItem),
    (left, _tx, userId) => unlessChanged('contact', left, (etag) => contacts.remove(userId, left.id, etag)),
  )
  const recordChanged = journal.define(
    'contact',
    'assistant.contact_changed',
    Type.Object({ ...Changed, before: fieldsOf<ContactChange>() }),
    (left, _tx, userId) =>
      unlessChanged('contact', left, (etag) => contacts.change(userId, left.id, left.before, etag)),
  )

  const findLastEmail = async ({ addresses }: Contact, use: ToolUse) => {
    const found = []
    for (const { address } of addresses.slice(0, MAX_ADDRESSES)) {
      const search = { ...toSearch(`from:${address}`, use), limit: use.sendsToModel ? MAX_PRIVATE : 1 }
      const { emails } = await finding.list(use.userId, search)
      found.push(...filterOpenEmails(emails, use))
    }
    return found.toSorted((one, other) => other.date.localeCompare(one.date))[0]
  }

  return [
    defineTool(contracts.find_contact, {
      async run({ query, known, limit = 10 }, { userId }) {
        const found = await contacts.list(userId, {
          limit,
          ...(query !== undefined && { q: query }),
          ...(known !== undefined && { known }),
        })
        return { result: { contacts: found.contacts, more: found.nextCursor !== null } }
      },
    }),
    defineTool(contracts.create_contact, {
      verbs: () => [
        says({
          words: ['add|create|save|store|new contact|neuer kontakt', near('put', 'contacts?')],
          stems: ['füg|speicher|leg|erstell|nimm|nehm'],
        }),
      ],
      propose: async ({ name, addresses = [] }, { language }) => ({
        summary: getProposalTexts(language).createContact(name, addresses.join(', ')),
        about: null,
        target: null,
      }),
      run: ({ addresses = [], ...fields }, { userId }) =>
        recordCreated(userId, async () => {
          const { version, ...result } = await contacts.create(userId, {
            ...fields,
            addresses: toAddressInputs(addresses),
          })
          return {
            result,
            summary: `Added the contact “${result.name}”`,
            payload: { id: result.id, version },
          }
        }),
    }),
    defineTool(contracts.update_contact, {
      verbs: () => [CHANGE_VERBS],
      async propose({ id }, { userId, language }) {
        const { name, addresses } = await contacts.get(userId, id)
        return {
          summary: getProposalTexts(language).changeContact(name),
          about: null,
          target: {
            kind: 'contact',
            id,
            titles: [name],
            people: addresses.map(({ address }) => ({ name, address })),
          },
        }
      },
      run: ({ id, addresses, ...fields }, { userId }) =>
        recordChanged(userId, async () => {
          const change = { ...fields, ...(addresses && { addresses: toAddressInputs(addresses) }) }
          const found = await contacts.get(userId, id)
          const { version, extra: _, ...result } = await contacts.change(userId, id, change, etagOf(found))
          const before = pickBefore(found, Object.keys(change))
          return {
            result,
            summary: `Changed the contact “${result.name}”`,
            payload: { id, version, found: found.version, before },
          }
        }),
    }),
    defineTool(contracts.read_contact, {
      async run({ id }, use) {
        const { version: _, extra: __, ...contact } = await contacts.get(use.userId, id)
        const lastEmail = await findLastEmail(contact, use)
        return {
          result: { contact, lastEmail: lastEmail ? pick(lastEmail, LAST_EMAIL_FIELDS) : null },
          emails: lastEmail ? [lastEmail.id] : [],
        }
      },
    }),
  ]
}
