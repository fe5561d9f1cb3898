import { sentencesOf } from '../../../nlu/text.ts'
import { createKnowledge, provenSentences } from '../../../nlu/verification/claims.ts'
import type { Audit } from './audit.ts'
import type { SectionKey } from './page.ts'

/** Summary and recommendations of an audit, written by a model. */
export interface AuditRewording {
  summary: string
  recommendations: readonly { section: SectionKey; advice: readonly string[] }[]
}

const MAX_SUMMARY_LENGTH = 2_000
const MAX_ADVICE_LENGTH = 600
const MAX_ADVICE = 12

const SCORE = /\b(\d{1,3})(?:\s*(?:of|out of|\/|von)\s*100\b|\s*(?:%|percent|points|prozent|punkte))/gi
const PRAISE =
  /\b(?:flawless(?:ly)?|perfect(?:ly)?|impeccable|no (?:problems?|issues?|findings?|faults?)|nothing to (?:fix|mend|improve|do)|without (?:any |a )?(?:faults?|flaws?)|fehlerfrei|makellos|perfekt|keine (?:fehler|probleme))\b/iu

/**
 * Applies a model's wording to an audit. Score, findings and evidence stay as the checks produced them, and
 * the verdict comes first. Numbers and addresses must come from the audit. Those that occur only in the page
 * are untrusted, because a page may claim anything.
 */
export const checkRewording = (audit: Audit, { summary, recommendations }: AuditRewording): Audit => {
  const known = createKnowledge({
    texts: [
      {
        text: [
          audit.title,
          audit.summary,
          audit.explanation,
          ...audit.sections.flatMap(({ heading, findings }) => [
            heading,
            ...findings.flatMap(({ text, remedy }) => [text, remedy]),
          ]),
        ].join('\n'),
        now: 0,
      },
    ],
  })
  const isAuditScore = (score: number, sentence: string): boolean =>
    score === audit.score ||
    audit.sections.some(
      (section) => section.score === score && sentence.toLowerCase().includes(section.heading.toLowerCase()),
    )
  /** True for a score that the audit does not contain, or praise that the score does not justify. */
  const isUnfounded = (sentence: string): boolean =>
    [...sentence.matchAll(SCORE)].some(([, score]) => !isAuditScore(Number(score), sentence)) ||
    (audit.score < 90 && PRAISE.test(sentence))
  const proven = (words: string, longest: number): string => {
    const { kept } = provenSentences(words.slice(0, longest).replace(/\s+/g, ' '), known, 0)
    return sentencesOf(kept)
      .map(({ from, to }) => kept.slice(from, to).trim())
      .filter((sentence) => !isUnfounded(sentence))
      .join(' ')
  }
  const words = proven(summary, MAX_SUMMARY_LENGTH)
  return {
    ...audit,
    summary: words === '' ? audit.summary : `${audit.verdict} ${words}`,
    sections: audit.sections.map((section) => {
      const said = recommendations.find((one) => one.section === section.key)?.advice ?? []
      const advice = said
        .slice(0, MAX_ADVICE)
        .map((one) => proven(one, MAX_ADVICE_LENGTH))
        .filter((one) => one !== '')
      // A section without findings needs no recommendations.
      return advice.length === 0 || section.findings.length === 0
        ? section
        : { ...section, recommendations: [...new Set(advice)] }
    }),
  }
}
