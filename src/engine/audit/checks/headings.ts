import type { PageFacts } from '../facts.ts'
import { count, type Finding, quoteFrom } from '../finding.ts'
import type { AuditedPage } from '../page.ts'

export const checkHeadings = ({ html }: AuditedPage, { headings, landmarks }: PageFacts): Finding[] => {
  const findings: Finding[] = []
  const main = headings.filter(({ level }) => level === 1)
  if (headings.length === 0)
    findings.push({
      check: 'headings',
      severity: 'high',
      text: 'The page has no headings.',
      evidence: '',
      remedy: 'Give the page one h1 that names it, and an h2 for each of its parts.',
    })
  else if (main.length === 0)
    findings.push({
      check: 'main-heading',
      severity: 'high',
      text: 'The page has no main heading (h1).',
      evidence: quoteFrom(html, headings.slice(0, 1)),
      remedy: 'Make the heading that names the page an h1.',
    })
  else if (main.length > 1)
    findings.push({
      check: 'main-heading',
      severity: 'low',
      text: `The page has ${main.length} main headings (h1).`,
      evidence: quoteFrom(html, main),
      remedy: 'Keep one h1; make the others h2.',
    })
  const empty = headings.filter(({ text }) => text === '')
  if (empty.length > 0)
    findings.push({
      check: 'empty-headings',
      severity: 'medium',
      text: `${count(empty.length, 'heading says', 'headings say')} nothing.`,
      evidence: quoteFrom(html, empty),
      remedy: 'Give each heading words, or take it out.',
    })
  const jumps = headings.filter(
    ({ level }, index) => index > 0 && level > (headings[index - 1]?.level ?? 6) + 1,
  )
  if (jumps.length > 0)
    findings.push({
      check: 'heading-order',
      severity: 'low',
      text: `${count(jumps.length, 'heading leaves out', 'headings leave out')} a level.`,
      evidence: quoteFrom(html, jumps),
      remedy: 'Go down one level at a time, so that whoever jumps from heading to heading does not get lost.',
    })
  if (!landmarks.has('main'))
    findings.push({
      check: 'main-landmark',
      severity: 'low',
      text: 'Nothing on the page is marked as its main part.',
      evidence: '',
      remedy: 'Put what the page is about into <main>.',
    })
  return findings
}
