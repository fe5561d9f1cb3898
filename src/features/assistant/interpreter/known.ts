import { readQuestion } from '../../../nlu/requests/questions.ts'
import { readSentence } from '../../../nlu/requests/sentence.ts'
import { changeKnownContact } from './contact-changes.ts'
import { type Answer, answerContactQuestion } from './contacts.ts'
import { type InterpreterContext, toIso } from './context.ts'
import type { Memory } from './memory.ts'
import { answerReservationQuestion } from './reservations.ts'
import { answerTaskQuestion } from './task-questions.ts'

/** Longer messages are requests of their own. */
const MAX_WORDS = 30

/** Answers a message about contacts or reservations. Returns undefined if the message is about something else. */
export const answerKnown = async (
  context: InterpreterContext,
  message: string,
  { focus }: Memory,
): Promise<Answer | undefined> => {
  const { now, timezone, texts } = context
  const at = { now: context.wall(toIso(now)), timezone }
  const sentence = readSentence(message, texts.locale === 'de-DE' ? 'de' : 'en', at)
  if (sentence.tokens.length > MAX_WORDS) return undefined
  const question = readQuestion(sentence)
  return (
    (await changeKnownContact(context, question, focus)) ??
    (await answerTaskQuestion(context, question)) ??
    (await answerReservationQuestion(context, question, focus)) ??
    answerContactQuestion(context, question, focus)
  )
}
