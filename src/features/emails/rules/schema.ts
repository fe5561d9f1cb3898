import Type, { type Static } from 'typebox'
import { Instant, NextCursor, Nullable } from '../../../platform/http/shapes.ts'
import { Tags } from '../schema.ts'

const strict = { additionalProperties: false }

const RuleId = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, examples: [3] })
export const RulePath = Type.Object({ id: RuleId }, strict)

const Name = Type.String({ minLength: 1, maxLength: 100, pattern: '\\S', examples: ['Invoices'] })
const Q = Type.String({
  minLength: 1,
  maxLength: 1000,
  examples: ['from:billing@example.org subject:invoice'],
  description:
    'The condition, as in a search (`q` of `GET /api/emails`). Where it lies, whether it was read and when it came cannot be asked of mail that arrives: no `in:`, `is:`, `before:` and `after:`',
})
const Enabled = Type.Boolean({ examples: [true] })

const deeds = {
  tags: Tags,
  folder: Nullable(Type.Enum(['archive', 'trash'], { type: 'string', examples: ['archive'] })),
  read: Type.Boolean({ examples: [true], description: 'Marks it as read' }),
  starred: Type.Boolean({ examples: [false], description: 'Gives it a star' }),
  task: Type.Boolean({ examples: [false], description: 'Makes a task of it' }),
}
/** What a rule does with mail that fits. */
export const Deeds = Type.Object(deeds, strict)
export type Deeds = Static<typeof Deeds>
const DeedsGiven = Type.Partial(Type.Object(deeds), {
  ...strict,
  description: 'What is done with mail that fits; it has to be something',
})

export const MailRule = Type.Object(
  {
    id: RuleId,
    name: Name,
    enabled: Enabled,
    q: Q,
    does: Type.Object(deeds),
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
  { name: Name, q: Q, does: DeedsGiven, enabled: Type.Optional(Enabled) },
  { ...strict, title: 'NewMailRule' },
)
export type NewMailRule = Static<typeof NewMailRule>
export const MailRuleChange = Type.Object(
  {
    name: Type.Optional(Name),
    q: Type.Optional(Q),
    does: Type.Optional(DeedsGiven),
    enabled: Type.Optional(Enabled),
  },
  { ...strict, title: 'MailRuleChange', description: 'Of `does`, what is not named stays as it is' },
)
export type MailRuleChange = Static<typeof MailRuleChange>

export const RunBody = Type.Object(
  { dryRun: Type.Optional(Type.Boolean({ examples: [true], description: 'Only count' })) },
  { ...strict, title: 'RunMailRule' },
)
export type RunBody = Static<typeof RunBody>
export const RunAnswer = Type.Object(
  {
    found: Type.Integer({
      examples: [34],
      description: 'How many that fit were looked at, the newest in the inbox first; 5000 at most',
    }),
    changed: Type.Integer({
      examples: [30],
      description: 'How many of them it changed, or would: 500 at most',
    }),
    more: Type.Boolean({ examples: [false], description: 'There are older ones: run it again' }),
    actionId: Nullable(
      Type.Integer({ examples: [12], description: 'By which `POST /api/actions/{id}/undo` takes it back' }),
    ),
  },
  { title: 'MailRuleRun' },
)
export type RunAnswer = Static<typeof RunAnswer>
