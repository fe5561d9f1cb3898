import Type from 'typebox'
import { near, says } from './commands.ts'
import { ChangedItem, unlessChanged } from './journal.ts'
import { getProposalTexts } from './proposal-texts.ts'
import type { ToolDeps } from './services.ts'
import { defineTool, type Tool } from './tool.ts'

export const createContactTools = ({ contacts, contracts, journal }: ToolDeps): Tool[] => {
  const recordCreated = journal.define(
    'contact',
    'assistant.contact_created',
    Type.Object(ChangedItem),
    (left, _tx, userId) => unlessChanged('contact', left, (etag) => contacts.remove(userId, left.id, etag)),
  )

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
