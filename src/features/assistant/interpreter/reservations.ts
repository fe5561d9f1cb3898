import { nameSameThing } from '../../../nlu/requests/mentions.ts'
import { type Question, readPeriods } from '../../../nlu/requests/questions.ts'
import { hasPhrase } from '../../../nlu/requests/sentence.ts'
import type { ToolResult } from '../tools/contracts.ts'
import type { Answer } from './contacts.ts'
import { DAY_MS, type InterpreterContext, toIso } from './context.ts'
import { getKnownTexts } from './known-words.ts'
import type { Item } from './memory.ts'

/* Answers questions about trips, stays, parcels and bills from what emails confirmed. The text of emails is not searched. */

type Reservation = ToolResult<'list_reservations'>['reservations'][number]
type Time = NonNullable<Reservation['start']>

const DUE = /^(?:due|owing|faellig)$/u
const DAYS_BEFORE = 60
const MAX_LISTED = 8

const describeTime = (context: InterpreterContext, { instant, local, timezone }: Time): string => {
  const day = context.day(instant, timezone)
  if (local.length === 10) return day
  const clock = context.format({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }, instant, timezone)
  return `${day}, ${clock}`
}

const describeTimes = (context: InterpreterContext, one: Reservation): string => {
  const texts = getKnownTexts(context)
  const { type, start, end } = one
  if (type === 'invoice') return end ? texts.due(describeTime(context, end)) : ''
  if (type === 'parcel' || type === 'order') return end ? texts.delivery(describeTime(context, end)) : ''
  if (!start) return end ? `${texts.until} ${describeTime(context, end)}` : ''
  const isElsewhere = start.local.length > 10 && start.timezone !== context.timezone
  const range = end
    ? `${describeTime(context, start)} ${texts.until} ${describeTime(context, end)}`
    : describeTime(context, start)
  return isElsewhere ? `${range} (${texts.localTime})` : range
}

const describePrice = ({ texts }: InterpreterContext, { price, currency }: Reservation): string => {
  if (price === null) return ''
  const isCode = currency !== null && /^[A-Z]{3}$/u.test(currency)
  return new Intl.NumberFormat(texts.locale, {
    ...(isCode ? { style: 'currency', currency } : { minimumFractionDigits: 2 }),
  }).format(price)
}

const placeOf = ({ type, from, to }: Reservation): string => {
  const places = ['hotel', 'restaurant', 'event', 'parcel'].includes(type) ? [to] : [from, to]
  return places
    .map((place) => place?.address ?? place?.name ?? '')
    .filter((name) => name !== '')
    .join(' → ')
}

/** The title of a bill is that of its task, and a stay or table may have the name of its sender only. */
const headingOf = ({ type, title, name, provider, trip, from, to, email }: Reservation): string => {
  const sender = email.from.name || email.from.address
  if (type === 'invoice' || type === 'parcel' || type === 'order') return provider ?? sender
  const isNamed = name ?? provider ?? trip ?? from ?? to
  return isNamed ? title : `${title} ${sender}`
}

const describeReservation = (context: InterpreterContext, one: Reservation, isWhole: boolean): string => {
  const texts = getKnownTexts(context)
  const { type, number, seat, platform, party, status } = one
  const title = headingOf(one)
  const place = placeOf(one)
  return [
    [title, describeTimes(context, one)].filter((part) => part !== '').join(': '),
    // An invoice that is not paid yet is pending.
    type !== 'invoice' || status !== 'pending' ? texts.status[status] : '',
    describePrice(context, one),
    ...(isWhole
      ? [
          !title.includes(place) && place,
          number && !title.includes(number) && texts.reference(number),
          seat && texts.seat(seat),
          platform && texts.platform(platform),
          party && texts.party(party),
        ]
      : []),
  ]
    .filter(Boolean)
    .join(', ')
}

/** The texts that a person may name a reservation by. */
const listNames = ({ title, name, provider, trip, number, from, to, articles, email }: Reservation): string =>
  [
    title,
    name,
    provider,
    trip,
    number,
    ...[from, to].flatMap((place) => [place?.name, place?.code, place?.address]),
  ]
    .concat(articles, email.subject, email.from.name)
    .filter(Boolean)
    .join(' ')

const isInPeriod = (context: InterpreterContext, { sentence }: Question, one: Reservation): boolean => {
  const time = one.start ?? one.end
  const dayOf = ({ instant }: Time): number => Math.floor(context.wall(instant) / DAY_MS)
  return readPeriods(sentence).every(
    ({ first, last }) =>
      time !== null &&
      dayOf(time) <= last &&
      dayOf(one.type === 'invoice' ? time : (one.end ?? time)) >= first,
  )
}

const isDone = ({ status }: Reservation): boolean => ['cancelled', 'paid', 'delivered'].includes(status)

type AskedName = keyof ReturnType<typeof getKnownTexts>['asked']

/** A question may ask for fields that the email does not give. */
const listMissing = ({ has, fields }: Question, one: Reservation): AskedName[] => {
  const asked: readonly [AskedName, boolean, unknown][] = [
    ['when', has('when'), one.start ?? one.end],
    ['until_when', has('until_when'), one.end],
    ['address', fields.includes('address'), (one.to ?? one.from)?.address],
    ['how_much', has('how_much'), one.price],
    ['reference', has('reference'), one.number],
    ['seat', has('seat'), one.seat],
    ['platform', has('platform'), one.platform],
    ['party', has('how_many'), one.party],
  ]
  return asked.flatMap(([name, isAsked, value]) => (isAsked && value == null ? name : []))
}

/** The title finds the reservation again among those of its email. */
const toItem = ({ email, title }: Reservation): Item => ({ kind: 'reservation', id: email.id, title })

const tellReservations = (
  context: InterpreterContext,
  question: Question,
  found: readonly Reservation[],
): string => {
  const texts = getKnownTexts(context)
  const [one, other] = found
  if (!one) return texts.noReservation
  context.exchange.listedItems = found.slice(0, MAX_LISTED).map(toItem)
  if (other)
    return context.formatList(
      found.slice(0, MAX_LISTED).map((each) => describeReservation(context, each, false)),
      texts.noReservation,
      found.length > MAX_LISTED,
    )
  const { from, subject, date } = one.email
  return [
    describeReservation(context, one, true),
    ...listMissing(question, one).map((name) => texts.notGiven(texts.asked[name])),
    texts.fromEmail(from.name || from.address, subject, context.day(date)),
  ].join('\n')
}

const COMPOUND = /(?<=\p{L}{3})rechnung(?:en)?$/u

/** "Stromrechnung" prefers a bill whose email has that word. Others are possible. */
const preferByType = ({ sentence, at }: Question, fits: readonly Reservation[]): readonly Reservation[] => {
  const words = [...at('bill')]
    .map((index) => sentence.tokens[index]?.folded ?? '')
    .filter((word) => COMPOUND.test(word))
  const preferred = fits.filter((one) => words.some((word) => nameSameThing(word, listNames(one))))
  return preferred.length > 0 ? preferred : fits
}

const select = (
  context: InterpreterContext,
  question: Question,
  all: readonly Reservation[],
): { found: readonly Reservation[]; unused: string } => {
  const { sentence, names, has } = question
  const words = names.map((at) => ({ at, word: sentence.tokens[at]?.folded ?? '' }))
  const scored = all.map((one) => {
    const text = listNames(one)
    return { one, used: words.filter(({ word }) => nameSameThing(word, text)).map(({ at }) => at) }
  })
  const most = Math.max(0, ...scored.map(({ used }) => used.length))
  const best = scored.filter(({ used }) => used.length === most)
  const used = best[0]?.used ?? []
  const unused = names.filter((at) => !used.includes(at)).map((at) => sentence.tokens[at]?.text)
  const inPeriod = best.map(({ one }) => one).filter((one) => isInPeriod(context, question, one))
  const active = inPeriod.filter((one) => !isDone(one))
  const isLater = (one: Reservation): boolean =>
    Date.parse((one.end ?? one.start)?.instant ?? one.email.date) > context.now - DAY_MS ||
    one.type === 'invoice'
  const upcoming = active.filter(isLater)
  const isBillToPay = has('open', 'to_pay')
  const fits = upcoming.length > 0 ? upcoming : isBillToPay ? active : active.length > 0 ? active : inPeriod
  return { found: preferByType(question, fits), unused: unused.join(' ') }
}

/** Answers a question about reservations or bills. Returns undefined if the message is none. */
export const answerReservationQuestion = async (
  context: InterpreterContext,
  question: Question,
  focus: Item | null,
): Promise<Answer | undefined> => {
  const { types, has, at, isAsking, isWorded, names, sentence, fields } = question
  const asksDetail =
    has('when', 'until_when', 'where', 'how_much', 'reference', 'seat', 'platform', 'how_many', 'to_pay') ||
    fields.includes('address')
  const isAboutFocus =
    focus?.kind === 'reservation' && names.length === 0 && asksDetail && sentence.tokens.length <= 8
  if (hasPhrase(sentence, 'task', 'list', 'mail')) return undefined
  if (!isAsking || (!isAboutFocus && (types.length === 0 || has('paid')))) return undefined
  // "Trip", "reservation" and "due" alone are words of events and tasks, too.
  const isDue = [...at('to_pay')].every((index) => DUE.test(sentence.tokens[index]?.folded ?? ''))
  const isVague = !has('flight', 'train', 'hotel', 'restaurant', 'parcel', 'bill') && isDue
  const from = toIso(context.now - DAYS_BEFORE * DAY_MS)
  const found = await context.lookUp('list_reservations', {
    ...(types.length > 0 && { types: [...types] }),
    from,
    limit: 50,
  })
  const all = found?.reservations ?? []
  if (isAboutFocus) {
    const one = all.find(({ email, title }) => email.id === focus.id && title === focus.title)
    if (one) return { text: tellReservations(context, question, [one]), isFound: true }
  }
  if (types.length === 0 || (isVague && names.length === 0 && !has('trip'))) return undefined
  const texts = getKnownTexts(context)
  const selected = select(context, question, all)
  const isNamed = selected.unused === ''
  if (!isNamed && !isWorded) return undefined
  if (selected.found.length === 0 || (!isNamed && (isVague || names.length > 4)))
    return isVague || !isWorded ? undefined : { text: texts.noReservation, isFound: false }
  const text = tellReservations(context, question, selected.found)
  const hasPart = selected.unused.split(' ').length < names.length
  return {
    text: isNamed
      ? text
      : hasPart
        ? `${text}\n${texts.unused(selected.unused)}`
        : `${texts.noneNamed(selected.unused)}\n${text}`,
    isFound: isNamed || hasPart,
  }
}
