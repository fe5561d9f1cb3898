import Type from 'typebox'
import { type Asker, asData, ONLY_DATA, type StructuredAnswers } from '../models/consultation.ts'
import type { Audit } from './page-audit/audit.ts'
import { SECTION_KEYS } from './page-audit/page.ts'

const strict = { additionalProperties: false }

const Rewording = Type.Object(
  {
    summary: Type.String(),
    recommendations: Type.Array(
      Type.Object(
        {
          section: Type.Enum([...SECTION_KEYS], { type: 'string' }),
          advice: Type.Array(Type.String()),
        },
        strict,
      ),
    ),
  },
  strict,
)

const INSTRUCTIONS = [
  'A program has audited a web page. You put what it found into words for whoever runs the page: the findings and the score are its own, and stay as they are.',
  ONLY_DATA,
  'summary: two to four sentences on what matters most, and why. recommendations: for each section with findings, what to do, the most important first, one sentence or two each.',
  'Say nothing that the findings do not say. No figures but theirs, no addresses, no links, no markup, no praise that the score does not bear out.',
]

/** The findings are in the language of the report, so English needs no instruction. */
const LANGUAGE_INSTRUCTIONS: Readonly<Record<Audit['language'], readonly string[]>> = {
  en: [],
  de: ['Write in German. Address the reader with “du”.'],
}

const MAX_FINDINGS = 12

/** Formats an audit for a model. The evidence quotes the page. */
const formatAudit = ({ title, score, sections, pageTitle }: Audit): string =>
  asData({
    title,
    pageTitle,
    score,
    sections: sections.map(({ key, heading, score: own, findings }) => ({
      section: key,
      heading,
      score: own,
      findings: findings.slice(0, MAX_FINDINGS).map(({ severity, text, evidence, remedy }) => ({
        severity,
        text,
        evidence: evidence.slice(0, 300),
        remedy,
      })),
    })),
  })

/** Loads the check with the first model answer. */
const loadCheck = async () => (await import('./page-audit/rewriter.ts')).checkRewording

/** Lets a model rewrite the texts of an audit. Findings and scores stay unchanged. */
export const createAuditRewriter =
  ({ structuredAnswers }: { structuredAnswers: StructuredAnswers }) =>
  async (audit: Audit, asker: Asker) => {
    const hasFindings = audit.sections.some(({ findings }) => findings.length > 0)
    const { said, made } = await structuredAnswers.request(
      {
        purpose: 'digital-audit',
        instructions: [...INSTRUCTIONS, ...LANGUAGE_INSTRUCTIONS[audit.language]].join('\n'),
        prompt: `What was found:\n${formatAudit(audit)}`,
        shape: { name: 'audit', schema: Rewording },
        builtinReason: hasFindings ? undefined : 'not_needed',
      },
      asker,
    )
    if (said === null) return { audit, made }
    const checkRewording = await loadCheck()
    return { audit: checkRewording(audit, said as Parameters<typeof checkRewording>[1]), made }
  }
