import type { Shape } from '../../api/client.ts'
import { formatNumber, plural } from '../format.ts'

type Section = Shape<'AuditReport'>['sections'][number]

export const audit = 'Audit'
export const auditHelp = 'Prüft eine Webseite und schlägt Verbesserungen vor'
export const auditPage = 'Webseite prüfen'
export const webAddress = 'Webadresse'
export const company = 'Firma (optional)'
export const checkPage = 'Seite prüfen'
export const noReport = 'Noch keine Seite geprüft'
export const noReportHelp = 'Gib eine öffentliche Webadresse ein. Es wird nichts gespeichert.'
export const copyAsMarkdown = 'Als Markdown kopieren'
export const outOf100 = 'von 100'
export const scoreExplanation = 'So wird die Punktzahl berechnet'
export const results = 'Ergebnisse'
export const noIssues = 'Keine Probleme'
export const issues = (count: number) =>
  plural(count, { one: '1 Problem', other: `${formatNumber(count)} Probleme` })
export const severities = {
  critical: 'Kritisch',
  high: 'Hoch',
  medium: 'Mittel',
  low: 'Niedrig',
  info: 'Hinweis',
} satisfies Record<Section['findings'][number]['severity'], string>
export const sections = {
  metadata: 'Metadaten',
  headings: 'Überschriften',
  accessibility: 'Barrierefreiheit',
  links: 'Links',
  'structured-data': 'Strukturierte Daten',
  social: 'Vorschau in sozialen Netzwerken',
  robots: 'Suchmaschinen',
  security: 'Sicherheit',
  weight: 'Seitengröße',
} satisfies Record<Section['key'], string>
