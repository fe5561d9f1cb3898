import Type from 'typebox'
import type { Audit } from '../../engine/audit/audit.ts'
import { SECTION_KEYS } from '../../engine/audit/section-keys.ts'
import type { Asker, Consulting } from './consulting.ts'
import { asData, ONLY_DATA } from './quoting.ts'

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
].join('\n')

const MOST_FINDINGS = 12

/** What a model is told of an audit. The evidence is the page's own words. */
const matterOf = ({ title, score, sections, pageTitle }: Audit): string =>
  asData({
    ...{ title, pageTitle, score },
    sections: sections.map(({ key, heading, score: own, findings }) => ({
      ...{ section: key, heading, score: own },
      findings: findings.slice(0, MOST_FINDINGS).map(({ severity, text, evidence, remedy }) => ({
        ...{ severity, text, evidence: evidence.slice(0, 300), remedy },
      })),
    })),
  })

/** The checks are loaded with the first answer of a model. */
const loadCheck = async () => (await import('../../engine/checking/audit-opinion.ts')).checkRewording

/** Lets a model choose the words of an audit, and nothing else. */
export const createAuditWords =
  ({ consulting }: { consulting: Consulting }) =>
  async (audit: Audit, asker: Asker) => {
    const hasFindings = audit.sections.some(({ findings }) => findings.length > 0)
    const { said, made } = await consulting.consult(
      {
        purpose: 'digital-audit',
        instructions: INSTRUCTIONS,
        matter: `What was found:\n${matterOf(audit)}`,
        shape: { name: 'audit', schema: Rewording },
        stays: hasFindings ? undefined : 'not_needed',
      },
      asker,
    )
    if (said === null) return { audit, made }
    const checkRewording = await loadCheck()
    return { audit: checkRewording(audit, said as Parameters<typeof checkRewording>[1]), made }
  }
