import type { MessageHead } from '../../mail/messages/message-head.ts'
import { MAIL_FOLDERS, type MailFolder, type MailMarks, toTags } from '../import-record.ts'

/** Names of special folders in mail programs and in Gmail, in English and German. */
const FOLDER_NAMES: Readonly<Record<MailFolder, string>> = {
  inbox: 'inbox|posteingang',
  sent: 'sent|sent mail|sent items|sent messages|gesendet|gesendete objekte|gesendete elemente',
  drafts: 'drafts|draft|entwürfe|entwurf',
  archive: 'archive|archives|archived|archiv|archiviert|all mail|alle nachrichten',
  trash: 'trash|bin|deleted items|deleted messages|papierkorb|gelöschte elemente|gelöschte objekte',
  junk: 'junk|spam|junk e-mail|bulk mail|junk-e-mail',
}

const FOLDERS: ReadonlyMap<string, MailFolder> = new Map(
  MAIL_FOLDERS.flatMap((folder) => FOLDER_NAMES[folder].split('|').map((name) => [name, folder] as const)),
)

/** Files that hold mail of all folders. Their name says nothing about a message. */
const GENERIC =
  /^(?:all mail.*|alle (?:nachrichten|e-?mails).*|mbox|mail|messages?|import|export|upload|takeout.*|mailbox|unknown)$/i

/** The folder of a mailbox by its name. Any other name becomes a tag of mail in the archive. */
export const toFolder = (name: string): { folder: MailFolder; tags: string[] } => {
  const clean = name
    .normalize('NFC')
    .replace(/\.(?:mbox|mbx|eml)$/i, '')
    .trim()
  const folder = FOLDERS.get((clean.split('/').at(-1) ?? '').toLowerCase())
  if (folder) return { folder, tags: [] }
  return { folder: 'archive', tags: GENERIC.test(clean) ? [] : toTags([clean]).tags }
}

/** Splits a comma-separated list whose entries may be quoted. */
const splitLabels = (text: string): string[] =>
  [...text.matchAll(/"([^"]*)"|[^,]+/g)]
    .map((match) => (match[1] ?? match[0]).trim())
    .filter((label) => label !== '')

const UNREAD = new Set(['unread', 'ungelesen'])
const OPENED = new Set(['opened', 'geöffnet'])
const STARRED = new Set(['starred', 'markiert'])
/** A message in several of these folders is in the first. */
const FOLDER_ORDER: readonly MailFolder[] = ['trash', 'junk', 'drafts', 'inbox', 'sent', 'archive']

/** `X-Gmail-Labels` of Google Takeout. Labels without a meaning of their own become tags. */
const readGmailLabels = (text: string): MailMarks & { lost: string[] } => {
  const labels = splitLabels(text)
  const lower = labels.map((label) => label.normalize('NFC').toLowerCase())
  const folders = lower.flatMap((label) => FOLDERS.get(label) ?? [])
  const others = labels.filter((_, index) => {
    const label = lower[index] as string
    return !UNREAD.has(label) && !OPENED.has(label) && !STARRED.has(label) && !FOLDERS.has(label)
  })
  const { tags, lost } = toTags(others.map((label) => label.replace(/^(?:category|kategorie)[ :]+/i, '')))
  return {
    folder: FOLDER_ORDER.find((folder) => folders.includes(folder)) ?? 'archive',
    tags,
    lost,
    read: !lower.some((label) => UNREAD.has(label)),
    starred: lower.some((label) => STARRED.has(label)),
  }
}

const MOZILLA_READ = 0x0001
const MOZILLA_STARRED = 0x0004
const MOZILLA_EXPUNGED = 0x0008
const MOZILLA_TAGS: Readonly<Record<string, string>> = {
  $label1: 'Important',
  $label2: 'Work',
  $label3: 'Personal',
  $label4: 'To Do',
  $label5: 'Later',
}

export interface ReadMarks extends MailMarks {
  /** Deleted in the other program; its file still has the bytes. */
  isExpunged: boolean
  /** Labels that are no valid tags. */
  lost: string[]
}

/** The marks of a message: Gmail's labels, Thunderbird's status, or `Status` of Unix mail programs. */
export const readMarks = (head: MessageHead, mailbox: string): ReadMarks => {
  const labels = head.field('x-gmail-labels')
  if (labels !== '') return { ...readGmailLabels(labels), isExpunged: false }
  const place = toFolder(mailbox)
  const mozilla = /^[0-9a-f]{4}/i.exec(head.field('x-mozilla-status'))?.[0]
  const keys = head
    .field('x-mozilla-keys')
    .split(/\s+/)
    .concat(head.field('x-keywords').split(/[,\s]+/))
  const { tags, lost } = toTags([
    ...place.tags,
    ...keys
      .map((key) => MOZILLA_TAGS[key.toLowerCase()] ?? key)
      .filter((key) => key !== '' && !/^(?:\$|nonjunk$|junk$)/i.test(key)),
  ])
  const status = head.field('status') + head.field('x-status')
  const bits = Number.parseInt(mozilla ?? '0', 16)
  const saysRead = mozilla !== undefined || status !== ''
  return {
    folder: place.folder,
    tags,
    lost,
    // Without a status, old mail counts as read: thousands of unread messages would help nobody.
    read: saysRead ? (bits & MOZILLA_READ) !== 0 || status.includes('R') : true,
    starred: (bits & MOZILLA_STARRED) !== 0 || status.includes('F'),
    isExpunged: (bits & MOZILLA_EXPUNGED) !== 0,
  }
}

/** A message file in a Maildir: `cur/1650000000.M1P2.host:2,RS`. Programs on Windows write `;` or `!` for the colon. */
const MAILDIR_FILE = /^(?:(.*)\/)?(cur|new|tmp)\/([^/]+)$/

export interface MaildirPlace {
  mailbox: string
  flags: string
  isNew: boolean
}

/** The mailbox and flags of a file in a Maildir; undefined if the path is not in one. */
export const readMaildirPath = (path: string): MaildirPlace | undefined => {
  const [, folders = '', state, name = ''] = MAILDIR_FILE.exec(path) ?? []
  if (state === undefined || state === 'tmp' || name.startsWith('.')) return undefined
  const flags = /[:;!-]2,([A-Za-z]*)$/.exec(name)?.[1] ?? ''
  // Maildir++ writes the folder Work/Plans as the directory `.Work.Plans`.
  const last = folders.split('/').at(-1) ?? ''
  const mailbox = last.startsWith('.')
    ? last.slice(1).replaceAll('.', '/')
    : /^maildir$/i.test(last) || last === ''
      ? 'inbox'
      : last
  return { mailbox, flags, isNew: state === 'new' }
}

export const toMaildirMarks = (head: MessageHead, place: MaildirPlace): ReadMarks => {
  const marks = readMarks(head, place.mailbox)
  return {
    ...marks,
    folder: place.flags.includes('T') ? 'trash' : place.flags.includes('D') ? 'drafts' : marks.folder,
    read: !place.isNew && place.flags.includes('S'),
    starred: place.flags.includes('F'),
  }
}
