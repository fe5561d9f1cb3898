import { contentOf, linksOf, metasNamed, type PageFacts } from '../facts.ts'
import { count, type Finding, quoteFrom, quoteText } from '../finding.ts'
import type { AuditedPage } from '../page.ts'

const TITLE = { shortest: 10, longest: 65 }
const DESCRIPTION = { shortest: 50, longest: 170 }
const ADD_TITLE = 'Write one title of 10 to 65 characters that says what this page is about.'
const ADD_DESCRIPTION = 'Write a description of 50 to 170 characters: it is what search results show.'

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
  const remedy = 'Name the page’s one address: <link rel="canonical" href="https://…">.'
  if (!first)
    return [
      {
        check: 'canonical',
        severity: 'low',
        text: 'The page names no canonical address.',
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
        text: 'The page names several canonical addresses.',
        evidence,
        remedy,
      },
    ]
  if (target === null && (url !== null || href === ''))
    return [
      {
        check: 'canonical',
        severity: 'medium',
        text: 'The canonical address is not an address.',
        evidence,
        remedy,
      },
    ]
  if (target && url && target.host !== new URL(url).host)
    return [
      {
        check: 'canonical',
        severity: 'medium',
        text: `The canonical address lies on another site, ${target.host}: search engines will show that one.`,
        evidence,
        remedy: 'Point it at this site, unless the other page is meant to be found instead.',
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
  const about = { check: 'charset', remedy: 'Save the page as UTF-8 and say so: <meta charset="utf-8">.' }
  if (delivery && delivery.undecodable > 0)
    return [
      {
        ...about,
        severity: 'high',
        text: `${count(delivery.undecodable, 'character', 'characters')} could not be read as ${delivery.charset}: the page is in another encoding than it says.`,
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
        text: 'The page does not say in which encoding it is written.',
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
          remedy: 'Begin the page with <!doctype html>.',
        },
      ]
    : []),
  ...(linksOf(facts, 'icon').length === 0 && linksOf(facts, 'apple-touch-icon').length === 0
    ? [
        {
          check: 'icon',
          severity: 'low' as const,
          text: 'The page names no icon.',
          evidence: '',
          remedy: 'Add <link rel="icon" href="…">, so that the page is known again among tabs and bookmarks.',
        },
      ]
    : []),
]
