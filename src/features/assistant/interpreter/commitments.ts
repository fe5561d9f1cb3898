import type { Commitment } from '../../commitments/commitment.ts'
import type { InterpreterContext } from './context.ts'

/** A question about promises, or the request to close one. */
export interface CommitmentRequest {
  direction?: Commitment['direction']
  person?: string
  overdue?: true
  close?: true
}

const ABOUT_PROMISES =
  /(?<!\p{L})(?:promis(?:e|es|ed)|commitments?|owes?|versprochen|versprechen|zugesagt|zusagen?|schulde[tn]?|schuldest)(?!\p{L})/iu
const ASKS =
  /^(?:(?:please|hey|ok|bitte|so)[\s,]+)*(?:what|which|who|whom|show|list|tell me|are there|any|do i|did i|have i|does|did|has|was|welche|wer|wem|zeig|liste|nenne|gibt es|habe? ich|hat|schulde ich|my (?:open |overdue )?promises|meine (?:offenen |überfälligen )?zusagen|(?:open|overdue) promises|(?:offene|überfällige) zusagen|promises|zusagen)(?!\p{L})/iu
const CLOSES =
  /^(?:(?:please|bitte)\s+)?(?:(?:mark|close|set|check off)(?!\p{L}).{0,80}promise|(?:hake?|markiere|schließe?)(?!\p{L}).{0,80}zusage|i (?:have )?kept my promise|ich habe meine zusage)/iu

const MINE =
  /(?<!\p{L})(?:(?:did|have) i (?:\p{L}+ ){0,2}promised?|i (?:have )?promised|do i owe|i owe|my (?:\p{L}+ )?promises?|habe? ich|schulde ich|meine?n? (?:\p{L}+ )?zusagen?)(?!\p{L})/iu
const THEIRS =
  /(?<!\p{L})(?:(?:promised?|owes?) me|to me|hat mir|haben mir|schuldet mir|mir (?:\p{L}+ ){0,3}(?:versprochen|zugesagt)|schulden mir|an mich)(?!\p{L})/iu
const OVERDUE = /(?<!\p{L})(?:overdue|late|überfällig\p{L}*|verspätet\p{L}*)(?!\p{L})/iu

const NAME = "(\\p{L}[\\p{L}’'.@-]*(?: \\p{Lu}[\\p{L}’'-]*)?)"
const PERSONS: readonly string[] = [
  `(?:did|have) i (?:\\p{L}+ )?promised? (?:to )?${NAME}`,
  `i owe ${NAME}`,
  `(?:does|did|has|do) ${NAME} (?:still )?(?:owe|promised?)`,
  `${NAME} (?:owes|promised) me`,
  `promises? (?:of|from|by|to) ${NAME}`,
  `habe? ich ${NAME} (?:\\p{L}+ )?(?:versprochen|zugesagt)`,
  `schulde ich ${NAME}`,
  `schuldet mir ${NAME}`,
  `schuldet ${NAME} mir`,
  `hat (?:mir )?${NAME} (?:mir )?(?:\\p{L}+ )?(?:versprochen|zugesagt)`,
  `zusagen? (?:von|an) ${NAME}`,
]
/** Words in the place of a name that name nobody. */
const NOBODY =
  /^(?:me|mir|mich|anyone|anybody|someone|somebody|everyone|people|who|what|i|ich|you|du|jemand|jemandem|wem|wer|alle|allen|still|noch|other|others|anderen|this|that|today|heute)$/iu

const findPerson = (message: string): string | undefined => {
  for (const source of PERSONS) {
    const [first = '', second = ''] =
      new RegExp(`(?<!\\p{L})${source}(?!\\p{L})`, 'iu')
        .exec(message)?.[1]
        ?.replace(/[?.!]+$/u, '')
        .split(' ') ?? []
    const name = /^\p{Lu}/u.test(second) ? `${first} ${second}` : first
    if (name && !NOBODY.test(name)) return name.replace(/(?<=\p{Ll})['’]s$/u, '')
  }
  return undefined
}

/** Reads a question about promises. Other sentences with these words go to the intent classifier. */
export const readCommitmentRequest = (message: string): CommitmentRequest | undefined => {
  const words = message.trim().slice(0, 300)
  const isClosing = CLOSES.test(words)
  if (!isClosing && !(ABOUT_PROMISES.test(words) && ASKS.test(words))) return undefined
  const person = findPerson(words)
  const direction = THEIRS.test(words) ? 'theirs' : MINE.test(words) ? 'mine' : undefined
  return {
    ...(direction && { direction }),
    ...(person !== undefined && { person }),
    ...(OVERDUE.test(words) && { overdue: true }),
    ...(isClosing && { close: true }),
  }
}

const TEXTS = {
  en: {
    none: 'No open promises found.',
    mine: (name: string) => `You to ${name}`,
    theirs: (name: string) => `${name} to you`,
    overdue: 'overdue',
    closed: (text: string) => `Done: “${text}”.`,
    which: 'Which promise? Open it on the Promises page, or name the person:',
  },
  de: {
    none: 'Keine offenen Zusagen gefunden.',
    mine: (name: string) => `Du an ${name}`,
    theirs: (name: string) => `${name} an dich`,
    overdue: 'überfällig',
    closed: (text: string) => `Erledigt: „${text}“.`,
    which: 'Welche Zusage? Öffne sie auf der Seite „Zusagen“, oder nenne die Person:',
  },
}

const describe = (context: InterpreterContext, promise: Commitment): string => {
  const { texts, day, formatInstant } = context
  const words = TEXTS[texts.locale.startsWith('de') ? 'de' : 'en']
  const { direction, person, text, dueAt, dueDay, isOverdue } = promise
  const due =
    dueAt === null
      ? ''
      : ` (${isOverdue ? `${words.overdue}, ` : ''}${texts.details.due(dueDay === null ? formatInstant(dueAt) : day(dueAt))})`
  return `${words[direction](person.name || person.address)}: ${text}${due}`
}

/** Lists promises, or closes the only one that fits. */
export const answerCommitmentRequest = async (
  context: InterpreterContext,
  { close, ...search }: CommitmentRequest,
): Promise<string> => {
  const { texts, callReadTool, formatList, callTool, formatOutcome } = context
  const words = TEXTS[texts.locale.startsWith('de') ? 'de' : 'en']
  const { commitments: items, more } = await callReadTool('list_commitments', { ...search, limit: 20 })
  const [only] = items
  if (close && only && items.length === 1)
    return formatOutcome(await callTool('close_commitment', { id: only.id }), words.closed(only.text))
  const list = formatList(
    items.map((promise) => describe(context, promise)),
    words.none,
    more,
  )
  return close && items.length > 1 ? `${words.which}\n${list}` : list
}
