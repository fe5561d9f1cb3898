import type { Audit } from './audit.ts'

/** Words of a page may hold anything; in a report they are words. */
const plain = (text: string): string => text.replace(/\s+/g, ' ').replace(/[\\`*_{}[\]<>#|~]/g, '\\$&')

/** A fence that is longer than any within. */
const fenced = (text: string): string => {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((ticks) => ticks.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}text\n${text}\n${fence}`
}

const indented = (text: string): string => text.replaceAll('\n', '\n  ')

/** The report as a text that can be sent, printed or kept. */
export const writeMarkdown = (
  { title, score, summary, explanation, sections }: Audit,
  url: string | null,
): string =>
  [
    `# ${plain(title)}`,
    ...(url === null ? [] : [`Page: <${url.replaceAll('>', '%3E')}>`]),
    `**Score: ${score} of 100**`,
    plain(summary),
    ['| Section | Score | Weight |', '|---|---:|---:|']
      .concat(sections.map(({ heading, score: own, weight }) => `| ${heading} | ${own} | ${weight} |`))
      .join('\n'),
    plain(explanation),
    ...sections.flatMap(({ heading, score: own, findings, recommendations }) => [
      `## ${heading}: ${own}`,
      ...(findings.length === 0 ? ['Nothing to find fault with.'] : []),
      ...findings.map(({ severity, text, evidence }) =>
        indented(`- **${severity}**: ${plain(text)}${evidence === '' ? '' : `\n\n${fenced(evidence)}`}`),
      ),
      ...(recommendations.length === 0
        ? []
        : [`### What to do\n\n${recommendations.map((each) => `- ${plain(each)}`).join('\n')}`]),
    ]),
  ].join('\n\n')
