import { Archive, FilePen, Inbox, type LucideIcon, Send, Trash2 } from 'lucide-react'
import type { Shape } from '../../api/client.ts'

export type Email = Shape<'Email'>
export type EmailSummary = Shape<'EmailSummary'>
export type Folder = EmailSummary['folder']
export type Address = Shape<'Address'>
export type Attachment = Shape<'Attachment'>

export interface FolderEntry {
  folder: Folder
  label: string
  icon: LucideIcon
}

export const FOLDERS: readonly FolderEntry[] = [
  { folder: 'inbox', label: 'Inbox', icon: Inbox },
  { folder: 'drafts', label: 'Drafts', icon: FilePen },
  { folder: 'sent', label: 'Sent', icon: Send },
  { folder: 'archive', label: 'Archive', icon: Archive },
  { folder: 'trash', label: 'Trash', icon: Trash2 },
]

export const labelOf = (folder: Folder): string =>
  FOLDERS.find((folderEntry) => folderEntry.folder === folder)?.label ?? folder

export const isFolder = (text: string): text is Folder => FOLDERS.some(({ folder }) => folder === text)

/** Short display name of a person. */
export const nameOf = (person: Address | null): string => person?.name || person?.address || 'Unknown sender'

/** People shown in a list row: the sender, or the recipients in Sent and Drafts. */
export const peopleOf = ({ folder, from, to, cc }: EmailSummary): string => {
  if (folder !== 'sent' && folder !== 'drafts') return nameOf(from)
  const others = [...to, ...cc]
  return others.length === 0 ? 'Nobody yet' : `To ${others.map(nameOf).join(', ')}`
}

export const subjectOf = ({ subject }: Pick<EmailSummary, 'subject'>): string => subject || '(no subject)'
