import {
  Archive,
  FilePen,
  Folder as FolderIcon,
  Inbox,
  type LucideIcon,
  OctagonAlert,
  Send,
  Trash2,
} from 'lucide-react'
import * as t from '#locale/mail'
import type { Shape } from '../../api/client.ts'

export type Email = Shape<'Email'>
export type EmailSummary = Shape<'EmailSummary'>
export type Folder = EmailSummary['folder']
export type Address = Shape<'Address'>
export type Attachment = Shape<'Attachment'>

/** In the order of the navigation. */
export const FOLDER_ICONS: Readonly<Record<Folder, LucideIcon>> = {
  inbox: Inbox,
  drafts: FilePen,
  sent: Send,
  archive: Archive,
  junk: OctagonAlert,
  trash: Trash2,
  other: FolderIcon,
}

/** The views over all mail accounts. Other folders belong to one account. */
export const FOLDERS = (Object.keys(FOLDER_ICONS) as readonly Folder[]).filter((folder) => folder !== 'other')

export const isFolder = (text: string): text is Folder => FOLDERS.some((folder) => folder === text)

/** Short display name of a person. */
export const nameOf = (person: Address | null): string => person?.name || person?.address || t.unknownSender

/** People shown in a list row: the sender, or the recipients in Sent and Drafts. */
export const peopleOf = ({ folder, from, to, cc }: EmailSummary): string => {
  if (folder !== 'sent' && folder !== 'drafts') return nameOf(from)
  const others = [...to, ...cc]
  return others.length === 0 ? t.noRecipients : t.toPeople(others.map(nameOf).join(', '))
}

export const subjectOf = ({ subject }: Pick<EmailSummary, 'subject'>): string => subject || t.noSubject

/** Archived, deleted and junk emails can go back to the inbox. */
export const isPutAway = ({ folder }: Pick<EmailSummary, 'folder'>): boolean =>
  folder === 'archive' || folder === 'trash' || folder === 'junk'
