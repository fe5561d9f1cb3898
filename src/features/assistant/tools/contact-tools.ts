import Type from 'typebox'
import { userIdOf } from '../../../platform/access/caller.ts'
import type { Contacts } from '../../contacts/contacts.ts'
import { near, says } from './commands.ts'
import type { ToolContracts } from './contracts.ts'
import type { Journal } from './journal.ts'
import { ChangedItem, defineTool, getProposalTexts, type Tool, unlessChanged } from './tool.ts'

export const createContactTools = ({
  contacts,
  contracts,
  journal,
}: {
  contacts: Pick<Contacts, 'list' | 'create' | 'remove'>
  contracts: ToolContracts
  journal: Journal
}): Tool[] => {
  const recordCreated = journal.define(
    'contact',
    'assistant.contact_created',
    Type.Object(ChangedItem),
    (left, _tx, userId) => unlessChanged('contact', left, (etag) => contacts.remove(userId, left.id, etag)),
  )

  return [
    defineTool(contracts.find_contact, {
      async run({ query, known, limit = 10 }, { caller }) {
        const found = await contacts.list(userIdOf(caller), {
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
          words: ['add', 'create', 'save', 'store', 'new contact', 'neuer kontakt', near('put', 'contacts?')],
          stems: ['füg', 'speicher', 'leg', 'erstell', 'nimm|nehm'],
        }),
      ],
      propose: async ({ name, addresses = [] }, { language }) => ({
        summary: getProposalTexts(language).createContact(name, addresses.join(', ')),
        about: null,
        target: null,
      }),
      run: ({ addresses = [], ...fields }, { caller }) =>
        recordCreated(userIdOf(caller), async () => {
          const { version, ...result } = await contacts.create(userIdOf(caller), {
            ...fields,
            addresses: addresses.map((address) => ({ address })),
          })
          return {
            result,
            summary: `Added the contact “${result.name}”`,
            payload: { id: result.id, version },
          }
        }),
    }),
  ]
}
