import { contentOf, metasNamed, type PageFacts } from '../facts.ts'
import { type Finding, quoteFrom, quoteText } from '../finding.ts'
import type { AuditedPage } from '../page.ts'

const WANTED = ['og:title', 'og:description', 'og:image', 'og:url', 'og:type']
const CARDS = new Set(['summary', 'summary_large_image', 'app', 'player'])

export const checkSocial = ({ html, url }: AuditedPage, facts: PageFacts): Finding[] => {
  const lacking = WANTED.filter((name) => contentOf(metasNamed(facts, name)[0]) === '')
  const findings: Finding[] = []
  if (lacking.length === WANTED.length)
    findings.push({
      check: 'open-graph',
      severity: 'high',
      text: 'The page has no social card (Open Graph): shared links show whatever a network makes of them.',
      evidence: '',
      remedy: 'Add og:title, og:description, og:image, og:url and og:type.',
    })
  else if (lacking.length > 0)
    findings.push({
      check: 'open-graph',
      severity: lacking.includes('og:title') || lacking.includes('og:image') ? 'medium' : 'low',
      text: `The social card lacks ${lacking.join(', ')}.`,
      evidence: quoteFrom(
        html,
        WANTED.flatMap((name) => metasNamed(facts, name)),
      ),
      remedy: `Add ${lacking.join(', ')}.`,
    })
  const [image] = metasNamed(facts, 'og:image')
  const address = contentOf(image)
  if (image && address !== '' && !/^https?:\/\//i.test(address))
    findings.push({
      check: 'card-image',
      severity: 'medium',
      text: 'The picture of the social card has no full address, so most networks will not show it.',
      evidence: quoteFrom(html, [image]),
      remedy: `Write the whole address, such as ${quoteText(URL.parse(address, url ?? 'https://example.com/')?.href ?? 'https://…')}.`,
    })
  const [card] = metasNamed(facts, 'twitter:card')
  if (!card)
    findings.push({
      check: 'twitter-card',
      severity: 'low',
      text: 'The page does not say which kind of card to show on X.',
      evidence: '',
      remedy: 'Add <meta name="twitter:card" content="summary_large_image">.',
    })
  else if (!CARDS.has(contentOf(card).toLowerCase()))
    findings.push({
      check: 'twitter-card',
      severity: 'low',
      text: 'The kind of card for X is not one that there is.',
      evidence: quoteFrom(html, [card]),
      remedy: 'Use summary or summary_large_image.',
    })
  return findings
}
