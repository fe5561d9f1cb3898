import Type, { type Static } from 'typebox'
import type { Folder } from '../../../database/tables/mail.ts'
import { Nullable } from '../../../platform/http/shapes.ts'

/** Special uses of server folders (RFC 6154). Folders with copies of other folders are not synced. */
const SPECIAL_USES = ['inbox', 'sent', 'drafts', 'archive', 'all', 'trash', 'junk'] as const

export const FolderId = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, examples: [12] })

/** A folder of a mail account, as it is on the server. */
export const MailFolder = Type.Object(
  {
    id: FolderId,
    accountId: Type.String({ examples: ['q3vYw1y0T2uJf0b2nq8XVA'] }),
    name: Type.String({ examples: ['Invoices'] }),
    path: Type.String({
      examples: ['Projects/Invoices'],
      description: 'The whole name on the server, with its delimiter',
    }),
    parentId: Nullable(FolderId),
    specialUse: Nullable(
      Type.Enum([...SPECIAL_USES], {
        type: 'string',
        examples: ['inbox'],
        description: 'The purpose of the folder (RFC 6154). Null for other folders',
      }),
    ),
    selectable: Type.Boolean({
      examples: [true],
      description: 'False for folders that only contain other folders',
    }),
    subscribed: Type.Boolean({ examples: [true] }),
    unread: Type.Integer({ examples: [3] }),
    total: Type.Integer({ examples: [128] }),
  },
  { title: 'MailFolder' },
)
export type MailFolder = Static<typeof MailFolder>

const FOLDERS: Readonly<Record<string, Folder>> = {
  inbox: 'inbox',
  sent: 'sent',
  drafts: 'drafts',
  archive: 'archive',
  all: 'archive',
  junk: 'junk',
  trash: 'trash',
}

/** Maps the special use of a server folder to the folder of its emails. */
export const toFolder = (use: string | null): Folder => FOLDERS[use ?? ''] ?? 'other'

/** The sync order of folders. The first one wins if a message is in several. */
const ORDER: readonly Folder[] = ['inbox', 'sent', 'drafts', 'other', 'archive', 'junk', 'trash']

export const rankOfRole = (role: Folder): number => ORDER.indexOf(role)

export const rankOf = (use: string | null): number => rankOfRole(toFolder(use)) * 2 + (use === 'all' ? 1 : 0)

/** The special uses that serve a folder, best first. With a single folder for all mail, that one is the archive. */
export const usesOf = (folder: Folder): string[] =>
  folder === 'archive' ? ['archive', 'all'] : folder === 'other' ? [] : [folder]
