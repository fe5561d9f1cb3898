import Type, { type Static } from 'typebox'
import type { Draft } from '../../../engine/drafts/draft.ts'
import type { Stretch } from '../../../engine/drafts/times.ts'
import type { MailAnalysis } from '../../../engine/mail/analysis.ts'
import { isPrivate } from '../../../engine/mail/private-tag.ts'
import type { Consultation } from '../consulting.ts'
import { mailAsData } from '../intelligence/opinions.ts'
import type { GivenMail } from '../intelligence/reading.ts'
import { asData, ONLY_DATA } from '../quoting.ts'

const Answer = Type.Object({ text: Type.String(), language: Type.String() }, { additionalProperties: false })

const INSTRUCTIONS = [
  'You write the answer to one e-mail for the person it was sent to. They will read it before it is sent.',
  ONLY_DATA,
  'Write what the person wants said. Where only they can know what to say, leave a gap in square brackets, such as [your answer]: never decide for them, never promise, and never invent a fact, a date, a number or an address.',
  'Greet the writer by name, take up each question and request, and close with the name of the person. Plain text, no markup, no subject line.',
  'A program has drafted an answer before you. Its greeting, its times and its gaps are right: say it better, and fill a gap only with what the person told you.',
  'language: the tag of the language you wrote in, such as en or de.',
].join('\n')

const TONES: Readonly<Record<Draft['tone'], string>> = {
  formal: 'formal and polite',
  friendly: 'friendly',
  brief: 'as brief as politeness allows',
}

interface ToAnswer {
  mail: GivenMail
  analysis: MailAnalysis
  /** What the engine would write. */
  draft: Draft
  wish: { instructions?: string | undefined; language?: string | undefined }
  slots: readonly Stretch[]
  me: string
  now: number
  timezone: string
}

/** Loaded with the first answer: a start need not wait for it. */
export const loadReplies = async () => {
  const [{ checkReply }, { factsFor }] = await Promise.all([
    import('../../../engine/checking/reply-opinion.ts'),
    import('../../../engine/mail/facts.ts'),
  ])
  return { checkReply, factsFor }
}

/** What a model is asked for an answer to a mail, and how what it writes is checked. */
export const answerIn = async (
  { mail, analysis, draft, wish, slots, me, now, timezone }: ToAnswer,
  { checkReply, factsFor }: Awaited<ReturnType<typeof loadReplies>>,
) => {
  const instructions = wish.instructions?.trim() ?? ''
  const question: Consultation<typeof Answer> = {
    purpose: 'email-response',
    instructions: INSTRUCTIONS,
    matter: [
      `Write ${TONES[draft.tone]}, in ${wish.language ?? 'the language of the mail'}.${me === '' ? '' : ` The person is called ${me}.`}`,
      instructions === ''
        ? 'The person has not said what to answer.'
        : `The person wants this said: ${instructions}`,
      `The answer of the program:\n${asData(draft.text)}`,
      `What the program found in the mail:\n${asData(factsFor(analysis))}`,
      `The mail:\n${mailAsData(mail, timezone)}`,
    ].join('\n\n'),
    shape: { name: 'answer', schema: Answer },
    fits: ({ text }) => text.trim() !== '',
    stays: isPrivate(mail.tags) ? 'private' : draft.unanswerable === null ? undefined : 'not_needed',
  }
  return {
    question,
    check: ({ text, language }: Static<typeof Answer>) => ({
      ...checkReply(text, draft, {
        ...{
          mail: { ...mail, date: Date.parse(mail.date) },
          analysis,
          instructions,
          slots,
          me,
          now,
          timezone,
        },
      }),
      language: /^[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$/.test(language) ? language : draft.language,
    }),
  }
}
