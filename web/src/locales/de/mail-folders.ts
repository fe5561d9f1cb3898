import { formatNumber, plural } from '../format.ts'

// The folders of mail accounts.
export const accountFolders = 'Ordner der Konten'
export const folders = 'Ordner'
export const specialFolders = {
  inbox: 'Posteingang',
  sent: 'Gesendet',
  drafts: 'Entwürfe',
  archive: 'Archiv',
  all: 'Alle E-Mails',
  trash: 'Papierkorb',
  junk: 'Spam',
}
export const unreadCount = (count: number) => `, ${formatNumber(count)} ungelesen`
export const subfoldersOf = (name: string) => `Unterordner von ${name}`
export const actionsFor = (name: string) => `Aktionen für ${name}`
export const newFolder = 'Neuer Ordner'
export const newSubfolder = 'Neuer Unterordner'
export const newFolderIn = (name: string) => `Neuer Ordner in ${name}`
export const folderName = 'Name des Ordners'
export const create = 'Erstellen'
export const rename = 'Umbenennen'
export const renameFolder = 'Ordner umbenennen'
export const moveFolder = 'Ordner verschieben'
export const moveFolderTitle = (name: string) => `Ordner „${name}“ verschieben`
export const move = 'Verschieben'
export const parentFolder = 'Verschieben nach'
export const topLevel = 'Oberste Ebene'
export const deleteFolder = 'Ordner löschen'
export const deleteTitle = (name: string) => `Ordner „${name}“ löschen?`
export const deleteAbout = (count: number) =>
  count === 0
    ? 'Der Ordner ist leer.'
    : plural(count, {
        one: 'Seine E-Mail wird in den Papierkorb verschoben.',
        other: `Seine ${formatNumber(count)} E-Mails werden in den Papierkorb verschoben.`,
      })

// Moving emails.
export const moveTo = 'In Ordner verschieben'
export const findFolder = 'Ordner suchen'
export const noTarget = 'Kein passender Ordner in diesem E-Mail-Konto'
export const movedTo = ({ count, subject, folder }: { count: number; subject: string; folder: string }) =>
  plural(count, {
    one: `„${subject}“ nach ${folder} verschoben`,
    other: `${formatNumber(count)} E-Mails nach ${folder} verschoben`,
  })

// Spam.
export const spam = 'Als Spam melden'
export const notSpam = 'Kein Spam'
export const markedSpam = ({ count, subject }: { count: number; subject: string }) =>
  plural(count, {
    one: `„${subject}“ als Spam markiert`,
    other: `${formatNumber(count)} E-Mails als Spam markiert`,
  })
