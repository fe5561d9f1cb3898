import type { ToolInput, ToolResult } from '../tools/contracts.ts'
import type { Ability, AbilityArguments, AbilityName, RuleChange } from './ability.ts'
import { changeContact } from './contact-changes.ts'
import { tellContact } from './contacts.ts'
import { type AbilityHandler, DAY_MS, type InterpreterContext, toIso } from './context.ts'
import { editItem } from './edits.ts'
import { describeMail, pickMails, pickNewestMail, quoteText, toQuery, writeMail } from './mails.ts'
import { type Item, toItems } from './memory.ts'

const summarizeEmails: AbilityHandler<'summarize_emails'> = async (context, { unread, sender, from, to }) => {
  const { callReadTool, texts } = context
  const { abilities } = texts
  const query = toQuery({ sender, from, to })
  const found = await callReadTool('summarize_emails', { query, unread })
  if (found.total === 0) return abilities.noMail
  const { emails, others, newsletters } = found
  const count = `${found.total}${found.more ? '+' : ''}`
  const heading = [
    unread ? abilities.unreadCount(count) : abilities.mailCount(count, sender),
    emails.length > 0 && emails.length < found.total && abilities.mostImportant(emails.length),
  ]
  context.exchange.listedItems = toItems('email', emails)
  const lines = emails.map((mail) => {
    const quotes = mail.quotes.map((quote) => `\n  ${texts.quote(quote)}`).join('')
    return `- ${describeMail(context, mail)}${quotes}`
  })
  const rest = [
    others > 0 && abilities.others(others),
    newsletters.count > 0 && abilities.newsletters(newsletters.count, newsletters.senders.join(', ')),
  ].filter(Boolean)
  return [
    `${heading.filter(Boolean).join(', ')}${emails.length > 0 ? ':' : '.'}`,
    ...lines,
    ...(rest.length > 0 ? ['', abilities.also(rest.join('; '))] : []),
  ].join('\n')
}

const summarizeEmail: AbilityHandler<'summarize_email'> = async (context, { email }) => {
  const { callReadTool, texts } = context
  const one = await pickNewestMail(context, email)
  if (typeof one === 'string') return one
  const { emails } = await callReadTool('summarize_emails', { id: one.id })
  const [mail] = emails
  if (!mail) return texts.unknown.mail
  const said = [...new Set([mail.summary, ...mail.quotes])].filter((words) => words !== '').map(texts.quote)
  const booked = (mail.reservations ?? []).map(({ title, start }) =>
    start ? `${title} (${context.formatInstant(start.instant)})` : title,
  )
  context.exchange.listedItems = toItems('email', [mail])
  return [
    describeMail(context, mail),
    '',
    ...[...booked, ...said].map((line) => `- ${line}`),
    ...(said.length === 0 ? [texts.abilities.noText] : []),
  ].join('\n')
}

/** Proposes a reply and offers to save it as a draft. */
const suggestReply: AbilityHandler<'suggest_reply'> = async (context, { email }) => {
  const { texts, ask, writeAnswer } = context
  const one = await pickNewestMail(context, email)
  if (typeof one === 'string') return one
  const written = await writeAnswer(one.id, undefined)
  if ('refusal' in written) return written.refusal
  context.exchange.listedItems = toItems('email', [one])
  ask(texts.abilities.saveDraft, [
    {
      label: texts.yes,
      intent: { tool: 'draft_email', arguments: { reply: email }, confidence: 1, evidence: [] },
      target: { kind: 'email', id: one.id, title: one.subject },
    },
    { label: texts.no, intent: null },
  ])
  return `${texts.abilities.suggestion}\n\n${quoteText(written.text)}\n\n${texts.abilities.saveDraft}`
}

const getPriorities: AbilityHandler<'get_priorities'> = async (context, { isFirst }) => {
  const { callReadTool, texts } = context
  const { abilities, details } = texts
  const { items, freeMinutes } = await callReadTool('get_priorities', { limit: isFirst ? 3 : 7 })
  const free = freeMinutes > 0 ? [abilities.freeToday(details.length(freeMinutes))] : []
  const [first] = items
  if (!first) return [abilities.nothingUrgent, ...free].join(' ')
  context.exchange.listedItems = items.map(
    ({ kind, id, title, at }): Item => ({
      kind,
      id,
      title,
      ...(kind === 'event' && at && { start: at }),
    }),
  )
  const lines = items.map(({ title, person, quote, reasons }) => {
    const why = reasons.map((reason) => abilities.reason(reason, details.length)).join(', ')
    const who = person ? ` ${abilities.from(person)}` : ''
    return `- ${title}${who}: ${why}${quote && quote !== title ? `\n  ${texts.quote(quote)}` : ''}`
  })
  const heading = isFirst ? abilities.first(first.title) : abilities.attention
  return [heading, ...lines, '', ...free].join('\n').trimEnd()
}

const planTasks: AbilityHandler<'plan_tasks'> = async (context, { from, to }) => {
  const { callReadTool, callTool, formatOutcome, instant, now, texts, day, clock } = context
  const { abilities } = texts
  const today = toIso(context.wall(toIso(now))).slice(0, 10)
  const start = from ? instant(from) : toIso(now)
  const end = to ? instant(to) : toIso(Date.parse(instant(from ?? today)) + (from ? 1 : 7) * DAY_MS)
  const plan = await callReadTool('propose_plan', { start: start < toIso(now) ? toIso(now) : start, end })
  if (plan.blocks.length === 0) return abilities.noPlan
  const lines = plan.blocks.map(
    ({ title, start: begins, end: ends }) => `- ${day(begins)}, ${clock(begins)}–${clock(ends)}: ${title}`,
  )
  const missing = plan.unplanned.filter(({ reason }) => reason !== 'already_planned')
  const outcome = await callTool('book_plan', {
    blocks: plan.blocks.map(({ taskId, start: begins, end: ends }) => ({ taskId, start: begins, end: ends })),
  })
  return [
    abilities.plan(plan.blocks.length),
    ...lines,
    '',
    ...(missing.length > 0 ? [abilities.unplanned(missing.map(({ title }) => title).join(', ')), ''] : []),
    `${abilities.adjust} ${formatOutcome(outcome, texts.confirmed)}`,
  ].join('\n')
}

const snoozeEmail: AbilityHandler<'snooze_email'> = async (context, { email, until }) => {
  const { callTool, formatOutcome, formatWall, hasClock, instant, texts, exchange, ask } = context
  if (until === undefined) return ask(texts.abilities.untilWhen, [], exchange.written)
  const found = await pickMails(context, { ...email, latest: true })
  const one = typeof found === 'string' ? found : found[0]
  if (one === undefined || typeof one === 'string') return one ?? texts.unknown.mail
  // A day without an hour means the morning of that day.
  const at = hasClock(until) ? until : `${until}T08:00`
  const outcome = await callTool('snooze_email', { id: one.id, until: instant(at) })
  return formatOutcome(outcome, texts.abilities.snoozed(one.subject, formatWall(at)))
}

type MailingList = ToolResult<'list_mailing_lists'>['mailingLists'][number]

const unsubscribe: AbilityHandler<'unsubscribe'> = async (context, { list }) => {
  const { callReadTool, callTool, formatOutcome, texts, askWhich } = context
  const { abilities } = texts
  const { mailingLists: all } = await callReadTool('list_mailing_lists', { limit: 100 })
  const words = list.toLowerCase().split(/[\s-]+/)
  const fits = all.filter(({ id, name, from }) => {
    const known = `${id} ${name} ${from.name} ${from.address}`.toLowerCase()
    return words.every((word) => known.includes(word))
  })
  const [one, other] = fits
  const nameList = ({ id, name, from }: MailingList): string => name || from.name || id
  if (!one) return abilities.noList(list)
  if (other) {
    const options = fits.slice(0, 5).map((each) => ({
      label: `${nameList(each)} (${each.from.address})`,
      intent: { ability: 'unsubscribe' as const, arguments: { list: each.id } },
    }))
    return askWhich((lines) => `${abilities.whichList}\n${lines}`, options)
  }
  if (one.unsubscribed !== null) return abilities.alreadyUnsubscribed(nameList(one))
  const outcome = await callTool('unsubscribe', { emailId: one.lastEmailId })
  const page = outcome.status === 'failed' ? /https?:\/\/\S+/u.exec(outcome.result.error)?.[0] : undefined
  return page ? abilities.onlyOnPage(nameList(one), page) : formatOutcome(outcome, texts.confirmed)
}

type RuleEffects = ToolInput<'create_mail_rule'>['does']

const createRule: AbilityHandler<'create_rule'> = async (context, { sender, change, folder, tag }) => {
  const { callReadTool, callTool, formatOutcome, texts } = context
  const { abilities } = texts
  const effects: Record<RuleChange, RuleEffects> = {
    archive: { folder: 'archive' },
    trash: { folder: 'trash' },
    read: { read: true },
    star: { starred: true },
    tag: { tags: [tag ?? ''] },
    move: {},
  }
  let does = effects[change]
  if (change === 'move') {
    const name = (folder ?? '').toLowerCase()
    const standard = /^(?:archive?|archiv)$/.test(name)
      ? 'archive'
      : /^(?:trash|papierkorb)$/.test(name)
        ? 'trash'
        : null
    const { folders: all } = await callReadTool('list_mail_folders', {})
    const target = all.find((one) => one.name.toLowerCase() === name || one.path.toLowerCase() === name)
    if (standard) does = { folder: standard }
    else if (target) does = { folderId: target.id }
    else return abilities.noFolder(folder ?? '')
  }
  const outcome = await callTool('create_mail_rule', {
    name: abilities.ruleName(sender).slice(0, 100),
    q: toQuery({ sender }) ?? '',
    does,
  })
  return formatOutcome(outcome, texts.confirmed)
}

const changeEmails: AbilityHandler<'change_emails'> = async (
  context,
  { change, tag, query, unread, ids },
) => {
  const { callReadTool, callTool, formatOutcome, texts } = context
  const isNamed = ids !== undefined || query !== undefined
  // Without a name, the inbox is meant. A named sender may also be in the archive.
  const folder = isNamed && change !== 'archive' ? undefined : ('inbox' as const)
  const search = { query, unread, folder }
  if (!ids) {
    const { emails } = await callReadTool('find_emails', { ...search, limit: 1 })
    if (emails.length === 0) return texts.abilities.noMatch
  }
  const outcome = await callTool(
    'change_emails',
    ids ? { change, tag, ids: [...ids] } : { change, tag, ...search },
  )
  return formatOutcome(outcome, texts.confirmed)
}

const changeTasks: AbilityHandler<'change_tasks'> = async (context, { change, due, status, list, ids }) => {
  const { callReadTool, callTool, formatOutcome, toToolTime, texts } = context
  const { abilities } = texts
  const filters: { listId?: number; tag?: string } = {}
  if (list) {
    const { taskLists: all } = await callReadTool('list_task_lists', {})
    const named = all.find(({ name }) => name.toLowerCase() === list.toLowerCase())
    if (named) filters.listId = named.id
    else filters.tag = list.toLowerCase()
  }
  if (!ids && !filters.listId) {
    const { tasks } = await callReadTool('list_tasks', { status, tag: filters.tag, limit: 1 })
    if (tasks.length === 0) return filters.tag ? abilities.noTaskList(list ?? '') : abilities.noTasks
  }
  const outcome = await callTool('change_tasks', {
    change,
    dueAt: toToolTime(due),
    ...(ids ? { ids: [...ids] } : { status, ...filters }),
  })
  return formatOutcome(outcome, texts.confirmed)
}

const findMeeting: AbilityHandler<'find_meeting'> = async (
  context,
  { from, to, people, exceptDays, ...conditions },
) => {
  const { callReadTool, toToolTime, instant, now, formatList, formatSlots, texts } = context
  const start = from && instant(from) < toIso(now) ? undefined : toToolTime(from)
  const { slots, people: known = [] } = await callReadTool('find_free_time', {
    start,
    end: toToolTime(to),
    people: people && [...people],
    exceptDays: exceptDays && [...exceptDays],
    ...conditions,
    limit: 5,
  })
  const unknown = known.filter(({ isKnown }) => !isKnown).map(({ name }) => name)
  const list = formatList(formatSlots(slots), texts.nothing.free)
  return unknown.length === 0
    ? list
    : `${list}\n\n${texts.abilities.unknownCalendars(unknown.join(` ${texts.and} `))}`
}

/** Drafts an acceptance or a refusal. Replies to the newest email of the person, if there is one. */
const answerProposal: AbilityHandler<'answer_proposal'> = async (context, { person, isYes, when }) => {
  const { callReadTool, texts } = context
  const { emails } = await callReadTool('find_emails', { query: toQuery({ sender: person }), limit: 1 })
  const [newest] = emails
  const says = isYes ? texts.abilities.accept(when) : texts.abilities.decline(when)
  const input = newest ? { reply: { sender: person, latest: true as const }, says } : { to: person, says }
  return writeMail(context, input)
}

const ABILITIES: {
  readonly [Name in AbilityName]: AbilityHandler<Name>
} = {
  summarize_emails: summarizeEmails,
  summarize_email: summarizeEmail,
  suggest_reply: suggestReply,
  get_priorities: getPriorities,
  plan_tasks: planTasks,
  snooze_email: snoozeEmail,
  unsubscribe,
  create_rule: createRule,
  change_emails: changeEmails,
  change_tasks: changeTasks,
  find_meeting: findMeeting,
  edit_item: editItem,
  answer_proposal: answerProposal,
  tell_contact: tellContact,
  change_contact: changeContact,
}

const run = <Name extends AbilityName>(
  context: InterpreterContext,
  ability: Name,
  given: AbilityArguments[Name],
): Promise<string> => ABILITIES[ability](context, given)

export const runAbility = (context: InterpreterContext, request: Ability): Promise<string> =>
  run(context, request.ability, request.arguments)
