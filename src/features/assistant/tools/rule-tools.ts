import Type from 'typebox'
import { requireScope } from '../../../platform/access/caller.ts'
import { pick } from '../../../platform/collections.ts'
import { etagOf } from '../../../platform/http/etag.ts'
import type { NewMailRule } from '../../mail/rules/schema.ts'
import { ChangedItem, unlessChanged } from './journal.ts'
import { getProposalTexts } from './proposal-texts.ts'
import type { ToolDeps } from './services.ts'
import { defineTool, type Tool } from './tool.ts'

/** Existing emails that a proposal counts. */
const MAX_COUNTED = 200

/** Describes the effects of a rule in the language of the person. */
const describeEffects = (
  { folder, folderId, tags = [], snooze, ...flags }: NewMailRule['does'],
  target: string,
  texts: ReturnType<typeof getProposalTexts>['ruleEffect'],
): string[] => [
  ...(folder ? [texts[folder]] : []),
  ...(folderId ? [texts.folder(target)] : []),
  ...(tags.length > 0 ? [texts.tags(tags.map((tag) => `#${tag}`).join(' '))] : []),
  ...(['read', 'starred', 'task', 'pinned'] as const).flatMap((name) => (flags[name] ? [texts[name]] : [])),
  ...(snooze ? [texts.snooze] : []),
]

/** The activity log names the assistant as the client. */
const ASSISTANT = { ip: '', userAgent: 'Assistant' }

/**
 * Tools for mail rules. A rule can move all future mail to the trash, so every change needs a confirmation.
 */
export const createRuleTools = ({ mailRules, contracts, finding, folders, journal }: ToolDeps): Tool[] => {
  const recordCreated = journal.define(
    'rule',
    'assistant.rule_created',
    Type.Object(ChangedItem),
    (left, _tx, userId) =>
      unlessChanged('mail rule', left, (etag) =>
        mailRules.remove(left.id, etag, { caller: { kind: 'local', userId }, visit: ASSISTANT }),
      ),
  )
  return [
    defineTool(contracts.list_mail_rules, {
      async run(_input, { userId }) {
        const { mailRules: found, nextCursor } = await mailRules.list(userId, { limit: 100 })
        return { result: { mailRules: found, more: nextCursor !== null } }
      },
    }),
    defineTool(contracts.list_mail_folders, {
      async run(_input, { userId }) {
        const { folders: found, nextCursor } = await folders.list(userId, { limit: 200 })
        return {
          result: {
            folders: found.map((one) => pick(one, ['id', 'name', 'path', 'specialUse', 'selectable'])),
            more: nextCursor !== null,
          },
        }
      },
    }),
    defineTool(contracts.create_mail_rule, {
      async propose({ name, q, does }, { caller, userId, language }) {
        if (does.task) requireScope(caller, 'tasks:write')
        mailRules.requireValid(q)
        const texts = getProposalTexts(language)
        const { emails, nextCursor } = await finding.list(userId, { q, limit: MAX_COUNTED })
        const target = does.folderId ? (await folders.get(userId, does.folderId)).path : ''
        const counted = { count: emails.length, more: nextCursor !== null }
        const summary = `${texts.createRule(name, q)}${texts.ruleEffects(describeEffects(does, target, texts.ruleEffect), counted)}`
        return { summary, about: null }
      },
      run: (input, { caller, userId }) =>
        recordCreated(userId, async () => {
          const { version, ...result } = await mailRules.add(input, { caller, visit: ASSISTANT })
          return {
            result,
            summary: `Added the mail rule “${result.name}”`,
            payload: { id: result.id, version },
          }
        }),
    }),
    defineTool(contracts.delete_mail_rule, {
      async propose({ id }, { userId, language }) {
        const { name, version } = await mailRules.get(userId, id)
        return {
          summary: getProposalTexts(language).deleteRule(name),
          about: { kind: 'mail_rule', id, version },
        }
      },
      async run({ id }, { caller, userId }) {
        const rule = await mailRules.get(userId, id)
        await mailRules.remove(id, etagOf(rule), { caller, visit: ASSISTANT })
        return { result: { deleted: id } }
      },
    }),
  ]
}
