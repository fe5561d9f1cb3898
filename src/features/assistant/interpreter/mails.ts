import type { EmailPick } from '../../../nlu/intents/intent.ts'
import type { ToolInput, ToolResult } from '../tools/contracts.ts'
import type { Counted, Handler, InterpreterContext } from './context.ts'
import { type Item, type Option, toItems } from './memory.ts'
import { addressOf, findPeople } from './people.ts'

type FoundMail = ToolResult<'find_emails'>['emails'][number]
export type Mail = Pick<FoundMail, 'id' | 'subject' | 'date' | 'from'>

const MAX_BATCH = 25

type MailFolder = ToolInput<'find_emails'>['folder']

interface MailSearch {
  sender?: string | undefined
  recipient?: string | undefined
  about?: string | undefined
  from?: string | undefined
  to?: string | undefined
}

/** Converts the named parts to a search. Returns undefined if nothing is named. */
export const toQuery = ({ sender, recipient, about, from, to }: MailSearch): string | undefined =>
  [
    sender && `from:"${sender.replaceAll('"', '')}"`,
    recipient && `to:"${recipient.replaceAll('"', '')}"`,
    about,
    from && `after:${from.slice(0, 10)}`,
    to && `before:${to.slice(0, 10)}`,
  ]
    .filter(Boolean)
    .join(' ') || undefined

const sentence = (text: string): string => {
  const capitalized = text.charAt(0).toLocaleUpperCase() + text.slice(1)
  return /[.!?]$/.test(capitalized) ? capitalized : `${capitalized}.`
}

export const nameOf = ({ texts }: InterpreterContext, { from }: Pick<Mail, 'from'>): string =>
  from?.name || from?.address || texts.someone

export const describeMail = (context: InterpreterContext, mail: Mail): string =>
  `${nameOf(context, mail)}: ${mail.subject} (${context.day(mail.date)})`

/** Searches the folder first, then all folders. */
const searchMails = async (
  { callReadTool }: InterpreterContext,
  pick: EmailPick,
  limit: number,
  folder: MailFolder = 'inbox',
): Promise<Mail[]> => {
  const input = { query: toQuery(pick), limit }
  const { emails } = await callReadTool('find_emails', { ...input, folder })
  return emails.length > 0 ? emails : (await callReadTool('find_emails', input)).emails
}

const isNamed = ({ sender, recipient, about, latest }: EmailPick): boolean =>
  (sender ?? recipient ?? about ?? latest) !== undefined

const toItem = ({ id, subject }: Mail): Item => ({ kind: 'email', id, title: subject })

/** Finds the email that the conversation is about. */
const findTarget = async ({ callReadTool, exchange }: InterpreterContext): Promise<Mail | undefined> =>
  exchange.target?.kind === 'email' || exchange.target?.kind === 'draft'
    ? callReadTool('read_email', { id: exchange.target.id })
    : undefined

/** Returns the newest match, to read or answer it. */
export const pickNewestMail = async (
  context: InterpreterContext,
  pick: EmailPick,
): Promise<Mail | string> => {
  const { texts } = context
  const target = await findTarget(context)
  if (target) return target
  return isNamed(pick) ? ((await searchMails(context, pick, 1))[0] ?? texts.unknown.mail) : texts.whichMail
}

/** Returns only unambiguous matches, because the caller changes them. */
export const pickMails = async (
  context: InterpreterContext,
  pick: EmailPick,
  folder?: MailFolder,
): Promise<Mail[] | string> => {
  const { texts } = context
  const target = await findTarget(context)
  if (target) return [target]
  const isWhole = pick.sender !== undefined || pick.about !== undefined
  if (!isNamed(pick) || (pick.all && !isWhole)) return texts.whichMail
  if (pick.all) {
    const all = await searchMails(context, pick, MAX_BATCH, folder)
    return all.length > 0 ? all : texts.unknown.mail
  }
  const fits = await searchMails(context, pick, pick.latest ? 1 : 6, folder)
  const one = context.pickOnly(fits, 'email', {
    none: texts.unknown.mail,
    describe: (mail) => describeMail(context, mail),
    toItem,
  })
  return typeof one === 'string' ? one : [one]
}

const listUnanswered = async (context: InterpreterContext, sender = ''): Promise<string> => {
  const { waiting: all } = await context.callReadTool('find_unanswered', {})
  const matching = all.filter(({ from: who }) =>
    `${who.name} ${who.address}`.toLowerCase().includes(sender.toLowerCase()),
  )
  return context.formatList(
    matching.map(
      (one) =>
        `${nameOf(context, one)}: ${one.subject}${one.asks[0] ? ` (${context.texts.quote(one.asks[0])})` : ''}`,
    ),
    context.texts.nothing.waiting,
  )
}

export const findMails: Handler<'find_emails'> = async (context, input) => {
  const { callReadTool, formatList, texts } = context
  const { marks = [], tag, withAttachment, from, to, about, sender, recipient } = input
  if (marks.includes('unanswered')) return listUnanswered(context, sender)
  const terms = [withAttachment && 'has:attachment', marks.includes('starred') && 'is:starred', about]
  const query = toQuery({ sender, recipient, about: terms.filter(Boolean).join(' '), from, to })
  const more = { query, tag, unread: marks.includes('unread') || undefined }
  // A request without search terms refers to the inbox.
  const folder = query === undefined && tag === undefined ? ('inbox' as const) : undefined
  const levels = marks.includes('urgent') ? (['critical', 'high'] as const) : [undefined]
  const all: Mail[] = []
  let isCut = false
  for (const urgency of levels) {
    const part = await callReadTool('find_emails', { ...more, folder, urgency, limit: 15 })
    all.push(...part.emails)
    isCut ||= part.more
  }
  const lines = all.map((mail) => describeMail(context, mail))
  context.exchange.listedItems = toItems('email', all)
  return formatList(lines, texts.nothing.mails, isCut)
}

export const readMail: Handler<'read_email'> = async (context, pick) => {
  const one = await pickNewestMail(context, pick)
  if (typeof one === 'string') return one
  const outcome = await context.callTool('read_email', { id: one.id })
  const text = outcome.status === 'done' ? outcome.result.text : ''
  return context.formatOutcome(outcome, `${describeMail(context, one)}\n\n${text}`)
}

export const markMails: Handler<'tag_email'> = async (
  context,
  { email, tag, remove, read, starred, archive },
) => {
  const { callTool, formatOutcome, texts } = context
  const all = await pickMails(context, email, archive === false ? 'archive' : undefined)
  if (typeof all === 'string') return all
  const tags = tag === undefined ? {} : remove ? { remove: [tag] } : { add: [tag] }
  let last = ''
  for (const { id, subject } of all) {
    const outcome = await callTool('tag_email', { id, ...tags, read, starred, archived: archive })
    last = formatOutcome(outcome, archive ? texts.archived(subject) : texts.marked(subject))
    if (outcome.status !== 'done') return last
  }
  return all.length === 1 ? last : texts.allMarked(all.length)
}

export const deleteMails: Handler<'delete_email'> = async (context, { email }) => {
  const { callTool, formatOutcome, texts } = context
  const all = await pickMails(context, email)
  if (typeof all === 'string') return all
  const replies: string[] = []
  for (const { id } of all) replies.push(formatOutcome(await callTool('delete_email', { id }), texts.trashed))
  return replies.join('\n')
}

/** "… and send it" at the end of the words to write is a request, not a part of them. */
export const AND_SEND =
  /[\s,;]+(?:and|then|und|dann)\s+(?:then\s+|please\s+|bitte\s+)?(?:send|schick|sende)e?\s+(?:it|that|this|the (?:e-?mail|mail|reply|answer)|es|sie|ihn|das|die (?:e-?mail|mail|antwort))(?:\s+(?:off|now|ab|los|jetzt|please|bitte))*[\s.!]*$/iu

/** The addresses that a name may mean: of contacts, or of the newest email of a sender. */
const findRecipients = async (context: InterpreterContext, name: string): Promise<string[]> => {
  if (name.includes('@')) return [name]
  const people = await findPeople(context, name.split(/\s+/u))
  const known = people.find(name).flatMap((one) => addressOf(one) ?? [])
  if (known.length > 0) return [...new Set(known)]
  const from = (await searchMails(context, { sender: name }, 1))[0]?.from
  return from ? [`${from.name} <${from.address}>`.trim()] : []
}

export const writeMail: Handler<'draft_email'> = async (context, given) => {
  const { to, reply, about, says: spoken, send: isSent } = given
  const { callTool, formatOutcome, texts, writeAnswer } = context
  const says = spoken?.replace(AND_SEND, '')
  const send = isSent || says !== spoken
  const one = reply ? await pickNewestMail(context, reply) : undefined
  if (typeof one === 'string') return one
  if (one) {
    const written = await writeAnswer(one.id, says && sentence(says))
    if ('refusal' in written) return written.refusal
    const { text, gaps } = written
    // A draft with gaps must not be sent.
    const tool = send && gaps.length === 0 ? 'send_email' : 'draft_email'
    const outcome = await callTool(tool, { replyTo: one.id, text })
    return `${formatOutcome(outcome, texts.drafted(nameOf(context, one), gaps.length))}\n\n${quoteText(text)}`
  }
  const known = to === undefined ? [] : await findRecipients(context, to)
  if (known.length > 1) {
    const toOption = (recipient: string): Option => ({
      label: recipient,
      intent: { tool: 'draft_email', arguments: { ...given, to: recipient }, confidence: 1, evidence: [] },
    })
    return context.askWhich((list) => texts.abilities.whichPerson(to ?? '', list), known.map(toOption))
  }
  const [address] = known
  if (send && !address) return texts.address(to ?? '')
  const copies = await Promise.all((given.cc ?? []).map((one) => findRecipients(context, one)))
  const unknown = copies.flatMap((found, at) => (found.length === 1 ? [] : (given.cc?.[at] ?? [])))
  if (unknown.length > 0) return texts.address(unknown.join(', '))
  const said = /^[^<@]+(?=\s<)/u.exec(address ?? '')?.[0] ?? (address ? '' : (to ?? ''))
  const [name] = said.split(/\s+/)
  const body = says ? sentence(says) : '[…]'
  const text = `${texts.hello(name ?? '')}\n\n${body}\n`
  const input = {
    to: address ? [address] : undefined,
    cc: copies.length > 0 ? copies.flat() : undefined,
    subject: toSubject(about ?? says),
    text,
  }
  const outcome = await callTool(send && says ? 'send_email' : 'draft_email', input)
  const drafted = formatOutcome(outcome, texts.drafted(said || to || '', says ? 0 : 1))
  const note = to && !address ? `\n\n${texts.address(to)}` : ''
  return `${drafted}\n\n${quoteText(text)}${note}`
}

const MAX_SUBJECT_LENGTH = 60

/** An email without a named subject gets the first words of its text. */
const toSubject = (words: string | undefined): string | undefined => {
  if (words === undefined) return undefined
  const whole = sentence(words).replace(/\.$/, '')
  return whole.length <= MAX_SUBJECT_LENGTH
    ? whole
    : `${whole.slice(0, MAX_SUBJECT_LENGTH).replace(/\s+\S*$/u, '')}…`
}

/** Shows the text of an email as a quotation in Markdown. */
export const quoteText = (text: string): string =>
  text
    .trim()
    .split('\n')
    .map((line) => `> ${line}`.trimEnd())
    .join('\n')

/** Counts matching emails up to the search limit. */
export const countMails = async (
  { callReadTool }: InterpreterContext,
  mark: string | undefined,
  { person, from, to }: { person?: string; from?: string; to?: string },
): Promise<Counted | undefined> => {
  if (mark === 'unanswered')
    return { count: (await callReadTool('find_unanswered', {})).waiting.length, more: false }
  if (person === undefined && from === undefined && to === undefined) return undefined
  const query = toQuery({ sender: person, from, to })
  const unread = mark === 'unread' || undefined
  const { emails, more } = await callReadTool('find_emails', { query, unread, limit: 25 })
  return { count: emails.length, more }
}
