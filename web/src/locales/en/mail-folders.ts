import { formatNumber, plural } from '../format.ts'

// The folders of mail accounts.
export const accountFolders = 'Account folders'
export const folders = 'Folders'
export const specialFolders = {
  inbox: 'Inbox',
  sent: 'Sent',
  drafts: 'Drafts',
  archive: 'Archive',
  all: 'All mail',
  trash: 'Trash',
  junk: 'Spam',
}
export const unreadCount = (count: number) => `, ${formatNumber(count)} unread`
export const subfoldersOf = (name: string) => `Subfolders of ${name}`
export const actionsFor = (name: string) => `Actions for ${name}`
export const newFolder = 'New folder'
export const newSubfolder = 'New subfolder'
export const newFolderIn = (name: string) => `New folder in ${name}`
export const folderName = 'Folder name'
export const create = 'Create'
export const rename = 'Rename'
export const renameFolder = 'Rename folder'
export const moveFolder = 'Move folder'
export const moveFolderTitle = (name: string) => `Move folder “${name}”`
export const move = 'Move'
export const parentFolder = 'Move into'
export const topLevel = 'Top level'
export const deleteFolder = 'Delete folder'
export const deleteTitle = (name: string) => `Delete folder “${name}”?`
export const deleteAbout = (count: number) =>
  count === 0
    ? 'The folder is empty.'
    : plural(count, {
        one: 'Its email moves to the trash.',
        other: `Its ${formatNumber(count)} emails move to the trash.`,
      })

// Moving emails.
export const moveTo = 'Move to folder'
export const findFolder = 'Find folder'
export const noTarget = 'No matching folder in this email account'
export const movedTo = ({ count, subject, folder }: { count: number; subject: string; folder: string }) =>
  plural(count, {
    one: `“${subject}” moved to ${folder}`,
    other: `${formatNumber(count)} emails moved to ${folder}`,
  })

// Spam.
export const spam = 'Report spam'
export const notSpam = 'Not spam'
export const markedSpam = ({ count, subject }: { count: number; subject: string }) =>
  plural(count, {
    one: `“${subject}” marked as spam`,
    other: `${formatNumber(count)} emails marked as spam`,
  })
