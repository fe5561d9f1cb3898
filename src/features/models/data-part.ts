import { sql } from 'kysely'
import Type from 'typebox'
import { ALL_ACCOUNTS } from '../../database/all-accounts.ts'
import { type Ids, type NumberIdTable, SAME_IDS } from '../../platform/portable/references.ts'
import {
  added,
  type Column,
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
  own,
  portable,
  text,
  textId,
  textIdOrNull,
  textOrNull,
  without,
} from '../../platform/portable/table.ts'
import type { DataPart } from '../accounts/data/parts.ts'
import { translateToolData, translateToolOutput } from './assistant-ids.ts'
import { toAccountMark, toMessageWords, toTitleWords } from './conversation-words.ts'
import { MODEL_NAMES } from './language-models.ts'

const choice = portable('ai_settings', {
  file: 'settings.jsonl',
  beside: 'replaced',
  columns: { userId: own, model: text, version: integer, updatedAt: instant },
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
    userId: own,
    provider: text,
    key: without(null),
    baseUrl: textOrNull,
    givenFor: text,
    hint: text,
    verified: flag,
    reason: textOrNull,
    model: added(textOrNull, null),
    isLocal: added(flag, 0),
    createdAt: instant,
    updatedAt: instant,
  },
})

const requests = portable('ai_requests', {
  file: 'requests.jsonl',
  columns: {
    id: id('ai_requests'),
    userId: own,
    at: instant,
    day: text,
    purpose: text,
    engine: text,
    model: text,
    provider: text,
    providerModel: text,
    tokenId: textIdOrNull('access_tokens'),
    outcome: oneOf('answered', 'failed', 'cancelled'),
    inputTokens: integer,
    outputTokens: integer,
    costNano: integerOrNull,
  },
})

const days = portable('ai_days', {
  file: 'usage.jsonl',
  columns: {
    userId: own,
    day: text,
    model: text,
    tokenId: textId('access_tokens'),
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
    id: textId('ai_conversations'),
    userId: own,
    tokenId: textIdOrNull('access_tokens'),
    title: text,
    words: without(''),
    turn: without(null),
    turnUntil: without(null),
    createdAt: instant,
    updatedAt: instant,
  },
  complete: (row) => ({ ...row, words: toTitleWords(row.title) }),
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
  Type.Object({
    role: Type.Literal('user'),
    text: Type.String(),
    context: Type.Optional(
      Type.Object({
        kind: Type.Enum(['email', 'draft', 'event', 'task', 'contact'], { type: 'string' }),
        id: Type.Integer({ minimum: 1 }),
        title: Type.String(),
      }),
    ),
  }),
  Type.Object({
    role: Type.Literal('assistant'),
    text: Type.String(),
    actions: Type.Array(Type.Object({ tool: Type.String(), status: Type.String() })),
    steps: Type.Array(Step),
  }),
])

/** The item that was open when the person wrote the message. */
interface StoredContext {
  kind: string
  id: number
}

interface StoredMessage {
  text: string
  memory?: unknown
  context?: StoredContext
  actions?: { tool: string; input?: unknown; result?: unknown }[]
  steps?: {
    calls: { name: string; input?: unknown }[]
    results: { name: string; output: string }[]
  }[]
}

const plainContent = json(MessageContent, {
  'actions.*.undoId': 'actions',
  'actions.*.actionId': 'ai_actions',
  'actions.*.emails.*': 'emails',
  'steps.*.results.*.emails.*': 'emails',
})

const CONTEXT_TABLES: Readonly<Record<string, NumberIdTable>> = {
  email: 'emails',
  draft: 'emails',
  event: 'events',
  task: 'tasks',
  contact: 'contacts',
}

const translateContext = ({ kind, id, ...rest }: StoredContext, ids: Ids): StoredContext => ({
  ...rest,
  kind,
  id: ids.number(CONTEXT_TABLES[kind] as NumberIdTable, id),
})

const content: Column<string> = {
  ...plainContent,
  read(given, reading) {
    const { ids } = reading
    const { memory, ...message } = JSON.parse(plainContent.read(given, reading)) as StoredMessage
    // The items of the memory have other ids in another account, so the conversation starts without it.
    if (ids === SAME_IDS) return JSON.stringify({ ...message, memory })
    if (!message.actions || !message.steps) {
      const { context } = message
      return JSON.stringify({ ...message, ...(context && { context: translateContext(context, ids) }) })
    }
    return JSON.stringify({
      ...message,
      actions: message.actions.map((action) => ({
        ...action,
        input: translateToolData(action.tool, action.input, ids),
        result: translateToolData(action.tool, action.result, ids),
      })),
      steps: message.steps.map((step) => ({
        ...step,
        calls: step.calls.map((call) => ({ ...call, input: translateToolData(call.name, call.input, ids) })),
        results: step.results.map((result) => ({
          ...result,
          output: translateToolOutput(result.name, result.output, ids),
        })),
      })),
    })
  },
}

/** The first search word. `complete` adds those of the text. */
const accountMark: Column<string> = { read: (_given, { userId }) => toAccountMark(userId) }

const messages = portable('ai_messages', {
  file: 'messages.jsonl',
  of: (userId) => [
    sql<boolean>`${sql.ref('conversationId')} in
      (select id from ai_conversations where ${sql.ref('userId')} = ${userId})`,
  ],
  columns: {
    id: id('ai_messages'),
    conversationId: textId('ai_conversations'),
    at: instant,
    content,
    words: accountMark,
  },
  complete(row) {
    const { text } = JSON.parse(row.content) as StoredMessage
    return { ...row, words: toMessageWords(row.words, text) }
  },
})

const waiting = portable('ai_actions', {
  file: 'actions.jsonl',
  columns: {
    id: textId('ai_actions'),
    conversationId: textIdOrNull('ai_conversations'),
    tokenId: textIdOrNull('access_tokens'),
    proposedBy: without(null),
    userId: own,
    source: oneOf('chat', 'mcp', 'api'),
    tool: text,
    input: json(Type.Object({})),
    summary: text,
    language: added(oneOf('en', 'de'), 'en'),
    about: jsonOrNull(Type.Unknown()),
    status: oneOf('pending', 'done', 'failed', 'rejected', 'expired'),
    result: jsonOrNull(Type.Unknown()),
    error: textOrNull,
    journalId: idOrNull('actions'),
    version: integer,
    createdAt: instant,
    expiresAt: instant,
    decidedAt: instantOrNull,
  },
  translate(row, ids) {
    const translate = (data: string): string =>
      JSON.stringify(translateToolData(row.tool, JSON.parse(data), ids))
    return {
      ...row,
      input: translate(row.input),
      about: row.about && translate(row.about),
      result: row.result && translate(row.result),
    }
  },
})

const tables = [choice, keys, requests, days, conversations, messages, waiting]

export const aiPart: DataPart = {
  folder: 'ai',
  tables,
  others: ['ai_message_words'],
  // Triggers delete the words of the messages.
  async wipe(tx) {
    for (const { table } of tables.toReversed()) await tx.deleteFrom(table).modifyEnd(ALL_ACCOUNTS).execute()
  },
}
