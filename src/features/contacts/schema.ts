import Type from 'typebox'
import { NextCursor, pageParameters } from '../../platform/http/shapes.ts'
import { Contact, ContactId } from './contact.ts'

const strict = { additionalProperties: false }

export const ContactCollection = Type.Object(
  { contacts: Type.Array(Contact), nextCursor: NextCursor },
  { title: 'ContactCollection' },
)
export type ContactCollection = Type.Static<typeof ContactCollection>

export const ContactPath = Type.Object({ id: ContactId }, strict)

const Known = Type.Optional(
  Type.Boolean({
    examples: [true],
    description: 'Only contacts that you saved or wrote to; `false`: only the others',
  }),
)

export const ContactQuery = Type.Object(
  {
    q: Type.Optional(
      Type.String({
        maxLength: 200,
        examples: ['ana'],
        description:
          'Search text. Each word must be the beginning of a word of a name, of the organization or of an address',
      }),
    ),
    known: Known,
    ...pageParameters,
  },
  strict,
)
export type ContactQuery = Type.Static<typeof ContactQuery>

export const SuggestQuery = Type.Object(
  {
    q: Type.Optional(
      Type.String({
        maxLength: 200,
        examples: ['an'],
        description: 'The beginning of a name, an address or a domain. Empty: the most used addresses',
      }),
    ),
    limit: Type.Integer({ minimum: 1, maximum: 20, default: 8, description: 'Maximum number of addresses' }),
  },
  strict,
)

export const Suggestions = Type.Object(
  {
    suggestions: Type.Array(
      Type.Object(
        {
          contactId: ContactId,
          name: Type.String({ examples: ['Ana Ruiz'], description: 'Empty if unknown' }),
          address: Type.String({ examples: ['ana@example.org'] }),
          organization: Type.String({ examples: ['Falk Architekten'] }),
        },
        { title: 'ContactSuggestion' },
      ),
    ),
  },
  { title: 'ContactSuggestions' },
)
export type Suggestions = Type.Static<typeof Suggestions>

export const Duplicates = Type.Object(
  {
    duplicates: Type.Array(
      Type.Object(
        {
          reason: Type.Enum(['name', 'address'], {
            type: 'string',
            examples: ['name'],
            description: 'Equal names, or addresses that are equal before the `@`',
          }),
          contacts: Type.Array(Contact),
        },
        { title: 'DuplicateContacts' },
      ),
    ),
  },
  { title: 'DuplicateContactCollection' },
)
export type Duplicates = Type.Static<typeof Duplicates>

export const MAX_MERGED = 20

export const MergeInput = Type.Object(
  {
    contactIds: Type.Array(ContactId, {
      minItems: 1,
      maxItems: MAX_MERGED,
      examples: [[13]],
      description: 'The contacts that become part of this one',
    }),
  },
  { ...strict, title: 'ContactMergeInput' },
)

export const MergeResult = Type.Object(
  {
    contact: Contact,
    actionId: Type.Integer({
      examples: [7],
      description: 'Undo the merge with `POST /api/actions/{id}/undo`',
    }),
  },
  { title: 'ContactMerge' },
)

export const VCARD_TYPE = 'text/vcard'
export const VCardFile = {
  [VCARD_TYPE]: {
    schema: {
      type: 'string',
      example:
        'BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Ana Ruiz\r\nEMAIL;TYPE=work:ana@example.org\r\nEND:VCARD\r\n',
    },
  },
}

export const ExportQuery = Type.Object({ known: Known }, strict)

const Count = (description: string) => Type.Integer({ examples: [3], description })

export const ContactImportReport = Type.Object(
  {
    found: Count('Number of vCards in the file'),
    added: Count('Number of new contacts'),
    updated: Count('Number of contacts that got new data'),
    skipped: Count('Number of vCards without new data, or that cannot be used'),
    remarks: Type.Array(
      Type.Object(
        {
          line: Type.Integer({ examples: [12], description: 'First line of the vCard in the file' }),
          name: Type.String({ examples: ['Ana Ruiz'] }),
          reason: Type.String({ examples: ['“ana at example” is not an email address.'] }),
        },
        { title: 'ContactImportRemark' },
      ),
      { description: 'The first 100 remarks' },
    ),
  },
  { title: 'ContactImportReport' },
)
export type ContactImportReport = Type.Static<typeof ContactImportReport>
