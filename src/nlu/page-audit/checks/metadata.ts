import {
  type AuditedPage,
  contentOf,
  count,
  type Finding,
  linksOf,
  metasNamed,
  type PageFacts,
  quoteFrom,
  quoteText,
} from '../page.ts'

const TITLE = { shortest: 10, longest: 65 }
const DESCRIPTION = { shortest: 50, longest: 170 }
const ADD_TITLE = 'Write one title of 10 to 65 characters that says what this page is about.'
const ADD_DESCRIPTION = 'Write a description of 50 to 170 characters. Search results show it.'

const titleFindings = ({ html }: AuditedPage, { titles }: PageFacts): Finding[] => {
  const [first] = titles
  const about = { check: 'title', remedy: ADD_TITLE }
  if (!first || first.text === '')
    return [
      {
        ...about,
        severity: 'critical',
        text: first ? 'The title is empty.' : 'The page has no title.',
        evidence: quoteFrom(html, titles.slice(0, 1)),
      },
    ]
  const { length } = first.text
  if (titles.length > 1)
    return [
      {
        ...about,
        severity: 'medium',
        text: `The page has ${titles.length} titles; only the first counts.`,
        evidence: quoteFrom(html, titles),
      },
    ]
  if (length < TITLE.shortest || length > TITLE.longest)
    return [
      {
        ...about,
        severity: 'low',
        text: `The title is ${length < TITLE.shortest ? 'short' : 'long'}: ${count(length, 'character', 'characters')}.`,
        evidence: quoteFrom(html, [first]),
      },
    ]
  return []
}

const descriptionFindings = ({ html }: AuditedPage, facts: PageFacts): Finding[] => {
  const tags = metasNamed(facts, 'description')
  const text = contentOf(tags[0])
  const about = { check: 'description', remedy: ADD_DESCRIPTION }
  if (text === '')
    return [
      {
        ...about,
        severity: 'high',
        text: tags.length > 0 ? 'The description is empty.' : 'The page has no description.',
        evidence: quoteFrom(html, tags.slice(0, 1)),
      },
    ]
  if (text.length >= DESCRIPTION.shortest && text.length <= DESCRIPTION.longest) return []
  return [
    {
      ...about,
      severity: 'low',
      text: `The description is ${text.length < DESCRIPTION.shortest ? 'short' : 'long'}: ${count(text.length, 'character', 'characters')}.`,
      evidence: quoteFrom(html, tags.slice(0, 1)),
    },
  ]
}

const canonicalFindings = ({ html, url }: AuditedPage, facts: PageFacts): Finding[] => {
  const tags = linksOf(facts, 'canonical')
  const [first] = tags
  const remedy = 'Declare the canonical URL: <link rel="canonical" href="https://…">.'
  if (!first)
    return [
      {
        check: 'canonical',
        severity: 'low',
        text: 'The page has no canonical URL.',
        evidence: '',
        remedy,
      },
    ]
  const href = first.attributes.get('href') ?? ''
  const evidence = quoteFrom(html, tags)
  const target = URL.parse(href, url ?? undefined)
  if (tags.length > 1 && new Set(tags.map(({ attributes }) => attributes.get('href'))).size > 1)
    return [
      {
        check: 'canonical',
        severity: 'medium',
        text: 'The page has several canonical URLs.',
        evidence,
        remedy,
      },
    ]
  if (target === null && (url !== null || href === ''))
    return [
      {
        check: 'canonical',
        severity: 'medium',
        text: 'The canonical URL is not valid.',
        evidence,
        remedy,
      },
    ]
  if (target && url && target.host !== new URL(url).host)
    return [
      {
        check: 'canonical',
        severity: 'medium',
        text: `The canonical URL is on another site, ${target.host}: search engines will show that one.`,
        evidence,
        remedy: 'Point it to this site, unless search engines should show the other page.',
      },
    ]
  return []
}

const charsetFindings = ({ html, delivery }: AuditedPage, facts: PageFacts): Finding[] => {
  const declared = facts.metas.filter(
    ({ attributes }) =>
      attributes.has('charset') || (attributes.get('http-equiv') ?? '').toLowerCase() === 'content-type',
  )
  const header = delivery?.headers.get('content-type') ?? ''
  const about = { check: 'charset', remedy: 'Save the page as UTF-8 and declare it: <meta charset="utf-8">.' }
  if (delivery && delivery.undecodable > 0)
    return [
      {
        ...about,
        severity: 'high',
        text: `${count(delivery.undecodable, 'character', 'characters')} could not be decoded as ${delivery.charset}: the page uses another encoding than it declares.`,
        evidence: quoteText(
          header.toLowerCase().includes('charset') ? `content-type: ${header}` : quoteFrom(html, declared),
        ),
      },
    ]
  if (declared.length === 0 && !header.toLowerCase().includes('charset'))
    return [
      {
        ...about,
        severity: 'medium',
        text: 'The page does not declare its encoding.',
        evidence: header === '' ? '' : quoteText(`content-type: ${header}`),
      },
    ]
  return []
}

export const checkMetadata = (page: AuditedPage, facts: PageFacts): Finding[] => [
  ...titleFindings(page, facts),
  ...descriptionFindings(page, facts),
  ...canonicalFindings(page, facts),
  ...charsetFindings(page, facts),
  ...(facts.doctype === null
    ? [
        {
          check: 'doctype',
          severity: 'medium' as const,
          text: 'The page has no doctype, so browsers show it in quirks mode.',
          evidence: quoteText(page.html.trimStart().slice(0, 60)),
          remedy: 'Start the page with <!doctype html>.',
        },
      ]
    : []),
  ...(linksOf(facts, 'icon').length === 0 && linksOf(facts, 'apple-touch-icon').length === 0
    ? [
        {
          check: 'icon',
          severity: 'low' as const,
          text: 'The page has no icon.',
          evidence: '',
          remedy: 'Add <link rel="icon" href="…">. Tabs and bookmarks show it.',
        },
      ]
    : []),
]

const WANTED = ['og:title', 'og:description', 'og:image', 'og:url', 'og:type']
const CARDS = new Set(['summary', 'summary_large_image', 'app', 'player'])

export const checkSocial = ({ html, url }: AuditedPage, facts: PageFacts): Finding[] => {
  const lacking = WANTED.filter((name) => contentOf(metasNamed(facts, name)[0]) === '')
  const findings: Finding[] = []
  if (lacking.length === WANTED.length)
    findings.push({
      check: 'open-graph',
      severity: 'high',
      text: 'The page has no social card (Open Graph), so shared links have no defined preview.',
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
      text: 'The image of the social card has no absolute URL, so most networks will not show it.',
      evidence: quoteFrom(html, [image]),
      remedy: `Use an absolute URL, such as ${quoteText(URL.parse(address, url ?? 'https://example.com/')?.href ?? 'https://…')}.`,
    })
  const [card] = metasNamed(facts, 'twitter:card')
  if (!card)
    findings.push({
      check: 'twitter-card',
      severity: 'low',
      text: 'The page does not declare a card type for X.',
      evidence: '',
      remedy: 'Add <meta name="twitter:card" content="summary_large_image">.',
    })
  else if (!CARDS.has(contentOf(card).toLowerCase()))
    findings.push({
      check: 'twitter-card',
      severity: 'low',
      text: 'The card type for X does not exist.',
      evidence: quoteFrom(html, [card]),
      remedy: 'Use summary or summary_large_image.',
    })
  return findings
}

export const checkHeadings = ({ html }: AuditedPage, { headings, landmarks }: PageFacts): Finding[] => {
  const findings: Finding[] = []
  const main = headings.filter(({ level }) => level === 1)
  if (headings.length === 0)
    findings.push({
      check: 'headings',
      severity: 'high',
      text: 'The page has no headings.',
      evidence: '',
      remedy: 'Add one h1 for the page and an h2 for each section.',
    })
  else if (main.length === 0)
    findings.push({
      check: 'main-heading',
      severity: 'high',
      text: 'The page has no main heading (h1).',
      evidence: quoteFrom(html, headings.slice(0, 1)),
      remedy: 'Make the heading of the page an h1.',
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
      text: `${count(empty.length, 'heading is', 'headings are')} empty.`,
      evidence: quoteFrom(html, empty),
      remedy: 'Give each heading a text, or remove it.',
    })
  const jumps = headings.filter(
    ({ level }, index) => index > 0 && level > (headings[index - 1]?.level ?? 6) + 1,
  )
  if (jumps.length > 0)
    findings.push({
      check: 'heading-order',
      severity: 'low',
      text: `${count(jumps.length, 'heading skips', 'headings skip')} a level.`,
      evidence: quoteFrom(html, jumps),
      remedy: 'Go down one level at a time, for people who navigate by headings.',
    })
  if (!landmarks.has('main'))
    findings.push({
      check: 'main-landmark',
      severity: 'low',
      text: 'The page has no main landmark.',
      evidence: '',
      remedy: 'Put the main content into <main>.',
    })
  return findings
}
