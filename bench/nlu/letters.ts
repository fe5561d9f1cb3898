import { writeLetter } from '../../src/nlu/drafts/letter.ts'
import { ENGLISH_PROMPTS, GERMAN_PROMPTS, type LetterPrompt } from '../../test/support/letter-prompts.ts'
import { type Rate, rate } from './data.ts'

const PROMPTS = { English: ENGLISH_PROMPTS, German: GERMAN_PROMPTS }

const isRight = ([prompt, kind, greeting = '', words = '']: LetterPrompt): boolean => {
  const letter = writeLetter(prompt)
  return kind === null
    ? letter === undefined
    : letter?.kind === kind && letter.text.startsWith(greeting) && letter.text.includes(words)
}

/** Counts the prompts that lead to the right letter, or to none. */
export const scoreLetters = (language: keyof typeof PROMPTS): Rate =>
  rate(
    PROMPTS[language].map((prompt) => ({ text: prompt[0], prompt })),
    ({ prompt }) => isRight(prompt),
  )
