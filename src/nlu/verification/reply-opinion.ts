import { toWall } from '../../recurrence/time-zones.ts'
import { type Draft, gapsIn, htmlOf } from '../drafts/draft.ts'
import type { TimeSlot } from '../drafts/slots.ts'
import { ownText } from '../history.ts'
import type { MailAnalysis } from '../mail/analysis.ts'
import { createKnowledge, markUnproven, visible } from './claims.ts'

const MAX_TEXT_LENGTH = 20_000

const DECIDED = '[check that this is what you want to say]'

/**
 * Verifies a reply written by a model. Dates, times, amounts, numbers and addresses that neither the mail,
 * the user nor the calendar contain are marked in place. If only the user can know the answer, a reply
 * without gaps gets a reminder to check it.
 */
export const checkReply = (
  said: string,
  draft: Draft,
  known: {
    mail: { text: string; subject: string; from: { name: string; address: string }; date: number }
    analysis: MailAnalysis
    instructions: string
    slots: readonly TimeSlot[]
    /** Name of the user who replies. */
    me: string
    now: number
    timezone: string
  },
): Pick<Draft, 'text' | 'html' | 'gaps' | 'notices'> => {
  const { mail, analysis, instructions, slots, me, timezone } = known
  const wall = (instant: number): number => toWall(instant, timezone)
  const now = wall(known.now)
  const knowledge = createKnowledge({
    texts: [
      { text: ownText(mail.text.slice(0, 30_000)), now: wall(mail.date) },
      {
        text: [mail.subject, mail.from.name, mail.from.address, me, timezone]
          .map((words) => words.slice(0, 500))
          .join('\n'),
        now,
      },
      { text: instructions, now },
      { text: draft.text, now },
    ],
    moments: [
      ...[mail.date, ...slots.flatMap(({ start, end }) => [start, end])].map(wall),
      ...analysis.meetings.flatMap(({ start, end }) => [wall(start), wall(end)]),
    ],
  })
  const { text: checked, marked } = markUnproven(
    visible(said.slice(0, MAX_TEXT_LENGTH)).replace(/\n{3,}/g, '\n\n'),
    knowledge,
    now,
  )
  const isDecided = instructions === '' && draft.gaps.length > 0 && gapsIn(checked).length === 0
  const text = isDecided ? `${checked}\n\n${DECIDED}` : checked
  return {
    text,
    html: htmlOf(text),
    gaps: gapsIn(text),
    notices:
      marked.length === 0
        ? []
        : [
            `The model wrote details that neither the email nor you mentioned. They are marked: ${marked.slice(0, 5).join(', ').slice(0, 300)}.`,
          ],
  }
}
