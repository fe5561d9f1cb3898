import Type from 'typebox'
import {
  added,
  flag,
  id,
  idOrNull,
  instant,
  instantOrNull,
  integer,
  integerOrNull,
  json,
  jsonOrNull,
  oneOf,
  portable,
  text,
  textOrNull,
  without,
} from '../../platform/portable/table.ts'
import type { DataPart } from '../accounts/data/parts.ts'
import { MODEL_NAMES } from './language-models.ts'

const choice = portable('ai_settings', {
  file: 'settings.jsonl',
  beside: 'replaced',
  columns: { id: integer, model: text, version: integer, updatedAt: instant },
  complete(row) {
    if (!MODEL_NAMES.some((name) => name === row.model)) throw new Error('model is unknown')
    return row
  },
})

/** Useless without the keys, which are never exported. */
const keys = portable('ai_keys', {
  file: 'keys.jsonl',
  isExportOnly: true,
  columns: {
    provider: text,
    key: without(null),
    baseUrl: textOrNull,
    givenFor: text,
    hint: text,
    verified: flag,
    reason: textOrNull,
    createdAt: instant,
    updatedAt: instant,
  },
})

const requests = portable('ai_requests', {
  file: 'requests.jsonl',
  columns: {
    id,
    at: instant,
    day: text,
    purpose: text,
    engine: text,
    model: text,
    provider: text,
    providerModel: text,
    tokenId: textOrNull,
    outcome: oneOf('answered', 'failed', 'cancelled'),
    inputTokens: integer,
    outputTokens: integer,
    costNano: integerOrNull,
  },
})

const days = portable('ai_days', {
  file: 'usage.jsonl',
  columns: {
    day: text,
    model: text,
    tokenId: text,
    requests: integer,
    inputTokens: integer,
    outputTokens: integer,
    costNano: integer,
    unpriced: integer,
  },
})

const conversations = portable('ai_conversations', {
  file: 'conversations.jsonl',
  columns: {
    id: text,
    tokenId: textOrNull,
    title: text,
    turn: without(null),
    turnUntil: without(null),
    createdAt: instant,
    updatedAt: instant,
  },
})

const Step = Type.Object({
  text: Type.String(),
  calls: Type.Array(Type.Object({ id: Type.String(), name: Type.String() })),
  results: Type.Array(
    Type.Object({
      id: Type.String(),
      name: Type.String(),
      output: Type.String(),
      emails: Type.Array(Type.Integer()),
    }),
  ),
})
const MessageContent = Type.Union([
  Type.Object({ role: Type.Literal('user'), text: Type.String() }),
  Type.Object({
    role: Type.Literal('assistant'),
    text: Type.String(),
    actions: Type.Array(Type.Object({ tool: Type.String(), status: Type.String() })),
    steps: Type.Array(Step),
  }),
])

const messages = portable('ai_messages', {
  file: 'messages.jsonl',
  columns: { id, conversationId: text, at: instant, content: json(MessageContent) },
})

const waiting = portable('ai_actions', {
  file: 'actions.jsonl',
  columns: {
    id: text,
    conversationId: textOrNull,
    tokenId: textOrNull,
    // User ids differ between instances.
    userId: without(null),
    source: oneOf('chat', 'mcp', 'api'),
    tool: text,
    input: json(Type.Object({})),
    summary: text,
    language: added(oneOf('en', 'de'), 'en'),
    about: jsonOrNull(Type.Unknown()),
    status: oneOf('pending', 'done', 'failed', 'rejected', 'expired'),
    result: jsonOrNull(Type.Unknown()),
    error: textOrNull,
    journalId: idOrNull,
    version: integer,
    createdAt: instant,
    expiresAt: instant,
    decidedAt: instantOrNull,
  },
})

const DAY_MS = 86_400_000
/** Sample requests per day. They have a token id that does not exist, so that they can be removed. */
const SAMPLE_WEEK = [4, 11, 7, 15, 9, 2, 6]
const SAMPLE_TOKEN = 'sample'

export const aiPart: DataPart = {
  folder: 'ai',
  tables: [choice, keys, requests, days, conversations, messages, waiting],
  others: [],
  async fillSample(tx, { now, mark }) {
    for (const [index, count] of SAMPLE_WEEK.entries()) {
      const day = new Date(now.getTime() - (SAMPLE_WEEK.length - index) * DAY_MS).toISOString().slice(0, 10)
      const tokens = { inputTokens: count * 820, outputTokens: count * 210 }
      const cost = { costNano: count * 5_200_000, unpriced: 0 }
      await tx
        .insertInto('ai_days')
        .values({ day, model: 'model_a', tokenId: SAMPLE_TOKEN, requests: count, ...tokens, ...cost })
        .execute()
      await mark('ai-day', day)
    }
  },
  async removeSample(tx) {
    await tx.deleteFrom('ai_days').where('tokenId', '=', SAMPLE_TOKEN).execute()
  },
}
