import { type Draft, gapsIn, htmlOf } from '../drafts/draft.ts'
import type { Stretch } from '../drafts/times.ts'
import { ownText } from '../history.ts'
import type { MailAnalysis } from '../mail/analysis.ts'
import { toWall } from '../time-zones.ts'
import { markUnproven, visible } from './prose.ts'
import { createKnowledge } from './unproven.ts'

const LONGEST = 20_000

const DECIDED = '[check that this is what you want to say]'

/**
 * An answer that a model wrote. Dates, times, amounts, numbers and addresses that neither the mail nor the person nor
 * their calendar told are marked where they stand; and where only the person can know what to answer, an answer that
 * leaves nothing open is not taken for theirs.
 */
export const checkReply = (
  said: string,
  draft: Draft,
  known: {
    mail: { text: string; subject: string; from: { name: string; address: string }; date: number }
    analysis: MailAnalysis
    instructions: string
    slots: readonly Stretch[]
    /** Who answers. */
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
    visible(said.slice(0, LONGEST)).replace(/\n{3,}/g, '\n\n'),
    knowledge,
    now,
  )
  const isDecided = instructions === '' && draft.gaps.length > 0 && gapsIn(checked).length === 0
  const text = isDecided ? `${checked}\n\n${DECIDED}` : checked
  return {
    ...{ text, html: htmlOf(text), gaps: gapsIn(text) },
    notices:
      marked.length === 0
        ? []
        : [
            `The model wrote what neither the mail nor you said; it is marked: ${marked.slice(0, 5).join(', ').slice(0, 300)}.`,
          ],
  }
}
