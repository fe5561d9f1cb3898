import type { Shape } from '../../../api/client.ts'

export type MailRule = Shape<'MailRule'>
export type RuleActions = MailRule['does']

const FOLDERS = { archive: 'archive', trash: 'move to the trash' } as const

/** Describes the actions of a rule: "archive, tag #news, mark as read". */
export const describeRuleActions = ({ folder, tags, read, starred, task }: RuleActions): string =>
  [
    ...(folder === null ? [] : [FOLDERS[folder]]),
    ...(tags.length > 0 ? [`tag ${tags.map((tag) => `#${tag}`).join(' ')}`] : []),
    ...(read ? ['mark as read'] : []),
    ...(starred ? ['star'] : []),
    ...(task ? ['make a task'] : []),
  ].join(', ')

export const countEmails = (count: number): string => (count === 1 ? '1 e-mail' : `${count} e-mails`)
