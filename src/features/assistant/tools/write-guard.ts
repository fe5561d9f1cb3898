import { foldWords } from '../../../database/word-index.ts'
import { toWall } from '../../../nlu/time-zones.ts'
import type { Item, Memory } from '../interpreter/memory.ts'
import type { WriteProposal, WriteTool } from './tool.ts'

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
  /** The model has already read text of others in this conversation. */
  hasForeignText: boolean
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

const ADDRESS = /[^\s<>"'(),;:]+@[^\s<>"'(),;:@]+\.[^\s<>"'(),;:@.]+/gu
const URL_HOST = /(?:https?:\/\/|\bwww\.)([^\s/"'<>()?#]+)/giu
const RECURRENCE_RULE = /^(?:RRULE:)?FREQ=/i
const MOMENT = /^\d{4}-\d\d-\d\d(?:T|$)/

const RECURS =
  /(?<!\p{L})(?:every|each|daily|weekly|monthly|yearly|annual|jede|alle|täglich|wöchentlich|monatlich|jährlich|repeat|wiederhol)/iu
const QUOTED = /[“„"«»][^“”„"«»]*[”“"«»]/gu
const NEGATION = "(?:not|never|n['’]t|without|nicht|nie|niemals|kein\\p{L}*|ohne)(?!\\p{L})"
const GERMAN_NEGATION = /(?<!\p{L})nicht[\s.!]*$/iu
const POLITE_QUESTION =
  /^(?:(?:please|bitte|hey|hi|hallo|ok(?:ay)?)[\s,]+)*(?:(?:can|could|would|will) you|(?:kannst|könntest|würdest|magst) du)(?!\p{L})/iu

const isQuestion = (message: string): boolean =>
  message.trimEnd().endsWith('?') && !POLITE_QUESTION.test(message.trimStart())

const isNegated = (message: string, verb: RegExp): boolean =>
  GERMAN_NEGATION.test(message) ||
  new RegExp(`${NEGATION}(?:\\s+\\p{L}+){0,2}?\\s+${verb.source}`, 'iu').test(message)

/** Lists the texts of an input, with the fields that they belong to. */
const listTexts = (input: unknown, field = ''): { field: string; text: string }[] => {
  if (typeof input === 'string') return [{ field, text: input }]
  if (Array.isArray(input)) return input.flatMap((one) => listTexts(one, field))
  if (typeof input !== 'object' || input === null) return []
  return Object.entries(input).flatMap(([name, value]) => listTexts(value, field === '' ? name : field))
}

/** Lists the email addresses and the hosts of URLs in an input. */
const listDestinations = (texts: readonly { text: string }[]): string[] =>
  texts.flatMap(({ text }) => [
    ...(text.match(ADDRESS) ?? []).map((address) => address.toLowerCase()),
    ...[...text.matchAll(URL_HOST)].map(([, host]) => (host as string).toLowerCase()),
  ])

const isEnumerated = (tool: WriteTool, field: string): boolean => {
  const { properties = {} } = tool.input as { properties?: Record<string, object> }
  return 'enum' in (properties[field] ?? {})
}

type Parts = { texts: readonly { field: string; text: string }[]; destinations: readonly string[] }

/** Reads what the message of the person names. */
const createSentence = ({ message, memory, now, timezone, findKnownName }: GuardedRequest) => {
  const words = foldWords(message)
  const plain = message.toLowerCase()
  const countSaid = (text: readonly string[]): number =>
    text.filter((word) => words.some((said) => isSameWord(said, word))).length

  /** At least half of the words are the person's own. */
  const hasSaid = (text: string): boolean => {
    const significant = toSignificantWords(text)
    return countSaid(significant) * 2 >= significant.length
  }

  /** Two words identify an item, or the only one. */
  const namesTitle = (title: string): boolean => {
    const significant = toSignificantWords(title)
    return significant.length > 0 && countSaid(significant) >= Math.min(2, significant.length)
  }

  const namesPerson = ({ name, address }: { name: string; address: string }): boolean =>
    countSaid(toSignificantWords(name)) > 0 || plain.includes(address.toLowerCase())

  // A quoted subject may contain an instruction of its author.
  const unquoted = message.replace(QUOTED, ' ')
  const namesAction = (verbs: readonly RegExp[]): boolean =>
    verbs.length > 0 &&
    !isQuestion(message) &&
    verbs.every((verb) => verb.test(unquoted) && !isNegated(unquoted, verb))

  const namesTarget = async ({ target }: WriteProposal): Promise<boolean> => {
    if (target === null) return true
    const { findReference } = await import('../interpreter/replies.ts')
    const referred = findReference(message, memory)
    return (
      (referred?.id === target.id && isSameKind(referred.kind, target.kind)) ||
      target.titles.some(namesTitle) ||
      target.people.some(namesPerson)
    )
  }

  /** Known people count, if the message names them. The people of a named item count too. */
  const namesDestination = async (destination: string, { target }: WriteProposal): Promise<boolean> => {
    if (plain.includes(destination)) return true
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

  const namesTexts = async (tool: WriteTool, { texts }: Parts, proposal: WriteProposal): Promise<boolean> => {
    for (const { field, text } of texts) {
      if (tool.composes?.includes(field) || isEnumerated(tool, field)) continue
      // Destinations are checked on their own.
      if (text.match(ADDRESS)) continue
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
      namesAction(tool.verbs(input as never)) &&
      (await namesTarget(proposal)) &&
      (await namesTexts(tool, parts, proposal)) &&
      namesDestinations(parts, proposal),
  }
}

const isSameKind = (referred: Item['kind'], kind: string): boolean =>
  referred === kind || (referred === 'draft' && kind === 'email')

export type WriteGuard = ReturnType<typeof createWriteGuard>

/**
 * Decides which changes of a model run without a confirmation.
 *
 * A model that has read text of others may obey that text. From then on, a change runs at once only if the message of
 * the person names it: the action, the item, and every text, day, address and host of the call. Everything else waits
 * for a confirmation. So does everything after the fifth change of a turn, and an address or host that the person did
 * not name, whatever the model has read.
 */
export const createWriteGuard = (request: GuardedRequest) => {
  const sentence = createSentence(request)
  let { hasForeignText } = request
  let writes = 0

  return {
    async allows(tool: WriteTool, input: unknown, propose: () => Promise<WriteProposal>): Promise<boolean> {
      if (writes >= MAX_WRITES) return false
      const texts = listTexts(input)
      const parts = { texts, destinations: listDestinations(texts) }
      if (!hasForeignText)
        return parts.destinations.length === 0 || sentence.namesDestinations(parts, await propose())
      return sentence.names(tool, input, parts, await propose())
    },

    noteResult({ effect, returnsOwnText }: Pick<WriteTool, 'returnsOwnText'> & { effect: string }): void {
      if (effect === 'write') writes++
      if (!returnsOwnText) hasForeignText = true
    },
  }
}
