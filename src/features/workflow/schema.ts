import type { TProperties } from 'typebox'
import Type from 'typebox'
import { Instant, NextCursor, Nullable } from '../../platform/http/shapes.ts'
import type { AnswerMetaWithReason } from '../models/model-router.ts'
import { SECTION_KEYS, SEVERITIES } from './page-audit/page.ts'

export const ModelInfo = Type.Object(
  {
    model: Type.String({ examples: ['model_a'] }),
    provider: Nullable(Type.String({ examples: ['anthropic'] })),
    providerModel: Nullable(
      Type.String({ description: 'Name of the model at its provider', examples: ['claude-sonnet-4-5'] }),
    ),
    ready: Type.Boolean({ examples: [true], description: 'Whether its provider is configured' }),
    engine: Type.Enum(['llm', 'builtin'], {
      type: 'string',
      examples: ['llm'],
      description: '`llm`: a language model answers; `builtin`: the built-in engine answers',
    }),
    allowed: Type.Array(Type.String(), { examples: [['model_a', 'model_b', 'model_c', 'model_d']] }),
  },
  { title: 'ModelInfo' },
)

const anything = { additionalProperties: true }

export const N8nWorkflow = Type.Object(
  {
    name: Type.String({ examples: ['Factotum: Daily briefing'] }),
    nodes: Type.Array(
      Type.Object(
        {
          id: Type.String({ examples: ['factotum-daily-briefing-1'] }),
          name: Type.String({ examples: ['Every morning'] }),
          type: Type.String({ examples: ['n8n-nodes-base.scheduleTrigger'] }),
          typeVersion: Type.Number({ examples: [1.2] }),
          position: Type.Array(Type.Number(), { examples: [[0, 300]] }),
          parameters: Type.Object({}, anything),
        },
        { ...anything, title: 'N8nNode' },
      ),
    ),
    connections: Type.Object({}, anything),
    settings: Type.Object({}, anything),
    active: Type.Boolean({ examples: [false] }),
  },
  { title: 'N8nWorkflow' },
)

const TemplateId = Type.String({ minLength: 1, maxLength: 60, examples: ['daily-briefing'] })
export const TemplatePath = Type.Object({ id: TemplateId }, { additionalProperties: false })

export const TemplateList = Type.Object(
  {
    templates: Type.Array(
      Type.Object(
        {
          id: TemplateId,
          name: Type.String({ examples: ['Daily briefing'] }),
          description: Type.String({ examples: ['Fetches the briefing each morning at 7.'] }),
          tool: Type.Enum(['n8n'], { type: 'string', examples: ['n8n'] }),
          scopes: Type.Array(Type.String(), {
            examples: [['mail:read']],
            description: 'Scopes that the personal access token needs',
          }),
          workflow: N8nWorkflow,
        },
        { title: 'WorkflowTemplate' },
      ),
    ),
    nextCursor: NextCursor,
  },
  { title: 'WorkflowTemplateList' },
)

const Score = Type.Integer({ minimum: 0, maximum: 100, examples: [86] })

const input = {
  url: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 2000,
      examples: ['https://example.com/'],
      description: 'URL of the page to fetch. With `html`, only the address of that page; nothing is fetched',
    }),
  ),
  html: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 1_000_000,
      examples: ['<!doctype html><html lang="en">…'],
      description: 'HTML of the page',
    }),
  ),
  company: Type.Optional(Type.String({ maxLength: 200, examples: ['Example Ltd'] })),
  focus: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 60, examples: ['accessibility'] }), {
      maxItems: 20,
      description: `Only these sections: ${SECTION_KEYS.join(', ')}; or keywords such as seo, mobile, performance`,
    }),
  ),
}
/** `model` adds the field that selects a model. */
export const auditInput = <Model extends TProperties>(model: Model) =>
  Type.Object({ ...input, ...model }, { additionalProperties: false, title: 'AuditInput' })
const AuditInputShape = Type.Object(input)
export type AuditInput = Type.Static<typeof AuditInputShape>

const AuditFinding = Type.Object(
  {
    check: Type.String({ examples: ['image-alternatives'] }),
    severity: Type.Enum([...SEVERITIES], { type: 'string', examples: ['high'] }),
    text: Type.String({ examples: ['3 of 12 images have no alternative text.'] }),
    evidence: Type.String({
      examples: ['<img src="/a.jpg">'],
      description: 'Quoted from the page or its headers; empty if something is missing',
    }),
    remedy: Type.String({ examples: ['Say in alt what each image shows.'] }),
  },
  { title: 'AuditFinding' },
)

const report = {
  title: Type.String({ examples: ['Digital audit of Example Ltd'] }),
  score: Score,
  summary: Type.String({
    examples: ['The page of Example Ltd is in good shape, with some things to fix.'],
  }),
  explanation: Type.String({
    examples: ['Each section begins with 100 points…'],
    description: 'How the score was calculated',
  }),
  sections: Type.Array(
    Type.Object(
      {
        key: Type.Enum([...SECTION_KEYS], { type: 'string', examples: ['accessibility'] }),
        heading: Type.String({ examples: ['Accessibility'] }),
        score: Score,
        weight: Type.Integer({ examples: [20], description: 'Weight in the total score' }),
        findings: Type.Array(AuditFinding),
        recommendations: Type.Array(Type.String({ examples: ['Say in alt what each image shows.'] })),
      },
      { title: 'AuditSection' },
    ),
  ),
  markdown: Type.String({ examples: ['# Digital audit of Example Ltd\n…'] }),
  pageTitle: Type.String({
    examples: ['Example Ltd'],
    description: 'Title of the page',
  }),
  url: Nullable(
    Type.String({ examples: ['https://example.com/'], description: 'Final URL after redirects' }),
  ),
  fetched: Type.Boolean({ examples: [true] }),
  bytes: Type.Integer({ examples: [48_211] }),
  auditedAt: Instant,
}

/** `made` adds the fields that describe how the answer was produced. */
export const auditReport = <Made extends TProperties>(made: Made) =>
  Type.Object({ ...report, ...made }, { title: 'AuditReport' })
const Report = Type.Object(report)
export type AuditReport = Type.Static<typeof Report> & AnswerMetaWithReason
