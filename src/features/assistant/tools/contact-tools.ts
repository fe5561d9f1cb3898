import Type from 'typebox'
import { userIdOf } from '../../../platform/access/caller.ts'
import type { Contacts } from '../../contacts/contacts.ts'
import { near, says } from './commands.ts'
import type { Journal } from './registry.ts'
import { ChangedItem, defineTool, getProposalTexts, type Tool, unlessChanged } from './tool.ts'

const strict = { additionalProperties: false }
const Text = Type.String({ maxLength: 200 })

export const createContactTools = ({
  contacts,
  journal,
}: {
  contacts: Pick<Contacts, 'list' | 'create' | 'remove'>
  journal: Journal
}): Tool[] => {
  const recordCreated = journal.define('contact_created', Type.Object(ChangedItem), (left, _tx, userId) =>
    unlessChanged('contact', left, (etag) => contacts.remove(userId, left.id, etag)),
  )

  return [
    defineTool({
      name: 'find_contact',
      description: 'Finds contacts by name, organization or email address, in alphabetical order.',
      effect: 'read',
      scope: 'mail:read',
      input: Type.Object(
        {
          query: Type.Optional(
            Type.String({ maxLength: 200, description: 'Beginnings of words; empty: all contacts' }),
          ),
          known: Type.Optional(
            Type.Boolean({ description: 'true: only people whom the person saved or wrote to' }),
          ),
          limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50 })),
        },
        strict,
      ),
      async run({ query, known, limit = 10 }, { caller }) {
        const found = await contacts.list(userIdOf(caller), {
          limit,
          ...(query !== undefined && { q: query }),
          ...(known !== undefined && { known }),
        })
        return { result: { contacts: found.contacts, more: found.nextCursor !== null } }
      },
    }),
    defineTool({
      name: 'create_contact',
      description: 'Adds a contact.',
      effect: 'write',
      scope: 'mail:write',
      input: Type.Object(
        {
          name: Text,
          addresses: Type.Optional(
            Type.Array(Type.String({ minLength: 3, maxLength: 254 }), {
              maxItems: 20,
              description: 'Email addresses, the preferred one first',
            }),
          ),
          organization: Type.Optional(Text),
          jobTitle: Type.Optional(Text),
          notes: Type.Optional(Type.String({ maxLength: 10_000 })),
        },
        strict,
      ),
      returnsOwnText: true,
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
