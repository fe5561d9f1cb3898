import { readFileSync } from 'node:fs'
import { type Letter, type MailKind, toMailBlocks } from '../../src/nlu/mail/kind.ts'
import { loadCases, loadTrainingCases } from '../nlu/data.ts'
import { readKindMails } from '../nlu/mail-kinds.ts'
import { type Example, trainLinear } from './linear.ts'
import { createRandom } from './svm.ts'

type LabelledMail = Letter & { kind: MailKind }

const readPatterns = (): Map<string, string[]> => {
  const lists = new Map<string, string[]>()
  let list: string[] = []
  for (const line of readFileSync(new URL('./mail-patterns.txt', import.meta.url), 'utf8').split('\n')) {
    const name = /^\[(.+)\]$/.exec(line)?.[1]
    if (name) {
      list = []
      lists.set(name, list)
    } else if (line !== '' && !line.startsWith('#')) list.push(line)
  }
  return lists
}

const KINDS: readonly (readonly [MailKind, number])[] = [
  ['phishing', 1200],
  ['ordinary', 1800],
  ['emergency', 600],
  ['dunning', 600],
]

const SHORT = 0.3

/** Composes mails from the patterns, half of them in German. */
const generateMails = (): LabelledMail[] => {
  const random = createRandom(11)
  const lists = readPatterns()
  const pick = (list: readonly string[]): string => list[Math.floor(random() * list.length)] as string
  const fill = (pattern: string): string =>
    pattern
      .replace(/<([^<>]*\|[^<>]*)>/g, (_, options: string) => pick(options.split('|')))
      .replace(/\{(\w+)\}/g, (whole, name: string) =>
        name === 'same' ? whole : fill(pick(lists.get(name) as string[])),
      )
      .replaceAll('\\n', '\n')
  const write = (kind: MailKind, language: string): LabelledMail => {
    const parts = [...lists].filter(([name]) => name.startsWith(`${language} ${kind} `))
    const line = (name: string): string => fill(pick(lists.get(`${language} ${kind} ${name}`) as string[]))
    const body = parts
      .filter(([name]) => !/ (?:from|subject)$/.test(name))
      .filter(([name]) => !name.endsWith('?') || random() < 0.5)
      .map(([, options]) => fill(pick(options)))
    // Some mails are a single sentence.
    const isShort = random() < SHORT
    const from = line('from')
    const same = from.replace(/^.*@|>$/g, '')
    const text = (isShort ? pick(body.slice(1, -1)) : body.join(random() < 0.5 ? '\n\n' : ' ')).replaceAll(
      '{same}',
      `www.${same}`,
    )
    return { kind, from, subject: isShort ? '' : line('subject'), text }
  }
  return KINDS.flatMap(([kind, count]) =>
    Array.from({ length: count }, (_, index) => write(kind, index % 2 === 0 ? 'de' : 'en')),
  )
}

interface PublicMail {
  from?: string
  subject?: string
  title?: string
  text?: string
  text_start?: string
}

/** Public mails under free licences. None of them is kept that asks for a password. */
const loadPublicMails = (): LabelledMail[] =>
  [
    ...loadTrainingCases<PublicMail>('qa-agentdojo-inbox', 'mails').filter(
      ({ text = '' }) => !/password/i.test(text),
    ),
    ...loadTrainingCases<PublicMail>('mail-injection', 'benign'),
    ...loadCases<PublicMail>('html-mails', 'index'),
  ].map(({ from = '', subject, title, text, text_start: start }) => ({
    kind: 'ordinary',
    from,
    subject: subject ?? title ?? '',
    text: text ?? start ?? '',
  }))

/** The written mails are few, so each counts several times. */
const WRITTEN_REPEATS = 12

export const trainMails = (): { json: string; note: string } => {
  const written = readKindMails().filter(({ part }) => part === 'train')
  const mails = [
    ...generateMails(),
    ...loadPublicMails(),
    ...Array.from({ length: WRITTEN_REPEATS }, () => written).flat(),
  ]
  const examples = mails.map((mail): Example => ({ blocks: toMailBlocks(mail), label: mail.kind }))
  const packed = trainLinear(examples, { cost: 1, rounds: 10, maxWeights: 40_000 })
  const origin =
    'Made by bench/train.ts from mails of the project, AgentDojo, LLMail-Inject (MIT) and public mail templates (MIT, Apache-2.0, BSD).'
  return {
    json: `${JSON.stringify({ origin, ...packed }, null, 2)}\n`,
    note: `${mails.length} mails, ${packed.features} features`,
  }
}
