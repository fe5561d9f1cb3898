/*
 * Writes plain letters from a prompt without a language model: thanks, decline, accept, ask, remind, move a meeting,
 * apology; in English and German. Names, subjects, dates and reasons come from the prompt, nothing is invented. A
 * prompt that asks for anything else gives undefined.
 */

import { identifyLanguage } from '../language.ts'
import { readSections } from '../lexicon/sections.ts'
import { createWordPatterns } from '../lexicon/word-patterns.ts'
import { fitLength, readLength } from './length.ts'
import { NAME, readFacts } from './letter-facts.ts'
import type { Language } from './words.ts'

const KINDS = ['move', 'decline', 'accept', 'remind', 'apology', 'thanks', 'ask'] as const
export type LetterKind = (typeof KINDS)[number]

const FILE = new URL('../lexicon/letters.txt', import.meta.url)
const { patternOf, wordsOf } = createWordPatterns(FILE)

/** Longer prompts ask for more than a plain letter. */
const MAX_PROMPT_LENGTH = 600

const IN_LANGUAGE: readonly (readonly [RegExp, Language])[] = [
  [/\b(?:in german|auf deutsch|deutsche[nrs]? (?:mail|e-mail|nachricht|brief))\b/i, 'de'],
  [/\b(?:in english|auf englisch|englische[nrs]? (?:mail|e-mail|nachricht|brief))\b/i, 'en'],
]

interface Request {
  kind: LetterKind
  language: Language
  /** For example "Ana", "Mr Weber" or "Frau Koch"; empty if unknown. */
  recipient: string
  /** The prompt without language, length and tone. */
  prompt: string
}

const TO_NAME = new RegExp(
  `(?<!\\p{L})(?:[Tt]o|[Tt]hank(?:s|ing)?|[Rr]emind(?:s|ing)?|[Aa]sk(?:s|ing)?|[Tt]ell|[Ee]-?mail|[Ww]rite|[Aa]n|[Bb]ei|[Ee]rinnere?|[Ff]rage?|[Ss]age?|[Ll]et|[Bb]estätige|[Kk]annst du|[Kk]önntest du|[Bb]itte|[Ss]chreibe?|[Dd]anke|[Aa]ntworte|[Bb]edanke dich bei|from|von|with|mit) ${NAME}`,
  'u',
)

const findRecipient = (prompt: string): string => {
  const name = TO_NAME.exec(prompt)?.[1] ?? ''
  return patternOf('(?:^| ){{no name}}(?= |$)', 'u').test(name) ? '' : name.replace(/^Herrn /, 'Herr ')
}

const STYLE =
  /(?<!\p{L})(?:(?:very |really |sehr )?(?:friendly|polite|formal|warm|nice|kind|professional|casual|freundliche[nrs]?|höfliche[nrs]?|förmliche[nrs]?|nette[nrs]?)(?:,? (?:and |und )?))(?=\p{L})/giu

/** Sentences about oneself are no commands: "I accept cookies". */
const ABOUT_ONESELF = /^(?:i|we|you|ich|wir|du|sie)(?!\p{L})/iu
const MIN_WORDS = 3

/** Openings of a command: courtesies, questions, and verbs that pass a message on. */
const COMMAND =
  /^(?:please |bitte |kindly |(?:can|could|would|will) you |(?:kannst|könntest|würdest) du |(?:tell|let|inform|sag|sage|teile?|richte) (?=\p{L}))/iu

/** "Sag Tom zu" accepts; "sag Tom zu Hause" does not. */
const SAYS_YES = String.raw`|(?<!\p{L})sag[et]? [^.]{1,120} zu(?=[\s.,;!?]*$|, )`

const kindPattern = (kind: LetterKind, language: Language): RegExp =>
  patternOf(
    String.raw`(?<!\p{L}){{${language} ${kind}}}(?!\p{L})` +
      (language === 'de' && kind === 'accept' ? SAYS_YES : ''),
  )

const findKinds = (text: string, language: Language): { kind: LetterKind; index: number }[] =>
  KINDS.map((kind) => ({ kind, index: text.search(kindPattern(kind, language)) })).filter(
    ({ index }) => index >= 0,
  )

/** `prompt` is without the length; `whole` is as the user wrote it. */
const readRequest = (prompt: string, whole: string, system: string): Request | undefined => {
  const text = prompt.replace(/\s+/g, ' ').trim()
  if (text.length > MAX_PROMPT_LENGTH || wordsOf('other text').test(text)) return undefined
  const named = IN_LANGUAGE.find(([pattern]) => pattern.test(text) || pattern.test(system))?.[1]
  if (ABOUT_ONESELF.test(text) || text.split(' ').length < MIN_WORDS) return undefined
  const isGerman = identifyLanguage(text) === 'de' || findKinds(text, 'en').length === 0
  const written: Language = isGerman ? 'de' : 'en'
  const kinds = findKinds(text, written)
  const [first] = kinds.some(({ kind }) => kind === 'move')
    ? kinds
    : kinds.toSorted((a, b) => a.index - b.index)
  if (!first) return undefined
  const isCommand = first.index < 3 || COMMAND.test(text)
  if (!isCommand && !wordsOf('writing').test(whole)) return undefined
  const bare = text
    .replace(/,? ?\b(?:in german|auf deutsch|in english|auf englisch)\b/gi, '')
    .replace(STYLE, '')
  const request = { kind: first.kind, language: written, recipient: findRecipient(bare), prompt: bare }
  if (named === undefined || named === written) return request
  // The parts are copied from the prompt, so only a letter without them can be in another language.
  const isPlain = String(sentencesFor(request)) === String(sentencesFor({ ...request, prompt: '' }))
  return isPlain ? { ...request, language: named, prompt: '' } : undefined
}

let loaded: ReadonlyMap<string, readonly string[]> | undefined

/**
 * Fills in the first sentences of the kind for which the prompt has all facts. A brace with a question mark may be
 * empty.
 */
const sentencesFor = ({ kind, language, recipient, prompt }: Request): string[] | undefined => {
  loaded ??= new Map(readSections(FILE).map(({ heading, phrases }) => [heading, phrases]))
  const facts = readFacts(language, prompt, recipient)
  const lines = loaded.get(`${language} ${kind} sentences`) ?? []
  const isComplete = (line: string): boolean =>
    [...line.matchAll(/\{(\w+)\}/g)].every(([, name = '']) => facts[name] !== '')
  return lines
    .find(isComplete)
    ?.replace(/\{(\w+)\??\}/g, (_, name: string) => facts[name] ?? '')
    .split(' | ')
}

const HAS_TITLE = /^(?:Mr|Mrs|Ms|Herr|Frau|Dr|Prof)/

const greet = (recipient: string, language: Language): string => {
  const [first] = recipient.split(' ')
  const [nobody, titled, familiar] =
    language === 'de' ? ['Guten Tag', 'Guten Tag', 'Hallo'] : ['Hello', 'Dear', 'Hi']
  if (recipient === '') return `${nobody},`
  return HAS_TITLE.test(recipient) ? `${titled} ${recipient},` : `${familiar} ${first},`
}

const CLOSINGS: Readonly<Record<Language, string>> = { en: 'Best regards,', de: 'Viele Grüße' }
const PLACEHOLDERS: Readonly<Record<Language, string>> = { en: '[your name]', de: '[dein Name]' }
const SIGNED =
  /(?<!\p{L})(?:sign(?:ed)? (?:it )?(?:as|with|by)|from me,|unterschreibe? mit|unterschrieben mit|gezeichnet) (\p{Lu}\p{L}+(?: \p{Lu}\p{L}+)?)/u

const capitalize = (text: string): string => text.charAt(0).toLocaleUpperCase() + text.slice(1)

/** Writes a plain letter, or returns undefined if the prompt asks for something else. */
export const writeLetter = (
  prompt: string,
  system = '',
): { kind: LetterKind; language: Language; text: string } | undefined => {
  const { instructions, limit } = readLength(
    prompt
      .slice(0, MAX_PROMPT_LENGTH + 1)
      .replace(/\s+/g, ' ')
      .trim(),
  )
  if (prompt.trim().length > MAX_PROMPT_LENGTH) return undefined
  const request = readRequest(instructions, prompt, system)
  const sentences = request && sentencesFor(request)
  if (!request || !sentences) return undefined
  const { kind, language, recipient } = request
  const isBare = limit.sentences !== undefined && recipient === ''
  // German goes on in lower case after the greeting.
  const points = sentences.map((sentence, index) =>
    index === 0 && !isBare && language === 'de' ? sentence : capitalize(sentence),
  )
  if (isBare) return { kind, language, text: points.slice(0, limit.sentences).join(' ') }
  const name = SIGNED.exec(prompt)?.[1] ?? PLACEHOLDERS[language]
  const kept = limit.sentences === undefined ? points : points.slice(0, limit.sentences)
  const parts = {
    greeting: greet(recipient, language),
    thanks: '',
    closing: `${CLOSINGS[language]}\n${name}`,
  }
  for (let count = kept.length; count > 1; count--) {
    const text = fitLength({ ...parts, points: [kept.slice(0, count).join(' ')] }, {})
    if (limit.words === undefined || text.split(/\s+/).length <= limit.words) return { kind, language, text }
  }
  return { kind, language, text: fitLength({ ...parts, points: kept.slice(0, 1) }, {}) }
}
