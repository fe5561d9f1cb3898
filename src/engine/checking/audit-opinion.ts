import type { Audit } from '../audit/audit.ts'
import type { SectionKey } from '../audit/section-keys.ts'
import { sentencesOf } from '../sentences.ts'
import { provenSentences } from './prose.ts'
import { createKnowledge } from './unproven.ts'

/** The words that a model chose for an audit. */
export interface AuditRewording {
  summary: string
  recommendations: readonly { section: SectionKey; advice: readonly string[] }[]
}

const LONGEST_SUMMARY = 2_000
const LONGEST_ADVICE = 600
const MOST_ADVICE = 12

const SCORE = /\b(\d{1,3})(?:\s*(?:of|out of|\/|von)\s*100\b|\s*(?:%|percent|points|prozent|punkte))/gi
const PRAISE =
  /\b(?:flawless(?:ly)?|perfect(?:ly)?|impeccable|no (?:problems?|issues?|findings?|faults?)|nothing to (?:fix|mend|improve|do)|without (?:any |a )?(?:faults?|flaws?)|fehlerfrei|makellos|perfekt|keine (?:fehler|probleme))\b/iu

/**
 * An audit in a model's words. Score, findings and evidence stay what the checks made them, and the verdict stands
 * before whatever a model says. Figures and addresses must be ours: those that stand in the page alone are the page's
 * to say, and it may say anything.
 */
export const checkRewording = (audit: Audit, { summary, recommendations }: AuditRewording): Audit => {
  const known = createKnowledge({
    texts: [
      {
        text: [
          ...[audit.title, audit.summary, audit.explanation],
          ...audit.sections.flatMap(({ heading, findings }) => [
            heading,
            ...findings.flatMap(({ text, remedy }) => [text, remedy]),
          ]),
        ].join('\n'),
        now: 0,
      },
    ],
  })
  const isOurs = (score: number, sentence: string): boolean =>
    score === audit.score ||
    audit.sections.some(
      (section) => section.score === score && sentence.toLowerCase().includes(section.heading.toLowerCase()),
    )
  /** A score that is none of ours, or praise that ours do not bear out. */
  const isFlattery = (sentence: string): boolean =>
    [...sentence.matchAll(SCORE)].some(([, score]) => !isOurs(Number(score), sentence)) ||
    (audit.score < 90 && PRAISE.test(sentence))
  const proven = (words: string, longest: number): string => {
    const { kept } = provenSentences(words.slice(0, longest).replace(/\s+/g, ' '), known, 0)
    return sentencesOf(kept)
      .map(({ from, to }) => kept.slice(from, to).trim())
      .filter((sentence) => !isFlattery(sentence))
      .join(' ')
  }
  const [verdict = ''] = /^.*? of them grave\./.exec(audit.summary) ?? []
  const words = proven(summary, LONGEST_SUMMARY)
  return {
    ...audit,
    summary: words === '' ? audit.summary : `${verdict} ${words}`.trim(),
    sections: audit.sections.map((section) => {
      const said = recommendations.find((one) => one.section === section.key)?.advice ?? []
      const advice = said
        .slice(0, MOST_ADVICE)
        .map((one) => proven(one, LONGEST_ADVICE))
        .filter((one) => one !== '')
      // Where there is nothing to mend there is nothing to advise.
      return advice.length === 0 || section.findings.length === 0
        ? section
        : { ...section, recommendations: [...new Set(advice)] }
    }),
  }
}
