import type { ContactField, Question } from '../../../nlu/requests/questions.ts'
import type { ToolResult } from '../tools/contracts.ts'
import type { ContactFact } from './ability.ts'
import type { AbilityHandler, InterpreterContext } from './context.ts'
import { getKnownTexts } from './known-words.ts'
import type { Item, Option } from './memory.ts'
import { addressOf, type Contact, findPeople } from './people.ts'

/* Answers questions about contacts: their fields, and the last email of a person. */

type ReadContact = ToolResult<'read_contact'>

const DAY_MS = 86_400_000
const FIELDS: readonly ContactField[] = ['phone', 'email', 'address', 'birthday', 'company']

/** Birthdays without a year begin with two dashes. */
const describeBirthday = (context: InterpreterContext, birthday: string): string => {
  const texts = getKnownTexts(context)
  const today = context.wall(new Date(context.now).toISOString())
  const [year, rest] = birthday.startsWith('--')
    ? [undefined, birthday.slice(2)]
    : [Number(birthday.slice(0, 4)), birthday.slice(5)]
  const thisYear = new Date(today).getUTCFullYear()
  const toDay = (of: number): number => Date.parse(`${of}-${rest}T00:00Z`)
  const isPast = toDay(thisYear) < Math.floor(today / DAY_MS) * DAY_MS
  const next = isPast ? thisYear + 1 : thisYear
  const date = context.format(
    { day: 'numeric', month: 'long', ...(year !== undefined && { year: 'numeric' }) },
    year === undefined ? toDay(next) : Date.parse(`${birthday}T00:00Z`),
    'UTC',
  )
  if (year === undefined) return date
  const age = next - year
  return `${date} (${texts.ages(isPast || toDay(next) > today ? age - 1 : age, age, context.day(toDay(next), 'UTC'))})`
}

const describeAddress = ({ street, postalCode, city, region, country }: Contact['postalAddresses'][number]) =>
  [street.replaceAll('\n', ', '), `${postalCode} ${city}`.trim(), region, country]
    .filter((part) => part !== '')
    .join(', ')

const withLabel = (value: string, label: string): string => (label === '' ? value : `${value} (${label})`)

const listValues = (context: InterpreterContext, contact: Contact, field: ContactField): string[] => {
  const { phones, addresses, postalAddresses, birthday, organization, jobTitle } = contact
  switch (field) {
    case 'phone':
      return phones.map(({ number, label }) => withLabel(number, label))
    case 'email':
      return addresses.map(({ address, label }) => withLabel(address, label))
    case 'address':
      return postalAddresses.map((one) => withLabel(describeAddress(one), one.label))
    case 'birthday':
      return birthday === '' ? [] : [describeBirthday(context, birthday)]
    case 'company':
      return [organization, jobTitle].filter((part) => part !== '')
  }
}

const describeLastEmail = (context: InterpreterContext, { lastEmail }: ReadContact): string | undefined => {
  const { texts, formatInstant } = context
  const { subject, snippet, date } = lastEmail ?? {}
  if (!date) return undefined
  return getKnownTexts(context).lastEmail(
    formatInstant(date),
    texts.quote(subject ?? ''),
    snippet ? texts.quote(snippet) : '',
  )
}

/** A contact that mail has made may have no name. */
export const nameOf = ({ name, organization, addresses }: Contact): string =>
  name || organization || addresses[0]?.address || ''

export const tellContact: AbilityHandler<'tell_contact'> = async (context, { id, facts, unused }) => {
  const read = await context.callReadTool('read_contact', { id })
  const texts = getKnownTexts(context)
  const { contact } = read
  const name = nameOf(contact)
  context.exchange.listedItems = [{ kind: 'contact', id, title: name }]
  const isWhole = facts.includes('everything')
  const fields = isWhole ? FIELDS : FIELDS.filter((field) => facts.includes(field))
  const known = fields.map((field) => ({ field, values: listValues(context, contact, field) }))
  const lines = known.flatMap(({ field, values }) =>
    values.length > 0 ? texts.field(field, values.join('; ')) : isWhole ? [] : texts.noField(field, name),
  )
  if (isWhole || facts.includes('last_email'))
    lines.push(describeLastEmail(context, read) ?? texts.noEmail(name))
  const isKnown = known.some(({ values }) => values.length > 0)
  const [only] = lines
  const body =
    lines.length === 1 && !isKnown && only !== undefined
      ? only
      : `${name}:\n${lines.map((line) => `- ${line}`).join('\n')}`
  return [body, isKnown && texts.fromContacts, unused && texts.unused(unused)].filter(Boolean).join('\n')
}

/** The contact that a message names, or the one of the conversation. */
export type Person =
  | { contact: Contact; used: readonly number[] }
  | { contacts: readonly Contact[]; used: readonly number[] }
  | undefined

/** Finds the contacts that share most of the free words of a message. */
export const findPerson = async (
  context: InterpreterContext,
  { sentence, words: candidates }: Pick<Question, 'sentence' | 'words'>,
): Promise<Person> => {
  const words = candidates.map((at) => ({ at, text: sentence.tokens[at]?.text ?? '' }))
  const people = await findPeople(
    context,
    words.map(({ text }) => text),
  )
  const scores = new Map<number, { contact: Contact; used: number[] }>()
  for (const { at, text } of words)
    for (const contact of people.find(text)) {
      const score = scores.get(contact.id) ?? { contact, used: [] }
      score.used.push(at)
      scores.set(contact.id, score)
    }
  const most = Math.max(0, ...[...scores.values()].map(({ used }) => used.length))
  const best = [...scores.values()].filter(({ used }) => used.length === most)
  const [first] = best
  if (!first) return undefined
  return best.length === 1
    ? { contact: first.contact, used: first.used }
    : { contacts: best.map(({ contact }) => contact), used: first.used }
}

/** Asks which of several contacts is meant. */
export const askWhichContact = (
  context: InterpreterContext,
  name: string,
  contacts: readonly Contact[],
  toIntent: (id: number) => Option['intent'],
): string =>
  context.askWhich(
    (list) => context.texts.abilities.whichPerson(name, list),
    contacts
      .slice(0, 5)
      .map((one): Option => ({ label: addressOf(one) ?? nameOf(one), intent: toIntent(one.id) })),
  )

const listFacts = ({ fields, has }: Question): ContactFact[] => {
  if (has('wrote') && has('last')) return ['last_email']
  if (fields.length > 0) return [...fields]
  return has('who_is') ? ['everything'] : []
}

/** Lists the questions of a person that wait for an answer, or tells the last email. */
const tellRequests = async (
  context: InterpreterContext,
  { contact }: { contact: Contact },
): Promise<string> => {
  const { waiting } = await context.callReadTool('find_unanswered', {})
  const own = contact.addresses.map(({ address }) => address.toLowerCase())
  const asked = waiting.filter(({ from }) => own.includes(from.address.toLowerCase()))
  context.exchange.listedItems = asked.map(({ emailId, subject }) => ({
    kind: 'email',
    id: emailId,
    title: subject,
  }))
  if (asked.length === 0) return tellContact(context, { id: contact.id, facts: ['last_email'] })
  const name = nameOf(contact)
  const lines = asked.map(({ subject, asks }) =>
    asks.length > 0 ? `${subject}: ${asks.map(context.texts.quote).join(', ')}` : subject,
  )
  return `${name}:\n${lines.map((line) => `- ${line}`).join('\n')}`
}

/** "Where does Ines work": some words ask for a field only beside others. */
const isFieldAsked = ({ fields, has, sentence }: Question): boolean => {
  if (fields.includes('email') && fields.length === 1)
    return (
      /(?:address|adresse)/iu.test(sentence.text) ||
      !has('wrote', 'last') ||
      /['’]s?\s+e?-?mail/iu.test(sentence.text)
    )
  return !fields.includes('company') || has('where', 'who', 'question', 'tell')
}

export interface Answer {
  text: string
  /** False if other readings of the message should be tried first. */
  isFound: boolean
}

/** Answers a question about a contact. Returns undefined if the message is none. */
export const answerContactQuestion = async (
  context: InterpreterContext,
  question: Question,
  focus: Item | null,
): Promise<Answer | undefined> => {
  const facts = listFacts(question)
  const { sentence, names, words, has, types, isAsking, isWorded } = question
  if (isAsking && has('of_me')) {
    const person = await findPerson(context, question)
    if (person && 'contact' in person) return { text: await tellRequests(context, person), isFound: true }
  }
  if (facts.length === 0 || !isAsking || types.length > 0 || !isFieldAsked(question)) return undefined
  const texts = getKnownTexts(context)
  const wordsOf = (at: readonly number[]): string => at.map((one) => sentence.tokens[one]?.text).join(' ')
  if (words.length === 0) {
    if (focus?.kind !== 'contact' || !(has('person_pronoun') || sentence.tokens.length <= 5)) return undefined
    return { text: await tellContact(context, { id: focus.id, facts }), isFound: true }
  }
  const person = await findPerson(context, question)
  if (!person) {
    const isExplicit =
      facts.some((fact) => fact === 'phone' || fact === 'birthday') || /address|adresse/iu.test(sentence.text)
    const isCertain = isWorded && isExplicit
    return isCertain && names.length <= 3
      ? { text: texts.noContact(wordsOf(names)), isFound: false }
      : undefined
  }
  const rest = names.filter((at) => !person.used.includes(at))
  // With many other words the message is about something else.
  if (rest.length > 2 || (rest.length > 0 && facts.includes('everything'))) return undefined
  const unused = [
    ...rest.map((at) => sentence.tokens[at]?.text),
    ...sentence.times.map(({ text }) => text),
  ].join(' ')
  const given = { facts, ...(unused !== '' && { unused }) }
  if ('contacts' in person)
    return {
      text: askWhichContact(context, wordsOf(person.used), person.contacts, (id) => ({
        ability: 'tell_contact',
        arguments: { id, ...given },
      })),
      isFound: true,
    }
  return { text: await tellContact(context, { id: person.contact.id, ...given }), isFound: true }
}
