import Type, { type TProperties } from 'typebox'
import { SEVERITIES } from '../../../engine/audit/finding.ts'
import { SECTION_KEYS } from '../../../engine/audit/section-keys.ts'
import { Instant, Nullable } from '../../../platform/http/shapes.ts'
import type { MadeBy } from '../../ai/asking.ts'

const Score = Type.Integer({ minimum: 0, maximum: 100, examples: [86] })

const wish = {
  url: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 2000,
      examples: ['https://example.com/'],
      description: 'The page to fetch. Beside `html`: where that page lies; nothing is fetched then',
    }),
  ),
  html: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 1_000_000,
      examples: ['<!doctype html><html lang="en">…'],
      description: 'The page itself',
    }),
  ),
  company: Type.Optional(Type.String({ maxLength: 200, examples: ['Example Ltd'] })),
  focus: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 60, examples: ['accessibility'] }), {
      maxItems: 20,
      description: `Only these sections: ${SECTION_KEYS.join(', ')}; or words such as seo, mobile, performance`,
    }),
  ),
}
/** With the field that names a model for once. */
export const auditWish = <Model extends TProperties>(model: Model) =>
  Type.Object({ ...wish, ...model }, { additionalProperties: false, title: 'AuditWish' })
const Wish = Type.Object(wish)
export type AuditWish = Type.Static<typeof Wish>

const AuditFinding = Type.Object(
  {
    check: Type.String({ examples: ['image-alternatives'] }),
    severity: Type.Enum([...SEVERITIES], { type: 'string', examples: ['high'] }),
    text: Type.String({ examples: ['3 of 12 images have no alternative text.'] }),
    evidence: Type.String({
      examples: ['<img src="/a.jpg">'],
      description: 'Word for word from the page or its headers; empty for what is absent',
    }),
    remedy: Type.String({ examples: ['Say in alt what each image shows.'] }),
  },
  { title: 'AuditFinding' },
)

const report = {
  title: Type.String({ examples: ['Digital audit of Example Ltd'] }),
  score: Score,
  summary: Type.String({
    examples: ['The page of Example Ltd is in good order, with some things to mend.'],
  }),
  explanation: Type.String({
    examples: ['Each section begins with 100 points…'],
    description: 'How the score came about',
  }),
  sections: Type.Array(
    Type.Object(
      {
        key: Type.Enum([...SECTION_KEYS], { type: 'string', examples: ['accessibility'] }),
        heading: Type.String({ examples: ['Accessibility'] }),
        score: Score,
        weight: Type.Integer({ examples: [20], description: 'Its part of the total' }),
        findings: Type.Array(AuditFinding),
        recommendations: Type.Array(Type.String({ examples: ['Say in alt what each image shows.'] })),
      },
      { title: 'AuditSection' },
    ),
  ),
  markdown: Type.String({ examples: ['# Digital audit of Example Ltd\n…'] }),
  pageTitle: Type.String({
    examples: ['Example Ltd'],
    description: 'The title that the page gives itself',
  }),
  url: Nullable(
    Type.String({ examples: ['https://example.com/'], description: 'The address that answered' }),
  ),
  fetched: Type.Boolean({ examples: [true] }),
  bytes: Type.Integer({ examples: [48_211] }),
  auditedAt: Instant,
}

/** With the fields in which every AI answer says what made it. */
export const auditReport = <Made extends TProperties>(made: Made) =>
  Type.Object({ ...report, ...made }, { title: 'AuditReport' })
const Report = Type.Object(report)
export type AuditReport = Type.Static<typeof Report> & MadeBy
