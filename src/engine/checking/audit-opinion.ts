import type { Audit } from '../audit/audit.ts'
import type { SectionKey } from '../audit/section-keys.ts'
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
  const proven = (words: string, longest: number): string =>
    provenSentences(words.slice(0, longest).replace(/\s+/g, ' '), known, 0).kept
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
