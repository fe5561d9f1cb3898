import type { TSchema } from 'typebox'
import Type from 'typebox'
import { requireScope, userIdOf } from '../../../platform/access/caller.ts'
import { etagOf } from '../../../platform/http/etag.ts'
import type { MailRules } from '../../mail/rules/rules.ts'
import type { NewMailRule } from '../../mail/rules/schema.ts'
import { defineTool, getProposalTexts, type Tool, withoutExamples } from './tool.ts'

const strict = { additionalProperties: false }
const Id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })

/** The activity log names the assistant as the client. */
const ASSISTANT = { ip: '', userAgent: 'Assistant' }

/**
 * Tools for mail rules. A rule can move all future mail to the trash, so every change needs a confirmation.
 */
export const createRuleTools = ({
  mailRules,
  newMailRule,
}: {
  mailRules: MailRules
  /** Schema of a new rule. */
  newMailRule: TSchema
}): Tool[] => [
  defineTool({
    name: 'list_mail_rules',
    description: 'Lists the rules for incoming mail, in the order in which they are applied.',
    effect: 'read',
    scope: 'mail:read',
    input: Type.Object({}, strict),
    async run(_input, { caller }) {
      const { mailRules: found, nextCursor } = await mailRules.list(userIdOf(caller), { limit: 100 })
      return { result: { mailRules: found, more: nextCursor !== null } }
    },
  }),
  defineTool({
    name: 'create_mail_rule',
    description: 'Adds a rule for incoming mail. The person must confirm first.',
    effect: 'confirm',
    scope: 'mail:write',
    input: withoutExamples(newMailRule) as Type.TUnsafe<NewMailRule>,
    async propose({ name, q, does }, { caller, language }) {
      if (does.task) requireScope(caller, 'tasks:write')
      mailRules.requireValid(q)
      return { summary: getProposalTexts(language).createRule(name, q), about: null }
    },
    async run(input, { caller }) {
      const { version: _, ...result } = await mailRules.add(input, { caller, visit: ASSISTANT })
      return { result }
    },
  }),
  defineTool({
    name: 'delete_mail_rule',
    description: 'Deletes a rule for incoming mail. The person must confirm first.',
    effect: 'confirm',
    scope: 'mail:write',
    input: Type.Object({ id: Id }, strict),
    async propose({ id }, { caller, language }) {
      const { name, version } = await mailRules.get(userIdOf(caller), id)
      return {
        summary: getProposalTexts(language).deleteRule(name),
        about: { kind: 'mail_rule', id, version },
      }
    },
    async run({ id }, { caller }) {
      const rule = await mailRules.get(userIdOf(caller), id)
      await mailRules.remove(id, etagOf(rule), { caller, visit: ASSISTANT })
      return { result: { deleted: id } }
    },
  }),
]
