import Type, { type Static } from 'typebox'
import { Instant, NextCursor, Nullable } from '../../../platform/http/shapes.ts'
import { FolderId } from '../folders/folder.ts'
import { type EmailFlags, Tags } from '../messages/email.ts'
import { SNOOZE_PRESETS } from '../reminders/snooze-presets.ts'

const strict = { additionalProperties: false }

const RuleId = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, examples: [3] })
export const RulePath = Type.Object({ id: RuleId }, strict)

const Name = Type.String({ minLength: 1, maxLength: 100, pattern: '\\S', examples: ['Invoices'] })
const Q = Type.String({
  minLength: 1,
  maxLength: 1000,
  examples: ['from:billing@example.org subject:invoice'],
  description:
    'The condition, written as a search (`q` of `GET /api/emails`). The filters `in:`, `is:`, `before:` and `after:` are not allowed, because rules apply to incoming mail',
})
const Enabled = Type.Boolean({ examples: [true] })

const effects = {
  tags: Tags,
  folder: Nullable(Type.Enum(['archive', 'trash'], { type: 'string', examples: ['archive'] })),
  folderId: Nullable({
    ...FolderId,
    description:
      'Moves the email to this folder of a mail account (`GET /api/folders`). Mail of other accounts is not moved',
  }),
  read: Type.Boolean({ examples: [true], description: 'Marks the email as read' }),
  starred: Type.Boolean({ examples: [false], description: 'Stars the email' }),
  task: Type.Boolean({ examples: [false], description: 'Creates a task for the email' }),
  snooze: Nullable(
    Type.Enum([...SNOOZE_PRESETS], {
      type: 'string',
      examples: ['tomorrow'],
      description:
        'Snoozes the email: for three hours, or until 8:00 of tomorrow, Saturday or Monday in your time zone',
    }),
  ),
  pinned: Type.Boolean({ examples: [false], description: 'Pins the email' }),
}
/** How a summary describes the flags that a rule sets. */
export const FLAG_PHRASES: Record<keyof EmailFlags, string> = { read: 'marked as read', starred: 'starred' }

const RuleEffects = Type.Object(effects, strict)
/** The changes that a rule makes to matching mail. */
export type RuleEffects = Static<typeof RuleEffects>
export const RuleEffectsInput = Type.Partial(Type.Object(effects), {
  ...strict,
  description: 'Changes to matching mail. At least one is required',
})

export const MailRule = Type.Object(
  {
    id: RuleId,
    name: Name,
    enabled: Enabled,
    q: Q,
    does: Type.Object(effects),
    createdAt: Instant,
    updatedAt: Instant,
  },
  { title: 'MailRule' },
)
export const MailRuleList = Type.Object(
  { mailRules: Type.Array(MailRule), nextCursor: NextCursor },
  { title: 'MailRuleList' },
)

export const NewMailRule = Type.Object(
  { name: Name, q: Q, does: RuleEffectsInput, enabled: Type.Optional(Enabled) },
  {
    ...strict,
    title: 'NewMailRule',
    examples: [
      {
        name: 'Invoices',
        q: 'from:billing@example.org subject:invoice',
        does: { tags: ['invoices'], folder: 'archive' },
      },
    ],
  },
)
export type NewMailRule = Static<typeof NewMailRule>
export const MailRuleChange = Type.Object(
  {
    name: Type.Optional(Name),
    q: Type.Optional(Q),
    does: Type.Optional(RuleEffectsInput),
    enabled: Type.Optional(Enabled),
  },
  {
    ...strict,
    title: 'MailRuleChange',
    description: 'Properties missing in `does` stay unchanged',
    examples: [{ name: 'Invoices', does: { tags: ['invoices'], read: true } }],
  },
)
export type MailRuleChange = Static<typeof MailRuleChange>

export const RunBody = Type.Object(
  { dryRun: Type.Optional(Type.Boolean({ examples: [true], description: 'Only count the matches' })) },
  { ...strict, title: 'RunMailRule' },
)
export type RunBody = Static<typeof RunBody>
export const RunResponse = Type.Object(
  {
    found: Type.Integer({
      examples: [34],
      description: 'Number of matching emails that were examined, newest first, at most 5000',
    }),
    changed: Type.Integer({
      examples: [30],
      description: 'Number of emails that were changed, or would be changed, at most 500',
    }),
    more: Type.Boolean({
      examples: [false],
      description: 'Whether there are more matching emails. Run the rule again',
    }),
    actionId: Nullable(
      Type.Integer({
        examples: [12],
        description: 'The action to revert with `POST /api/actions/{id}/undo`',
      }),
    ),
  },
  { title: 'MailRuleRun' },
)
export type RunResponse = Static<typeof RunResponse>
