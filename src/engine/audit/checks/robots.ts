import { contentOf, metasNamed, type PageFacts } from '../facts.ts'
import { type Finding, quoteFrom, quoteText } from '../finding.ts'
import type { AuditedPage } from '../page.ts'
import { forbids, readRobotsTxt } from '../robots-txt.ts'

const saying = (text: string, word: string): boolean =>
  text
    .toLowerCase()
    .split(/[\s,:]+/)
    .some((each) => each === word || each === 'none')

const metaFindings = ({ html }: AuditedPage, facts: PageFacts): Finding[] => {
  const tags = ['robots', 'googlebot'].flatMap((name) => metasNamed(facts, name))
  const hiding = tags.filter((tag) => saying(contentOf(tag), 'noindex'))
  const shunning = tags.filter((tag) => saying(contentOf(tag), 'nofollow'))
  return [
    ...(hiding.length === 0
      ? []
      : [
          {
            check: 'noindex',
            severity: 'critical' as const,
            text: 'The page asks search engines to leave it out.',
            evidence: quoteFrom(html, hiding),
            remedy: 'Take noindex out, unless nobody is to find the page.',
          },
        ]),
    ...(shunning.length === 0
      ? []
      : [
          {
            check: 'nofollow',
            severity: 'low' as const,
            text: 'The page asks search engines not to follow its links.',
            evidence: quoteFrom(html, shunning),
            remedy: 'Take nofollow out, so that the pages behind it are found.',
          },
        ]),
  ]
}

const headerFindings = ({ delivery }: AuditedPage): Finding[] => {
  const header = delivery?.headers.get('x-robots-tag') ?? ''
  if (!saying(header, 'noindex')) return []
  return [
    {
      check: 'noindex-header',
      severity: 'critical',
      text: 'The server asks search engines to leave the page out.',
      evidence: quoteText(`x-robots-tag: ${header}`),
      remedy: 'Take noindex out of the X-Robots-Tag header, unless nobody is to find the page.',
    },
  ]
}

const fileFindings = ({ url, delivery }: AuditedPage): Finding[] => {
  const text = delivery?.robotsTxt
  if (text === undefined || url === null) return []
  if (text === null)
    return [
      {
        check: 'robots-txt',
        severity: 'low',
        text: 'The site has no robots.txt.',
        evidence: '',
        remedy: 'Add one that names the sitemap; an empty one is fine too.',
      },
    ]
  const file = readRobotsTxt(text)
  const { pathname, search } = new URL(url)
  const line = forbids(file, pathname + search)
  return [
    ...(line === undefined
      ? []
      : [
          {
            check: 'robots-disallow',
            severity: 'critical' as const,
            text: 'robots.txt keeps search engines away from this page.',
            evidence: quoteText(line),
            remedy: 'Allow the page, unless nobody is to find it.',
          },
        ]),
    ...(file.sitemaps.length > 0
      ? []
      : [
          {
            check: 'sitemap',
            severity: 'low' as const,
            text: 'robots.txt names no sitemap.',
            evidence: quoteText(text.trim()),
            remedy: 'Add a line such as “Sitemap: https://example.com/sitemap.xml”.',
          },
        ]),
  ]
}

export const checkRobots = (page: AuditedPage, facts: PageFacts): Finding[] => [
  ...metaFindings(page, facts),
  ...headerFindings(page),
  ...fileFindings(page),
]
