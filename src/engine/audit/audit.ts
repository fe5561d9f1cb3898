import { COST, count, type Finding, SEVERITIES } from './finding.ts'
import type { AuditedPage } from './page.ts'
import { readFacts } from './read-facts.ts'
import type { SectionKey } from './section-keys.ts'
import { type SectionPlan, sectionsFor } from './sections.ts'

export interface AuditSection {
  key: SectionKey
  heading: string
  score: number
  /** Its part of the total. */
  weight: number
  findings: Finding[]
  recommendations: string[]
}

export interface Audit {
  title: string
  score: number
  summary: string
  /** How the score came about. */
  explanation: string
  sections: AuditSection[]
  /** The title that the page gives itself. */
  pageTitle: string
}

export interface AuditOptions {
  company?: string | undefined
  focus?: readonly string[] | undefined
}

const order = ({ severity }: Finding): number => SEVERITIES.indexOf(severity)

const judge = ({ key, heading, weight }: SectionPlan, found: Finding[]): AuditSection => {
  const findings = found.toSorted((a, b) => order(a) - order(b))
  const cost = findings.reduce((sum, { severity }) => sum + COST[severity], 0)
  const recommendations = [...new Set(findings.map(({ remedy }) => remedy).filter((remedy) => remedy !== ''))]
  return { key, heading, weight, score: Math.max(0, 100 - cost), findings, recommendations }
}

const explain = (sections: readonly AuditSection[], score: number): string => {
  const costs = SEVERITIES.filter((severity) => COST[severity] > 0)
    .map((severity) => `${severity} ${COST[severity]}`)
    .join(', ')
  const parts = sections.map(({ heading, score: own, weight }) => `${heading} ${own} × ${weight}`).join(', ')
  const weights = sections.reduce((sum, { weight }) => sum + weight, 0)
  return (
    `Each section begins with 100 points and loses points for each finding by its severity (${costs}), down to 0. ` +
    `The score is the mean of the sections by their weights: (${parts}) ÷ ${weights} = ${score}, rounded down.`
  )
}

const verdictOf = (score: number): string => {
  if (score >= 90) return 'in very good order'
  if (score >= 75) return 'in good order, with some things to mend'
  return score >= 50 ? 'usable, with much to mend' : 'in need of thorough work'
}

const NEVER_FETCHED =
  'It was not fetched, so that nothing is said of how it is delivered (headers, compression).'

/** What a page does well and badly, with evidence from its own words, and a score that can be followed. */
export const auditPage = (page: AuditedPage, options: AuditOptions = {}): Audit => {
  const facts = readFacts(page.html)
  const { sections: plans, unknown } = sectionsFor(options.focus ?? [])
  const sections = plans.map((plan) => judge(plan, plan.check(page, facts)))
  const weights = sections.reduce((sum, { weight }) => sum + weight, 0)
  // Rounded down: only a page without a fault has all points.
  const score = Math.floor(sections.reduce((sum, { score: own, weight }) => sum + own * weight, 0) / weights)
  const findings = sections.flatMap((section) => section.findings)
  const grave = findings.filter(({ severity }) => severity === 'critical' || severity === 'high')
  const pageTitle = facts.titles[0]?.text.slice(0, 200) ?? ''
  const name =
    options.company?.trim() || (page.url === null ? '' : new URL(page.url).host) || pageTitle || null
  const open = findings.filter(({ severity }) => severity !== 'info').length
  const worst = sections.toSorted((a, b) => a.score - b.score)[0]
  const summary = [
    `The page${name === null ? '' : ` of ${name}`} is ${verdictOf(score)}: ${score} of 100 points, ${count(open, 'finding', 'findings')}, ${grave.length} of them grave.`,
    ...(worst && worst.score < 100 ? [`Weakest is ${worst.heading} with ${worst.score} points.`] : []),
    ...(grave.length > 0
      ? [
          `First of all: ${grave
            .toSorted((a, b) => order(a) - order(b))
            .slice(0, 3)
            .map(({ text }) => text)
            .join(' ')}`,
        ]
      : []),
    ...(page.delivery === null ? [NEVER_FETCHED] : []),
    ...(unknown.length > 0 ? [`There is no check for: ${unknown.join(', ')}.`] : []),
  ].join(' ')
  return {
    title: `Digital audit of ${name ?? 'the page'}`,
    score,
    summary,
    explanation: explain(sections, score),
    sections,
    pageTitle,
  }
}
