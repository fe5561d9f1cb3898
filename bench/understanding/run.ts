import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { identifyLanguage } from '../../src/nlu/language.ts'
import { toInstant } from '../../src/recurrence/time-zones.ts'
import { makeDataPlace } from '../../test/support/databases.ts'
import { type Instance, type InstanceOptions, startInstance } from '../../test/support/instance.ts'
import { register } from '../../test/support/people.ts'
import { type Change, compareStates, contains, isStored, type Stored } from './outcome.ts'
import {
  type Fields,
  loadWorld,
  type Mail,
  type Person,
  readState,
  receive,
  toPerson,
  type World,
} from './world.ts'

/* Runs the sentences and dialogues against a whole instance, and judges what is stored afterwards. */

type Language = 'en' | 'de'
/** `stored`: something else was written. `answered`: nothing was written, but the answer is not the expected one. */
export type Verdict = 'right' | 'asked' | 'declined' | 'answered' | 'stored'

interface Expectation {
  stored?: Stored
  answer?: string[]
  not?: string[]
  asks?: string[]
  declines?: boolean
}
interface Turn {
  say: string
  expect: Expectation | Expectation[]
  language?: Language
}
interface MailExpectation {
  phishing?: boolean
  draft?: boolean
  actionItems?: string[]
  urgency?: string | string[]
  meeting?: boolean
  place?: string | string[]
  title?: string | string[]
}
type Entry = { id: string; class: string } & (
  | { turns: Turn[]; mail?: undefined }
  | { mail: Mail; expect: MailExpectation }
)

export interface Judgement {
  id: string
  kind: 'sentence' | 'dialogue'
  class: string
  say: string
  verdict: Verdict
  /** The answer and the changes, for people who look at the mistakes. */
  seen: string
}

const read = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8')

const readEntries = (name: string): Entry[] =>
  read(name)
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))

/** An account with the world in it. Each item gets a copy. */
const prepare = async (language: Language) => {
  const world: World = JSON.parse(read(`world.${language}.json`))
  const place = await makeDataPlace('sqlite', 'prepared')
  const startOn = async (dataDir: string): Promise<Instance> => {
    const options: InstanceOptions = {
      place: { ...place, dataDir, environment: { ...place.environment, DATA_DIR: dataDir } },
      environment: { TZ_DEFAULT: world.timezone },
    }
    const instance = await startInstance(options)
    const now = toInstant(Date.parse(`${world.now}:00Z`), world.timezone)
    instance.clock.advance(now - instance.clock.now().getTime())
    return instance
  }
  const instance = await startOn(place.dataDir)
  const { token } = await register(instance, { name: language === 'de' ? 'Robin Vogt' : 'Robin Dale' })
  await instance.call('PATCH', '/api/settings/preferences', {
    token,
    body: { timezone: world.timezone, language },
  })
  const keys = await loadWorld(toPerson(instance, token), world)
  await instance.close()
  const onCopy = async <T>(use: (person: Person) => Promise<T>): Promise<T> => {
    const dataDir = mkdtempSync(join(tmpdir(), 'factotum-understanding-'))
    cpSync(place.dataDir, dataDir, { recursive: true })
    const copy = await startOn(dataDir)
    try {
      return await use(toPerson(copy, token))
    } finally {
      await copy.close()
      rmSync(dataDir, { recursive: true, force: true })
    }
  }
  return { world, keys, onCopy, remove: () => place.remove() }
}
type Prepared = Awaited<ReturnType<typeof prepare>>

const DECLINE =
  /(?:can(?:no|')t|cannot|did not find|not (?:able|sure|understand)|don't (?:know|understand)|no \w+ (?:found|matches)|nothing|could not|kann (?:ich )?(?:\S+ ){0,6}nicht|nicht (?:verstanden|verstehe|gefunden|möglich)|kein\w* |weiß (?:ich )?nicht|outside|gehört nicht)/iu

const NEGATIVE = /^(?:no|nein|none|keine\w*|cancel|abbrechen|neither)\b/iu

/** Runs one message. Waiting actions are confirmed. `choice` answers the question of the turn before. */
const say = async (person: Person, message: string, conversationId: string | undefined) => {
  const answer = await person.post('/api/ai/chat', { message, ...(conversationId && { conversationId }) })
  const waiting = answer.actions.filter(({ status }: { status: string }) => status === 'needs_confirmation')
  return { ...answer, waiting }
}

const listOf = (expect: Turn['expect']): Expectation[] => (Array.isArray(expect) ? expect : [expect])

const describeChange = (change: Change): string =>
  change.change === 'created'
    ? `created ${change.kind} ${JSON.stringify({ ...change.fields, days: undefined })}`
    : `${change.change} ${change.reference} ${JSON.stringify(change.fields)}`

/** Runs the turns of an item on a copy of the account. Options of questions are chosen as `choices` says. */
const runTurns = async (
  { world, keys, onCopy }: Prepared,
  turns: readonly Turn[],
): Promise<{ verdict: Verdict; seen: string }[]> =>
  onCopy(async (person) => {
    const references = new Map(keys)
    let created = 0
    let conversationId: string | undefined
    let before = await readState(person, world)
    const outcomes: { verdict: Verdict; seen: string }[] = []
    for (const turn of turns) {
      const answer = await say(person, turn.say, conversationId)
      conversationId = answer.conversationId
      for (const { actionId } of answer.waiting)
        await person.post(`/api/ai/actions/${actionId}/confirm`, {}).catch(() => undefined)
      let after = await readState(person, world)
      let changes = compareStates(before, after)
      const resolve = (key: string): string | undefined => {
        const [name, day] = key.split('@') as [string, string?]
        const reference = references.get(name)
        return reference && (day ? `${reference}@${day}` : reference)
      }
      const remember = (): void => {
        for (const reference of after.keys())
          if (!before.has(reference)) references.set(`new${++created}`, reference)
      }
      const expectations = listOf(turn.expect)
      const reply: string = answer.reply.replace(/[’‘]/gu, "'")
      const asks = reply.replace(/[“„"][^”“"]*[”“"]/gu, '').includes('?')
      const isQuestion = asks || answer.question !== null || answer.waiting.length > 0
      const isLanguage = !turn.language || [turn.language, null].includes(identifyLanguage(reply) as Language)
      const isRight = (one: Expectation): boolean => {
        if (one.stored) return isStored(one.stored, changes, resolve)
        if (changes.length > 0) return false
        if (one.asks) return isQuestion && one.asks.every((words) => contains(reply, words))
        if (one.declines) return DECLINE.test(reply)
        return (
          (one.answer ?? []).every((words) => contains(reply, words)) &&
          !(one.not ?? []).some((words) => contains(reply, words))
        )
      }
      let verdict: Verdict
      const matched = expectations.find(isRight)
      if (matched && isLanguage) verdict = matched.asks ? 'asked' : 'right'
      else if (changes.length > 0) verdict = 'stored'
      else {
        verdict = DECLINE.test(reply) && !isQuestion ? 'declined' : 'answered'
        const option = answer.question?.options.find((label: string) => !NEGATIVE.test(label))
        if (option !== undefined && expectations.some(({ stored }) => stored)) {
          const second = await say(person, option, conversationId)
          for (const { actionId } of second.waiting)
            await person.post(`/api/ai/actions/${actionId}/confirm`, {}).catch(() => undefined)
          after = await readState(person, world)
          changes = compareStates(before, after)
          if (expectations.some((one) => one.stored && isRight(one)) && isLanguage) verdict = 'asked'
        }
      }
      remember()
      outcomes.push({
        verdict,
        seen: [`“${reply.replace(/\s+/g, ' ')}”`, ...changes.map(describeChange)].join('\n      '),
      })
      before = after
    }
    return outcomes
  })

const among = (wanted: string | string[] | undefined, actual: string | null | undefined): boolean =>
  wanted === undefined || [wanted].flat().some((one) => one.toLowerCase() === `${actual ?? ''}`.toLowerCase())

/** Judges what is read in a mail. */
const runMail = async (
  { world, onCopy }: Prepared,
  mail: Mail,
  expect: MailExpectation,
): Promise<{ verdict: Verdict; seen: string }> =>
  onCopy(async (person) => {
    const id = await receive(
      person,
      mail,
      new Date(toInstant(Date.parse(`${world.now}:00Z`), world.timezone) - 60_000).toISOString(),
      'judged',
    )
    const analysis = await person.post('/api/ai/email-intelligence', { emailId: id })
    const { answerable } = await person.post(`/api/emails/${id}/reply-draft`, {})
    const mine = analysis.actionItems.filter(({ owner }: Fields) => owner === 'me')
    const urgency = analysis.urgency.level === 'critical' ? 'urgent' : analysis.urgency.level
    const [meeting = null] = analysis.meetings
    const isPhishing = analysis.insights.some(({ kind }: Fields) => kind === 'phishing')
    const wrong = Object.entries({
      phishing: expect.phishing === undefined || expect.phishing === isPhishing,
      draft: expect.draft === undefined || expect.draft === answerable,
      actionItems:
        expect.actionItems === undefined ||
        (expect.actionItems.length === mine.length &&
          expect.actionItems.every((words) =>
            mine.some(({ text, title }: Fields) => contains(`${text} ${title}`, words)),
          )),
      urgency: among(expect.urgency, urgency),
      meeting: expect.meeting === undefined || expect.meeting === (meeting !== null),
      place: among(expect.place, meeting?.location),
      title: among(expect.title, meeting?.title),
    })
      .filter(([, isRight]) => !isRight)
      .map(([name]) => name)
    return {
      verdict: wrong.length === 0 ? 'right' : 'answered',
      seen: `wrong: ${wrong.join(', ')}; ${JSON.stringify({ isPhishing, answerable, mine, urgency, meeting })}`,
    }
  })

/** Runs all items of a language. `isWanted` selects some of them. */
export const judgeLanguage = async (
  language: Language,
  { isHeld, isWanted }: { isHeld: boolean; isWanted: (id: string) => boolean },
): Promise<Judgement[]> => {
  const prepared = await prepare(language)
  const judgements: Judgement[] = []
  try {
    for (const kind of ['sentence', 'dialogue'] as const)
      for (const entry of readEntries(`${isHeld ? 'held-' : ''}${kind}s.${language}.jsonl`)) {
        if (!isWanted(entry.id)) continue
        const about = { id: entry.id, kind, class: entry.class }
        if (entry.mail) {
          const outcome = await runMail(prepared, entry.mail, (entry as { expect: MailExpectation }).expect)
          judgements.push({ ...about, say: entry.mail.subject, ...outcome })
          continue
        }
        const turns = (entry as { turns: Turn[] }).turns
        const outcomes = await runTurns(prepared, turns)
        if (kind === 'dialogue')
          for (const [at, outcome] of outcomes.entries())
            judgements.push({
              ...about,
              id: `${entry.id}/${at + 1}`,
              say: turns[at]?.say as string,
              ...outcome,
            })
        else {
          // A sentence may need a turn before it. The last turn is judged, if those before it were right.
          const last = outcomes.at(-1) as (typeof outcomes)[number]
          judgements.push({ ...about, say: turns.at(-1)?.say as string, ...last })
        }
      }
  } finally {
    await prepared.remove()
  }
  return judgements
}
