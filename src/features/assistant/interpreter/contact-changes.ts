import { type Token, tokenize } from '../../../nlu/lexicon/lexicon.ts'
import type { ContactField, Question } from '../../../nlu/requests/questions.ts'
import { isInTime, wordsOf } from '../../../nlu/requests/sentence.ts'
import type { ToolInput } from '../tools/contracts.ts'
import type { ContactChange, ContactValues } from './ability.ts'
import { type Answer, askWhichContact, findPerson, nameOf } from './contacts.ts'
import type { AbilityHandler, InterpreterContext } from './context.ts'
import { getKnownTexts } from './known-words.ts'
import type { Item } from './memory.ts'
import type { Contact } from './people.ts'

/* Adds contacts, and changes the fields that a message gives. */

const EMAIL = /[^\s<>"'(),;:]+@[^\s<>"'(),;:@]+\.[\p{L}\p{N}-]+/u
const PHONE = /(?<![\p{L}\p{N}])\+?\(?\d[\d\s()/.-]{4,20}\d(?![\p{L}\p{N}])/u
/** The value of an address or a company follows one of these words. */
const ADDRESS_AFTER =
  /(?:\b(?:is now|is|lautet(?: jetzt)?|ist(?: jetzt)?|to|moved to|at|in|nach)\b|:)\s+(?=[^:]*\d)(.+?)[\s.!]*$/iu
const COMPANY_AFTER =
  /\b(?:works?(?: now)? (?:at|for)|working (?:at|for)|company is|employer is|arbeitet(?: jetzt)? (?:bei|für)|firma ist|bei|für)\s+(.+?)[\s.!]*$/iu

const readBirthday = ({ sentence }: Question): string | undefined => {
  const time = sentence.times.find(({ dated, start, kind }) => dated && start && kind !== 'recurrence')
  if (!time?.start) return undefined
  const day = new Date(time.start.day * 86_400_000).toISOString().slice(0, 10)
  return /\d{4}/u.test(time.text) ? day : `--${day.slice(5)}`
}

/** The values of a message, without those that it does not name. */
const readValues = (question: Question): ContactValues => {
  const { sentence, fields, has } = question
  const email = EMAIL.exec(sentence.text)?.[0]
  const phone = PHONE.exec(sentence.text.replace(EMAIL, ' '))?.[0].trim()
  const birthday = fields.includes('birthday') ? readBirthday(question) : undefined
  const isPhone =
    phone !== undefined &&
    (fields.includes('phone') || (fields.length === 0 && phone.replace(/\D/gu, '').length > 6))
  const isAddress =
    fields.includes('address') || (has('has_new') && phone === undefined && fields.length === 0)
  const address =
    isAddress && !email && sentence.times.length === 0 ? ADDRESS_AFTER.exec(sentence.text)?.[1] : undefined
  const company =
    fields.includes('company') && !has('who', 'where') ? COMPANY_AFTER.exec(sentence.text)?.[1] : undefined
  return {
    ...(email && { email }),
    ...(isPhone && birthday === undefined && address === undefined && { phone }),
    ...(birthday && { birthday }),
    ...(address && { address }),
    ...(company && { company }),
  }
}

const toAddress = (street: string) => ({
  label: '',
  street,
  city: '',
  region: '',
  postalCode: '',
  country: '',
})

const toFields = ({ phone, birthday, address, company }: ContactValues) => ({
  ...(phone && { phones: [{ label: '', number: phone }] }),
  ...(birthday && { birthday }),
  ...(address && { postalAddresses: [toAddress(address)] }),
  ...(company && { organization: company }),
})

/** A new value replaces the only old one. Otherwise it goes first. */
const mergeList = <T>(stored: readonly T[], added: T, isNew: boolean, isSame: (one: T) => boolean): T[] =>
  isNew && stored.length === 1 ? [added] : [added, ...stored.filter((one) => !isSame(one))]

const toChange = (
  contact: Contact,
  { values, isNew }: Omit<ContactChange, 'id'>,
): Omit<ToolInput<'update_contact'>, 'id'> => {
  const { phones: [phone] = [], postalAddresses: [address] = [], ...fields } = toFields(values)
  const { email } = values
  const digits = (number: string): string => number.replace(/\D/gu, '')
  return {
    ...fields,
    ...(phone && {
      phones: mergeList(
        contact.phones,
        phone,
        isNew,
        ({ number }) => digits(number) === digits(phone.number),
      ),
    }),
    ...(address && {
      postalAddresses: mergeList(
        contact.postalAddresses,
        address,
        isNew,
        ({ street }) => street === address.street,
      ),
    }),
    ...(email && {
      addresses: mergeList(
        contact.addresses.map((one) => one.address),
        email.toLowerCase(),
        isNew,
        (one) => one === email.toLowerCase(),
      ),
    }),
  }
}

export const changeContact: AbilityHandler<'change_contact'> = async (context, { id, ...change }) => {
  const { contact } = await context.callReadTool('read_contact', { id })
  const name = nameOf(contact)
  context.exchange.listedItems = [{ kind: 'contact', id, title: name }]
  const outcome = await context.callTool('update_contact', { id, ...toChange(contact, change) })
  const texts = getKnownTexts(context)
  const said = Object.entries(change.values).map(([field, value]) =>
    texts.field(field as ContactField, value),
  )
  return context.formatOutcome(outcome, context.texts.changed(name, said.join(', ')))
}

const createContact = async (
  context: InterpreterContext,
  name: string,
  values: ContactValues,
): Promise<string> => {
  const { email } = values
  // Mail may have made a contact of the address already.
  const found = email ? await context.lookUp('find_contact', { query: email, limit: 5 }) : undefined
  const known = found?.contacts.find(({ addresses }) =>
    addresses.some((one) => one.address === email?.toLowerCase()),
  )
  const input = { name, ...toFields(values) }
  const outcome = known
    ? await context.callTool('update_contact', {
        id: known.id,
        name,
        ...toChange(known, { values, isNew: false }),
      })
    : await context.callTool('create_contact', { ...input, ...(email && { addresses: [email] }) })
  const texts = getKnownTexts(context)
  if (outcome.status === 'done')
    context.exchange.listedItems = [{ kind: 'contact', id: outcome.result.id, title: name }]
  const said = Object.entries(values).map(([field, value]) => texts.field(field as ContactField, value))
  return context.formatOutcome(
    outcome,
    known ? context.texts.changed(name, said.join(', ')) : texts.addedContact(name, said.join(', ')),
  )
}

/** The words of a value name nobody. */
const withoutValues = (
  { sentence, words }: Question,
  values: ContactValues,
  isInValue: (token: Token) => boolean = () => false,
): number[] => {
  const used = new Set(
    Object.values(values).flatMap((value) => {
      const from = sentence.text.indexOf(value)
      return sentence.tokens.flatMap((token, at) =>
        from >= 0 && token.from >= from && token.to <= from + value.length ? at : [],
      )
    }),
  )
  return words.filter((at) => !used.has(at) && !isInValue(sentence.tokens[at] as Token))
}

/** The longest run of words that nothing else explains. */
const readName = ({ sentence }: Question, names: readonly number[]): string => {
  const [first] = names
  if (first === undefined) return ''
  const last = names.findLast((at, index) => at === first + index) ?? first
  return wordsOf(sentence, first, last + 1)
}

const isCreation = ({ begins, has }: Question): boolean => has('contact') && begins('add_contact')

/** Carries out a message that gives a field of a contact. Returns undefined if the message does not. */
export const changeKnownContact = async (
  context: InterpreterContext,
  question: Question,
  focus: Item | null,
): Promise<Answer | undefined> => {
  const { sentence, fields, has, types } = question
  if (/\?\s*$/u.test(sentence.text) || types.some((type) => type !== 'invoice')) return undefined
  const values = readValues(question)
  const names = withoutValues(
    question,
    values,
    (token) => values.birthday !== undefined && isInTime(sentence, token),
  )
  if (isCreation(question)) {
    const name = readName(question, names)
    const rest = names.length - tokenize(name).length
    if (name === '' || rest > 0 || Object.keys(values).length === 0) return undefined
    return { text: await createContact(context, name, values), isFound: true }
  }
  const isAboutField = fields.length > 0 || has('has_new')
  if (!isAboutField || Object.keys(values).length === 0) return undefined
  const isNew = has('has_new') || /\b(?:new|neue[nr]?|change|änder\p{L}*|jetzt|now)\b/iu.test(sentence.text)
  if (names.length === 0)
    return focus?.kind === 'contact' && has('person_pronoun', 'pronoun')
      ? { text: await changeContact(context, { id: focus.id, values, isNew }), isFound: true }
      : undefined
  const person = await findPerson(context, { sentence, words: names })
  if (!person) return undefined
  if (names.some((at) => !person.used.includes(at))) return undefined
  if ('contacts' in person) {
    const name = person.used.map((at) => sentence.tokens[at]?.text).join(' ')
    return {
      text: askWhichContact(context, name, person.contacts, (id) => ({
        ability: 'change_contact',
        arguments: { id, values, isNew },
      })),
      isFound: true,
    }
  }
  return { text: await changeContact(context, { id: person.contact.id, values, isNew }), isFound: true }
}
