import type { Static } from 'typebox'
import Type from 'typebox'
import { Instant, NextCursor } from '../../../platform/http/shapes.ts'

const strict = { additionalProperties: false }
const SearchId = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, examples: [3] })

const fields = {
  name: Type.String({ minLength: 1, maxLength: 100, pattern: '\\S', examples: ['Invoices'] }),
  q: Type.String({ minLength: 1, maxLength: 1000, pattern: '\\S', examples: ['invoice has:attachment'] }),
}

export const SearchPath = Type.Object({ id: SearchId }, strict)

export const SavedSearch = Type.Object(
  { id: SearchId, ...fields, createdAt: Instant, updatedAt: Instant },
  { title: 'SavedSearch' },
)

export const SavedSearchList = Type.Object(
  { savedSearches: Type.Array(SavedSearch), nextCursor: NextCursor },
  { title: 'SavedSearchList' },
)

export const NewSavedSearch = Type.Object(fields, { ...strict, title: 'NewSavedSearch' })
export type NewSavedSearch = Static<typeof NewSavedSearch>

export const SavedSearchChange = Type.Partial(Type.Object(fields), {
  ...strict,
  title: 'SavedSearchChange',
  examples: [{ name: 'Invoices of this year' }],
})
export type SavedSearchChange = Static<typeof SavedSearchChange>
