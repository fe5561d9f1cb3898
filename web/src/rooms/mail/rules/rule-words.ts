import type { Shape } from '../../../api/client.ts'

export type MailRule = Shape<'MailRule'>
export type Deeds = MailRule['does']

const FOLDERS = { archive: 'archive', trash: 'move to the trash' } as const

/** What a rule does: "archive, tag #news, mark as read". */
export const deedsInWords = ({ folder, tags, read, starred, task }: Deeds): string =>
  [
    ...(folder === null ? [] : [FOLDERS[folder]]),
    ...(tags.length > 0 ? [`tag ${tags.map((tag) => `#${tag}`).join(' ')}`] : []),
    ...(read ? ['mark as read'] : []),
    ...(starred ? ['star'] : []),
    ...(task ? ['make a task'] : []),
  ].join(', ')

export const mailsInWords = (count: number): string => (count === 1 ? '1 e-mail' : `${count} e-mails`)
