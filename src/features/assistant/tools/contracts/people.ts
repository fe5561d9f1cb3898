import Type from 'typebox'
import {
  closed,
  Id,
  limitTo,
  listOf,
  OrNull,
  oneOf,
  pickFields,
  type ToolContract,
  type ToolSchemas,
  toToolFields,
} from './contract.ts'

const Text = Type.String({ maxLength: 200 })
const EmailAddresses = Type.Array(Type.String({ minLength: 3, maxLength: 254 }), {
  maxItems: 20,
  description: 'Email addresses, the preferred one first',
})

/** The fields of a contact that tools set, besides the name and the addresses. */
export const CONTACT_FIELDS = [
  'organization',
  'jobTitle',
  'notes',
  'birthday',
  'phones',
  'postalAddresses',
] as const

export const LAST_EMAIL_FIELDS = ['id', 'threadId', 'from', 'subject', 'snippet', 'date'] as const

export const createPeopleContracts = (schemas: ToolSchemas) => {
  const contactFields = toToolFields(pickFields(schemas.contact, CONTACT_FIELDS))
  return {
    find_contact: {
      description: 'Finds contacts by name, organization or email address, in alphabetical order.',
      effect: 'read',
      scope: 'mail:read',
      input: closed({
        query: Type.Optional(
          Type.String({ maxLength: 200, description: 'Beginnings of words; empty: all contacts' }),
        ),
        known: Type.Optional(
          Type.Boolean({ description: 'true: only people whom the person saved or wrote to' }),
        ),
        limit: limitTo(50),
      }),
      result: () => listOf('contacts', schemas.contact),
    },
    create_contact: {
      description: 'Adds a contact.',
      effect: 'write',
      scope: 'mail:write',
      input: closed({
        name: Text,
        addresses: Type.Optional(EmailAddresses),
        ...contactFields,
      }),
      returnsOwnText: true,
      result: () => schemas.contact,
    },
    update_contact: {
      description: 'Changes a contact. Lists replace the stored lists: repeat the entries that stay.',
      effect: 'write',
      scope: 'mail:write',
      input: closed({
        id: Id,
        name: Type.Optional(Text),
        addresses: Type.Optional(EmailAddresses),
        ...contactFields,
      }),
      result: () => schemas.contact,
      isIdempotent: true,
    },
    read_contact: {
      description: 'Reads a contact and the last email from this person.',
      effect: 'read',
      longReads: true,
      scope: 'mail:read',
      input: closed({ id: Id }),
      result: () =>
        Type.Object({
          contact: schemas.contact,
          lastEmail: OrNull(Type.Object(pickFields(schemas.email, LAST_EMAIL_FIELDS))),
        }),
    },
    list_commitments: {
      description:
        'Lists promises in mail: `mine` are promises of the person, `theirs` promises to the person. Overdue ones first.',
      effect: 'read',
      scope: 'mail:read',
      input: closed({
        direction: Type.Optional(oneOf(['mine', 'theirs'])),
        person: Type.Optional(
          Type.String({ maxLength: 200, description: 'Name or address of the other person' }),
        ),
        status: Type.Optional(
          Type.Enum(['open', 'done', 'dismissed'], { type: 'string', description: 'Default: open' }),
        ),
        overdue: Type.Optional(Type.Boolean()),
        limit: limitTo(50),
      }),
      result: () => listOf('commitments', schemas.commitment),
    },
    close_commitment: {
      description: 'Closes a promise: `done` if it was kept, `dismissed` if it does not count.',
      effect: 'write',
      scope: 'mail:write',
      input: closed({
        id: Type.Integer({ minimum: 1, description: 'Id from list_commitments' }),
        status: Type.Optional(
          Type.Enum(['done', 'dismissed'], { type: 'string', description: 'Default: done' }),
        ),
      }),
      result: () => schemas.commitment,
      isIdempotent: true,
    },
  } satisfies Record<string, ToolContract>
}
