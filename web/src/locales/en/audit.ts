import type { Shape } from '../../api/client.ts'
import { formatNumber, plural } from '../format.ts'

type Section = Shape<'AuditReport'>['sections'][number]

export const audit = 'Audit'
export const auditHelp = 'Checks a web page and suggests improvements'
export const auditPage = 'Check a web page'
export const webAddress = 'Web address'
export const company = 'Company (optional)'
export const checkPage = 'Check page'
export const noReport = 'No page checked yet'
export const noReportHelp = 'Enter a public web address. Nothing is stored.'
export const copyAsMarkdown = 'Copy as Markdown'
export const outOf100 = 'of 100'
export const scoreExplanation = 'How the score is calculated'
export const results = 'Results'
export const noIssues = 'No issues'
export const issues = (count: number) =>
  plural(count, { one: '1 issue', other: `${formatNumber(count)} issues` })
export const severities = {
  critical: 'Critical',
  high: 'High',
  medium: 'Medium',
  low: 'Low',
  info: 'Info',
} satisfies Record<Section['findings'][number]['severity'], string>
export const sections = {
  metadata: 'Metadata',
  headings: 'Headings',
  accessibility: 'Accessibility',
  links: 'Links',
  'structured-data': 'Structured data',
  social: 'Social cards',
  robots: 'Search engines',
  security: 'Security',
  weight: 'Page size',
} satisfies Record<Section['key'], string>
