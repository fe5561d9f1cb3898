import { titleOf } from './plain-text.ts'
import type { NotificationRecord } from './store.ts'

const headingOf = (rows: readonly NotificationRecord[], isDigest: boolean): string => {
  const [only] = rows
  if (only && rows.length === 1 && !isDigest) return only.title
  const count = `${rows.length} ${rows.length === 1 ? 'notification' : 'notifications'}`
  return isDigest ? `Your digest: ${count}` : count
}

const entryOf = ({ title, body, link }: NotificationRecord, consoleUrl: string): string =>
  [
    `* ${title}`,
    ...(body === '' ? [] : [`  ${body}`]),
    ...(link === null ? [] : [`  ${consoleUrl}${link}`]),
  ].join('\n')

/**
 * A mail with what a person is told, as plain text: much of it was written by others. The only links in it that are
 * ours lead to the console.
 */
export const letterOf = (
  rows: readonly NotificationRecord[],
  { name, isDigest, consoleUrl }: { name: string; isDigest: boolean; consoleUrl: string },
): { subject: string; text: string } => ({
  subject: titleOf(headingOf(rows, isDigest)),
  text: [
    `Hello ${titleOf(name)},`,
    ...rows.map((row) => entryOf(row, consoleUrl)),
    `What you are told of, and how: ${consoleUrl}/settings/notifications`,
    '',
  ].join('\n\n'),
})
