import type { Folder } from '../../../database/tables/mail.ts'
import { digest } from '../../../platform/secrets/digest.ts'
import type { FolderListing, FolderUse, MessageSketch } from '../mailbox.ts'

/** Another's judgement of what is worth reading, and copies of what lies elsewhere: not followed. */
const LEFT_OUT: readonly (FolderUse | null)[] = ['junk', 'flagged']

const FOLDERS: Record<string, Folder> = { inbox: 'inbox', sent: 'sent', drafts: 'drafts', trash: 'trash' }

/** What a folder of the server is here: folders that people made themselves are archives. */
export const folderFor = (use: string | null): Folder => FOLDERS[use ?? ''] ?? 'archive'

/** The order in which folders are looked at, and which wins when a message lies in several. */
const ORDER: readonly Folder[] = ['inbox', 'sent', 'drafts', 'archive', 'trash']
const rankOf = (use: string | null): number => ORDER.indexOf(folderFor(use)) * 2 + (use === 'all' ? 1 : 0)

export const followed = (listing: readonly FolderListing[]): FolderListing[] =>
  listing
    .filter(({ use, selectable }) => selectable && !LEFT_OUT.includes(use))
    .toSorted((a, b) => rankOf(a.use) - rankOf(b.use) || a.path.localeCompare(b.path))

/** Where an e-mail counts as lying, of all the places that its server has it in. */
export const bestFolder = (uses: readonly (string | null)[]): Folder | undefined =>
  uses
    .toSorted((a, b) => rankOf(a) - rankOf(b))
    .map(folderFor)
    .at(0)

/** The name of a folder that is made because the server has none for the purpose. */
export const NEW_FOLDERS: Record<Folder, string> = {
  inbox: 'INBOX',
  sent: 'Sent',
  drafts: 'Drafts',
  archive: 'Archive',
  trash: 'Trash',
}

/**
 * By what the same message is known again in another folder, or under another number. Hashed, so that of a message
 * that was deleted here nothing readable remains.
 */
export const identityOf = ({
  messageId,
  size,
  receivedAt,
}: Pick<MessageSketch, 'messageId' | 'size' | 'receivedAt'>) =>
  digest(messageId === null ? `${receivedAt}\n${size}` : `${messageId}\n${size}`)
