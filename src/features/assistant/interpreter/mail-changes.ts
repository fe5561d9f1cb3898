import type { IntentTool, ToolArguments } from '../../../nlu/intents/intent.ts'
import { momentOf, wallText } from '../../../nlu/intents/request.ts'
import {
  FOLLOW_UPS,
  findPhrases,
  type Language,
  type Phrase,
  tokenize,
} from '../../../nlu/lexicon/lexicon.ts'
import type { RequestContext } from '../../../nlu/requests/sentence.ts'
import { readSentence } from '../../../nlu/requests/sentence.ts'
import type { AbilityArguments, RunnableRequest } from './ability.ts'
import { type Item, isNamelessMailRequest, type Memory } from './memory.ts'
import { findReference } from './references.ts'

/* Reads what becomes of an email, or of several, that the conversation is about. */

const CORRECTION = /^(?:no|nein|actually|eigentlich|sorry|i mean(?:t)?|ich meinte)[\s,.]+/iu

type Toggle = AbilityArguments['change_emails']['change']

/** The change of each category. The first in this order that a message has is meant. */
const CHANGES: readonly (readonly [category: string, change: Toggle])[] = [
  ['trash', 'trash'],
  ['archive', 'archive'],
  ['star', 'star'],
  ['as_unread', 'unread'],
  ['as_read', 'read'],
]

const FLAGS: Readonly<Partial<Record<Toggle, Partial<ToolArguments['tag_email']>>>> = {
  archive: { archive: true },
  star: { starred: true },
  unread: { read: false },
  read: { read: true },
}

const toIntent = <Tool extends IntentTool>(tool: Tool, given: ToolArguments[Tool]): RunnableRequest =>
  ({ tool, arguments: given, confidence: 0.9, evidence: [] }) as unknown as RunnableRequest

interface MailMessage {
  text: string
  language: Language
  context: RequestContext
}

/** Returns the email of the conversation, if a message is about it. */
export const findMail = (message: MailMessage, memory: Memory): Item | undefined => {
  const { text, context } = message
  const { focus } = memory
  const referred = findReference(text, memory, context)
  const item = referred ?? (focus?.kind === 'email' && isAboutFocus(message, memory) ? focus : null)
  return item?.kind === 'email' || item?.kind === 'draft' ? item : undefined
}

const isAboutFocus = ({ text, language, context }: MailMessage, { lastTool }: Memory): boolean => {
  const has = (category: string): boolean =>
    findPhrases(tokenize(text), language, FOLLOW_UPS).some((one) => one.category === category)
  const { times } = readSentence(text, language, context)
  return (
    isNamelessMailRequest(text) ||
    has('suggest_reply') ||
    (times.length > 0 && (CORRECTION.test(text) || lastTool === 'snooze_email'))
  )
}

/** Reads what becomes of an email. */
export const readMailChange = (
  { text: written, language, context }: MailMessage,
  item: Item,
  { lastTool }: Memory,
): RunnableRequest | undefined => {
  const text = written.replace(CORRECTION, '')
  const sentence = readSentence(text, language, context)
  const phrases = findPhrases(sentence.tokens, language, FOLLOW_UPS)
  const find = (category: string): Phrase | undefined => phrases.find((one) => one.category === category)
  const begins = (category: string): boolean => (find(category)?.from ?? MAX_LEAD) < MAX_LEAD
  const email = { about: item.title }
  const at = momentOf(sentence.times, context.timezone)
  const until = at && { until: wallText(at) }
  if (begins('snooze') || (at && lastTool === 'snooze_email' && sentence.tokens.length < 8))
    return { ability: 'snooze_email', arguments: { email, ...until } }
  if (begins('summarize')) return { ability: 'summarize_email', arguments: { email } }
  if (begins('suggest_reply')) return { ability: 'suggest_reply', arguments: { email } }
  if (begins('to_task'))
    return toIntent('create_task', { title: item.title, ...(at && { due: wallText(at) }) })
  const change = CHANGES.find(([category]) => begins(category))?.[1]
  if (change === 'trash') return toIntent('delete_email', { email })
  if (change) return toIntent('tag_email', { email, ...FLAGS[change] })
  const tag = begins('tag_as') ? /\s(?:with|as|mit|als)\s+#?([\p{L}\d_/-]+)/iu.exec(text)?.[1] : undefined
  if (tag) return toIntent('tag_email', { email, tag })
  if (begins('answer')) {
    const said = find('saying')
    const says = said && text.slice(sentence.tokens[said.to]?.from).replace(/[.!]+$/u, '')
    return toIntent('draft_email', { reply: email, ...(says && { says }) })
  }
  return begins('open_mail') ? toIntent('read_email', email) : undefined
}

/** Polite words may stand before the verb. */
const MAX_LEAD = 4

/** Reads a change of several items of the conversation: "archive them all". It waits for a confirmation. */
export const readListChange = (
  { text, language, context }: MailMessage,
  items: readonly Item[],
): RunnableRequest | undefined => {
  const [first] = items
  if (!first || items.some(({ kind }) => kind !== first.kind)) return undefined
  const ids = items.map(({ id }) => id)
  const sentence = readSentence(text, language, context)
  const has = (...categories: readonly string[]): boolean =>
    [...findPhrases(sentence.tokens, language, FOLLOW_UPS), ...sentence.phrases].some(({ category }) =>
      categories.includes(category),
    )
  if (first.kind === 'email') {
    const change = CHANGES.find(([category]) => has(category))?.[1]
    return change && { ability: 'change_emails', arguments: { change, ids } }
  }
  if (first.kind !== 'task') return undefined
  const change = has('trash', 'cancel') ? 'delete' : has('done') ? 'complete' : undefined
  return change && { ability: 'change_tasks', arguments: { change, ids } }
}
