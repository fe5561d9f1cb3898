import * as t from '#locale/mail-rules'
import type { Shape } from '../../../api/client.ts'
import { formatList } from '../../../locales/format.ts'

export type MailRule = Shape<'MailRule'>
export type RuleActions = MailRule['does']

/** Describes the actions of a rule: "archive, tag #news and mark as read". */
export const describeRuleActions = (does: RuleActions): string => {
  const { folder, folderId, tags, read, starred, task, snooze, pinned } = does
  return formatList([
    ...(folder === null ? [] : [t.actionTexts[folder]]),
    ...(folderId === null ? [] : [t.movesToFolder]),
    ...(tags.length > 0 ? [t.actionTexts.tag(tags.map((tag) => `#${tag}`).join(' '))] : []),
    ...(read ? [t.actionTexts.read] : []),
    ...(starred ? [t.actionTexts.starred] : []),
    ...(pinned ? [t.actionTexts.pinned] : []),
    ...(snooze === null ? [] : [t.actionTexts.snooze[snooze]]),
    ...(task ? [t.actionTexts.task] : []),
  ])
}
