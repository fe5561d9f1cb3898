import { foldWords } from '../../../database/word-index.ts'
import { toWall } from '../../../recurrence/time-zones.ts'
import type { Item, Memory } from '../interpreter/memory.ts'
import { readCommands } from './commands.ts'
import type { ToolCallOutcome } from './outcome.ts'
import type { Tool, WriteProposal, WriteTool } from './tool.ts'

const TITLES = ['subject', 'title', 'name', 'summary', 'text']
const MAX_TITLE_LENGTH = 1000
/** Changes that a model may make in one turn without a confirmation. */
const MAX_WRITES = 5
const DAY_MS = 86_400_000
/** The longest period that a message names day by day. */
const MAX_DAYS = 62

export interface GuardedRequest {
  /** The words of the person. Nothing else is an instruction. */
  message: string
  memory: Memory
  now: number
  timezone: string
  /** Texts of others that the model has read in this conversation: results of tools, titles of open pages. */
  foreignTexts: readonly unknown[]
  /** Finds a person whom the account saved or wrote to. */
  findKnownName: (address: string) => Promise<string | undefined>
}

const INSIGNIFICANT = new Set(
  'the and for with from your you our this that about der die das den dem und fur mit von ein eine einen fwd'.split(
    ' ',
  ),
)

/** Returns the words that identify a text. A text of short words is identified by all of them. */
const toSignificantWords = (text: string): string[] => {
  const words = foldWords(text)
  const significant = words.filter((word) => word.length > 2 && !INSIGNIFICANT.has(word))
  return significant.length > 0 ? significant : words
}

/** Compares words without their endings: "invoice" and "invoices". */
const isSameWord = (one: string, other: string): boolean =>
  one === other || (one.length > 4 && other.length > 4 && one.slice(0, 5) === other.slice(0, 5))

/** Words that a title may have besides those of the person: "Call Ana" for "remind me of Ana". */
const MAX_UNSAID = 2

const ADDRESS = /[^\s<>"'(),;:]+@[^\s<>"'(),;:@]+\.[^\s<>"'(),;:@.]+/gu
const URL_HOST = /(?:https?:\/\/|\bwww\.)([^\s/"'<>()?#]+)/giu
/** A host without a scheme: "evil.example/x". */
const BARE_HOST = /(?<![\p{L}\p{N}@.-])(?:[\p{L}\p{N}-]+\.)+\p{L}{2,}(?![\p{L}\p{N}-])/gu
const RECURRENCE_RULE = /^(?:RRULE:)?FREQ=/i
const MOMENT = /^\d{4}-\d\d-\d\d(?:T|$)/

const RECURS =
  /(?<!\p{L})(?:every|each|daily|weekly|monthly|yearly|annual|jede|alle|täglich|wöchentlich|monatlich|jährlich|repeat|wiederhol)/iu
const WHOLE_SERIES =
  /(?<!\p{L})(?:all|every|each|series|whole|entire|alle|jede\p{L}*|serie|ganze\p{L}*|sämtliche|weekly|daily|monthly)(?!\p{L})/iu
/** A pasted email starts here. Its text is not the person's own. */
const PASTED = /^[ \t]*(?:>|-{3,}|(?:from|to|subject|date|von|an|betreff|datum):)/imu

/** Returns the part of a message that the person wrote. */
const readOwnPart = (message: string): string => {
  const at = message.search(PASTED)
  return at < 0 ? message : message.slice(0, at)
}

/** Lists the texts of an input, with the fields that they belong to. */
const listTexts = (input: unknown, field = ''): { field: string; text: string }[] => {
  if (typeof input === 'string') return [{ field, text: input }]
  if (Array.isArray(input)) return input.flatMap((one) => listTexts(one, field))
  if (typeof input !== 'object' || input === null) return []
  return Object.entries(input).flatMap(([name, value]) => listTexts(value, field === '' ? name : field))
}

/** Lists the email addresses and the hosts in an input. A text that the assistant writes may name "Node.js". */
const listDestinations = (
  { composes = [] }: WriteTool,
  texts: readonly { field: string; text: string }[],
): string[] =>
  texts.flatMap(({ field, text }) => {
    const rest = text.replace(ADDRESS, ' ')
    return [
      ...(text.match(ADDRESS) ?? []),
      ...[...rest.matchAll(URL_HOST)].map(([, host]) => host as string),
      ...(composes.includes(field) ? [] : (rest.match(BARE_HOST) ?? [])),
    ].map((destination) => destination.toLowerCase().replace(/^www\./, ''))
  })

/** Numbers of these fields refer to items, which are checked by their names. */
const REFERENCES = ['id', 'replyTo', 'listId']

const listNumbers = (input: unknown): number[] =>
  Object.entries(input as object).flatMap(([field, value]) =>
    typeof value === 'number' && !REFERENCES.includes(field) ? value : [],
  )

/** Lists the titles and names in results of tools. */
const listTitles = (results: readonly unknown[]): string[] =>
  results.flatMap((one) => listNamed(one)).filter((text) => text.length <= MAX_TITLE_LENGTH)

const listNamed = (value: unknown): string[] => {
  if (Array.isArray(value)) return value.flatMap(listNamed)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([field, one]) => {
    if (typeof one !== 'string') return listNamed(one)
    return TITLES.includes(field) ? one : []
  })
}

const isEnumerated = ({ input }: WriteTool, field: string): boolean =>
  'enum' in (input.properties[field] ?? {})

interface Parts {
  texts: readonly { field: string; text: string }[]
  destinations: readonly string[]
  numbers: readonly number[]
}

/** Tells whether a message contains an address or host as a whole. */
const containsWhole = (message: string, destination: string): boolean => {
  const literal = destination.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
  return new RegExp(
    `(?<![\\p{L}\\p{N}_%+@-]|[\\p{L}\\p{N}]\\.)(?:www\\.)?${literal}(?![\\p{L}\\p{N}_@-]|\\.[\\p{L}\\p{N}])`,
    'iu',
  ).test(message)
}

/** Reads what the message of the person names. */
const createSentence = (
  { message: written, memory, now, timezone, findKnownName }: GuardedRequest,
  { copied, readEmails }: { copied: readonly string[]; readEmails: ReadonlySet<number> },
) => {
  const message = readOwnPart(written)
  const words = foldWords(message)
  const commands = readCommands(message, copied)
  const isSaid = (word: string): boolean => words.some((said) => isSameWord(said, word))
  const countSaid = (text: readonly string[]): number => text.filter(isSaid).length

  /** At least half of the words are the person's own, and the others are few and without numbers. */
  const hasSaid = (text: string): boolean => {
    const significant = toSignificantWords(text)
    const unsaid = significant.filter((word) => !isSaid(word))
    return (
      unsaid.length * 2 <= significant.length &&
      unsaid.length <= MAX_UNSAID &&
      !unsaid.some((word) => /\p{N}/u.test(word))
    )
  }

  /** Two words identify an item, or the only one. */
  const namesTitle = (title: string): boolean => {
    const significant = toSignificantWords(title)
    return significant.length > 0 && countSaid(significant) >= Math.min(2, significant.length)
  }

  const namesPerson = ({ name, address }: { name: string; address: string }): boolean =>
    countSaid(toSignificantWords(name)) > 0 || containsWhole(message, address)

  const namesAction = (tool: WriteTool, input: unknown): boolean => {
    const verbs = tool.verbs(input)
    const mentions = tool.mentions?.(input) ?? []
    return verbs.length > 0 && verbs.every(commands.has) && mentions.every((pattern) => pattern.test(message))
  }

  const namesTarget = async ({ target }: WriteProposal): Promise<boolean> => {
    if (target === null) return true
    if (target.isSeries && !WHOLE_SERIES.test(message)) return false
    const { findReference } = await import('../interpreter/references.ts')
    const referred = findReference(message, memory)
    // "Read the invoice and archive it" is not about the email of an earlier answer.
    const isEarlier = readEmails.size > 0 && !readEmails.has(target.id) && memory.page?.id !== target.id
    return (
      (referred?.id === target.id && isSameKind(referred.kind, target.kind) && !isEarlier) ||
      target.titles.some(namesTitle) ||
      target.people.some(namesPerson)
    )
  }

  /** Known people count, if the message names them. The people of a named item count too. */
  const namesDestination = async (destination: string, { target }: WriteProposal): Promise<boolean> => {
    if (containsWhole(message, destination)) return true
    if (target?.people.some(({ address }) => address.toLowerCase() === destination)) return true
    const name = destination.includes('@') ? await findKnownName(destination) : undefined
    return name !== undefined && countSaid(toSignificantWords(name)) > 0
  }

  /** Lists the days that the message names, as days since 1970. Without a day, the item keeps its own. */
  const listDays = async ({ target }: WriteProposal): Promise<Set<number>> => {
    const { createRequest } = await import('../../../nlu/intents/request.ts')
    const context = { now: toWall(now, timezone), timezone }
    const times = createRequest(message, 0, context).times.filter(({ start }) => start)
    const days = new Set<number>()
    for (const { start, end } of times) {
      const first = start?.day ?? 0
      const last = Math.min(end?.day ?? first, first + MAX_DAYS)
      for (let day = first; day <= last; day++) days.add(day)
    }
    if (target?.start && times.length > 0 && !times.some(({ dated }) => dated)) days.add(toDay(target.start))
    return days
  }

  const toDay = (moment: string): number =>
    Math.floor((moment.length > 10 ? toWall(Date.parse(moment), timezone) : Date.parse(moment)) / DAY_MS)

  /** The name beside an address: "Ana Lima <ana@example.org>". */
  const namesBeside = async (text: string, address: string): Promise<boolean> => {
    const beside = text.replace(ADDRESS, ' ')
    if (toSignificantWords(beside).length === 0 || hasSaid(beside)) return true
    const known = foldWords((await findKnownName(address.toLowerCase())) ?? '')
    return toSignificantWords(beside).every((word) => known.includes(word))
  }

  const namesNumbers = async ({ numbers }: Parts): Promise<boolean> => {
    if (numbers.every((number) => words.includes(String(number)))) return true
    const { createRequest } = await import('../../../nlu/intents/request.ts')
    const context = { now: toWall(now, timezone), timezone }
    return createRequest(message, 0, context).times.some(({ duration }) => duration)
  }

  const namesTexts = async (tool: WriteTool, { texts }: Parts, proposal: WriteProposal): Promise<boolean> => {
    for (const { field, text } of texts) {
      if (tool.composes?.includes(field) || isEnumerated(tool, field)) continue
      const [address] = text.match(ADDRESS) ?? []
      // Addresses are checked as destinations.
      if (address !== undefined && (await namesBeside(text, address))) continue
      if (MOMENT.test(text)) {
        const days = await listDays(proposal)
        // The end of an all-day event is the day after its last day.
        if (!days.has(toDay(text)) && !days.has(toDay(text) - 1)) return false
      } else if (RECURRENCE_RULE.test(text) ? !RECURS.test(message) : !hasSaid(text)) return false
    }
    return true
  }

  const namesDestinations = async (parts: Parts, proposal: WriteProposal): Promise<boolean> => {
    for (const destination of parts.destinations)
      if (!(await namesDestination(destination, proposal))) return false
    return true
  }

  return {
    namesDestinations,

    names: async (tool: WriteTool, input: unknown, parts: Parts, proposal: WriteProposal) =>
      namesAction(tool, input) &&
      (await namesTarget(proposal)) &&
      (proposal.listName === undefined || namesTitle(proposal.listName)) &&
      (await namesNumbers(parts)) &&
      (await namesTexts(tool, parts, proposal)) &&
      namesDestinations(parts, proposal),
  }
}

const isSameKind = (referred: Item['kind'], kind: string): boolean =>
  referred === kind || (referred === 'draft' && kind === 'email')

type CallStatus = ToolCallOutcome['status']

export type WriteGuard = ReturnType<typeof createWriteGuard>

/**
 * Decides which changes of a model run without a confirmation.
 *
 * A model that has read text of others may obey that text. From then on, the message of the person must name a change.
 * It names the action, the item, and every text, day, address and host of the call. Every other change waits for a
 * confirmation.
 * Without foreign text, a change waits if the person did not name an address or host of it. Every change after the
 * fifth of a turn waits too.
 */
export const createWriteGuard = (request: GuardedRequest) => {
  const foreignTexts = [...request.foreignTexts]
  let hasForeignText = foreignTexts.length > 0 || PASTED.test(request.message)
  /** Emails that the model has opened in this turn. */
  const readEmails = new Set<number>()
  let writes = 0

  return {
    async allows(tool: WriteTool, input: unknown, propose: () => Promise<WriteProposal>): Promise<boolean> {
      if (writes >= MAX_WRITES) return false
      const texts = listTexts(input)
      const parts = { texts, destinations: listDestinations(tool, texts), numbers: listNumbers(input) }
      if (!hasForeignText && parts.destinations.length === 0) return true
      const sentence = createSentence(request, { copied: listTitles(foreignTexts), readEmails })
      const proposal = await propose()
      return hasForeignText
        ? sentence.names(tool, input, parts, proposal)
        : sentence.namesDestinations(parts, proposal)
    },

    /** The model reads what a call returns: a result, an error, or the summary of a proposal. */
    noteResult(tool: Tool, status: CallStatus, result: unknown, emails: readonly number[] = []): void {
      if (tool.effect === 'write' && status === 'done') writes++
      if (tool.name === 'read_email') for (const id of emails) readEmails.add(id)
      if (isForeign(tool, status)) {
        hasForeignText = true
        foreignTexts.push(result)
      }
    },
  }
}

/** Summaries and errors quote items, which can come from others. */
export const isForeign = ({ returnsOwnText }: Pick<Tool, 'returnsOwnText'>, status: CallStatus): boolean =>
  status === 'needs_confirmation' || returnsOwnText !== true
