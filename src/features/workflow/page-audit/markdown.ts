import type { Audit } from './audit.ts'
import { auditTexts } from './texts.ts'

/** Escapes Markdown, because the text of a page is untrusted. */
const plain = (text: string): string => text.replace(/\s+/g, ' ').replace(/[\\`*_{}[\]<>#|~]/g, '\\$&')

/** Uses a fence that is longer than any fence in the text. */
const fenced = (text: string): string => {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((ticks) => ticks.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}text\n${text}\n${fence}`
}

const indented = (text: string): string => text.replaceAll('\n', '\n  ')

/** Formats the report as Markdown. */
export const writeMarkdown = (
  { language, title, score, summary, explanation, sections }: Audit,
  url: string | null,
): string => {
  const { report, severities } = auditTexts(language)
  const { columns } = report
  return [
    `# ${plain(title)}`,
    ...(url === null ? [] : [report.page(`<${url.replaceAll('>', '%3E')}>`)]),
    `**${report.score(score)}**`,
    plain(summary),
    [`| ${columns.section} | ${columns.score} | ${columns.weight} |`, '|---|---:|---:|']
      .concat(sections.map(({ heading, score: own, weight }) => `| ${heading} | ${own} | ${weight} |`))
      .join('\n'),
    plain(explanation),
    ...sections.flatMap(({ heading, score: own, findings, recommendations }) => [
      `## ${heading}: ${own}`,
      ...(findings.length === 0 ? [report.noFindings] : []),
      ...findings.map(({ severity, text, evidence }) =>
        indented(
          `- **${severities[severity]}**: ${plain(text)}${evidence === '' ? '' : `\n\n${fenced(evidence)}`}`,
        ),
      ),
      ...(recommendations.length === 0
        ? []
        : [
            `### ${report.recommendations}\n\n${recommendations.map((each) => `- ${plain(each)}`).join('\n')}`,
          ]),
    ]),
  ].join('\n\n')
}
