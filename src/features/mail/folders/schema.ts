import Type, { type Static } from 'typebox'
import { NextCursor, Nullable, pageParameters, strict } from '../../../platform/http/shapes.ts'
import { FolderId, MailFolder } from './folder.ts'

export const FolderPath = Type.Object({ id: FolderId }, strict)

const AccountId = Type.String({ minLength: 1, maxLength: 100, examples: ['q3vYw1y0T2uJf0b2nq8XVA'] })
const Name = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: '^[^\\u0000-\\u001f\\u007f]*[^\\s\\u0000-\\u001f\\u007f][^\\u0000-\\u001f\\u007f]*$',
  examples: ['Invoices'],
})

export const FolderQuery = Type.Object(
  {
    ...pageParameters,
    limit: { ...pageParameters.limit, default: 200 },
    accountId: Type.Optional(AccountId),
  },
  strict,
)
export type FolderQuery = Static<typeof FolderQuery>

export const FolderList = Type.Object(
  { folders: Type.Array(MailFolder), nextCursor: NextCursor },
  { title: 'MailFolderList' },
)

export const NewFolder = Type.Object(
  { accountId: AccountId, name: Name, parentId: Type.Optional(Nullable(FolderId)) },
  { ...strict, title: 'NewMailFolder' },
)
export type NewFolder = Static<typeof NewFolder>

export const FolderChange = Type.Object(
  { name: Type.Optional(Name), parentId: Type.Optional(Nullable(FolderId)) },
  {
    ...strict,
    title: 'MailFolderChange',
    description: 'A new name, or another parent. A null `parentId` moves the folder to the top level',
    examples: [{ name: 'Invoices 2026' }],
  },
)
export type FolderChange = Static<typeof FolderChange>

export const FolderRemoval = Type.Object(
  {
    emails: Type.Enum(['keep', 'trash'], {
      type: 'string',
      default: 'keep',
      description:
        '`keep`: a folder with emails is not deleted (409). `trash`: its emails move to the trash of the account',
    }),
  },
  strict,
)
export type FolderRemoval = Static<typeof FolderRemoval>
