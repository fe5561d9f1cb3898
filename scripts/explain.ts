import { readAbility } from '../src/features/assistant/interpreter/ability-reader.ts'
import { readCommitmentRequest } from '../src/features/assistant/interpreter/commitments.ts'
import { readControl } from '../src/features/assistant/interpreter/control.ts'
import { EMPTY_MEMORY } from '../src/features/assistant/interpreter/memory.ts'
import { toGermanImperative } from '../src/nlu/intents/german-imperative.ts'
import { readIntent } from '../src/nlu/intents/read.ts'
import { FOLLOW_UPS, findPhrases, type Phrase, QUESTIONS } from '../src/nlu/lexicon/lexicon.ts'
import { readLanguage } from '../src/nlu/requests/language.ts'
import { readQuestion } from '../src/nlu/requests/questions.ts'
import { readSentence } from '../src/nlu/requests/sentence.ts'
import { tagArguments } from '../src/nlu/tagger/tagger.ts'
import { toWall } from '../src/recurrence/time-zones.ts'

/*
 * Prints how the built-in assistant reads a sentence that stands alone: `npm run explain -- "sentence"`. Items of the
 * account and of the conversation are not known here.
 */

const print = (name: string, found: unknown): void => {
  const text = typeof found === 'string' ? found : JSON.stringify(found)
  if (text !== undefined && text !== '' && text !== '[]') console.log(`${name.padEnd(12)}${text}`)
}

const explain = (message: string): void => {
  const timezone = Intl.DateTimeFormat().resolvedOptions().timeZone
  const context = { now: toWall(Date.now(), timezone), timezone }
  const language = readLanguage(message) ?? 'en'
  const sentence = readSentence(message, language, context)
  const show = (phrases: readonly Phrase[]): string =>
    phrases
      .map(({ category, at }) => `${category} “${at.map((one) => sentence.tokens[one]?.text).join(' ')}”`)
      .join(', ')
  console.log(`\n${message}`)
  print('language', language)
  print('words', show(sentence.phrases))
  print('questions', show(findPhrases(sentence.tokens, language, QUESTIONS)))
  print('references', show(findPhrases(sentence.tokens, language, FOLLOW_UPS)))
  for (const { kind, text, start, end, rule, zone } of sentence.times)
    print('time', `${kind} “${text}” ${JSON.stringify({ start, end, rule, zone: zone?.text })}`)
  for (const { role, text } of tagArguments(message)) print('tagger', `${role} “${text}”`)
  const { fields, types, isAsking } = readQuestion(sentence)
  if (isAsking) print('fact', [...fields, ...types].join(', '))
  print('answer', readControl(message, context, EMPTY_MEMORY))
  const imperative = toGermanImperative(message)
  print('promises', readCommitmentRequest(imperative))
  const note = (decision: string): void => print('decision', decision)
  if (readAbility(imperative, { ...context, note })) return
  const { intents, abstained } = readIntent(imperative, { ...context, note })
  for (const intent of intents) print('request', intent)
  for (const { reason, detail } of abstained) print('declined', `${reason}: ${detail}`)
}

const sentences = process.argv.slice(2)
if (sentences.length === 0) console.log('Usage: npm run explain -- "sentence" ["another sentence"]')
for (const sentence of sentences) explain(sentence)
