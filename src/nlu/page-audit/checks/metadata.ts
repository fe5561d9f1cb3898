import type { AuditTexts } from '../locales/en.ts'
import {
  type AuditedPage,
  contentOf,
  type Finding,
  linksOf,
  metasNamed,
  type PageFacts,
  quoteFrom,
  quoteText,
} from '../page.ts'

type MetadataTexts = AuditTexts['metadata']

const TITLE = { shortest: 10, longest: 65 }
const DESCRIPTION = { shortest: 50, longest: 170 }

const titleFindings = (
  { html }: AuditedPage,
  { titles }: PageFacts,
  { title: texts }: MetadataTexts,
): Finding[] => {
  const [first] = titles
  const about = { check: 'title', remedy: texts.remedy }
  if (!first || first.text === '')
    return [
      {
        ...about,
        severity: 'critical',
        text: first ? texts.empty : texts.missing,
        evidence: quoteFrom(html, titles.slice(0, 1)),
      },
    ]
  const { length } = first.text
  if (titles.length > 1)
    return [
      {
        ...about,
        severity: 'medium',
        text: texts.several(titles.length),
        evidence: quoteFrom(html, titles),
      },
    ]
  if (length < TITLE.shortest || length > TITLE.longest)
    return [
      {
        ...about,
        severity: 'low',
        text: length < TITLE.shortest ? texts.short(length) : texts.long(length),
        evidence: quoteFrom(html, [first]),
      },
    ]
  return []
}

const descriptionFindings = (
  { html }: AuditedPage,
  facts: PageFacts,
  { description: texts }: MetadataTexts,
): Finding[] => {
  const tags = metasNamed(facts, 'description')
  const { length } = contentOf(tags[0])
  const about = { check: 'description', remedy: texts.remedy }
  if (length === 0)
    return [
      {
        ...about,
        severity: 'high',
        text: tags.length > 0 ? texts.empty : texts.missing,
        evidence: quoteFrom(html, tags.slice(0, 1)),
      },
    ]
  if (length >= DESCRIPTION.shortest && length <= DESCRIPTION.longest) return []
  return [
    {
      ...about,
      severity: 'low',
      text: length < DESCRIPTION.shortest ? texts.short(length) : texts.long(length),
      evidence: quoteFrom(html, tags.slice(0, 1)),
    },
  ]
}

const canonicalFindings = (
  { html, url }: AuditedPage,
  facts: PageFacts,
  { canonical: texts }: MetadataTexts,
): Finding[] => {
  const tags = linksOf(facts, 'canonical')
  const [first] = tags
  const { remedy } = texts
  if (!first)
    return [
      {
        check: 'canonical',
        severity: 'low',
        text: texts.missing,
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
        text: texts.several,
        evidence,
        remedy,
      },
    ]
  if (target === null && (url !== null || href === ''))
    return [
      {
        check: 'canonical',
        severity: 'medium',
        text: texts.invalid,
        evidence,
        remedy,
      },
    ]
  if (target && url && target.host !== new URL(url).host)
    return [
      {
        check: 'canonical',
        severity: 'medium',
        text: texts.otherSite(target.host),
        evidence,
        remedy: texts.otherSiteRemedy,
      },
    ]
  return []
}

const charsetFindings = (
  { html, delivery }: AuditedPage,
  facts: PageFacts,
  { charset: texts }: MetadataTexts,
): Finding[] => {
  const declared = facts.metas.filter(
    ({ attributes }) =>
      attributes.has('charset') || (attributes.get('http-equiv') ?? '').toLowerCase() === 'content-type',
  )
  const header = delivery?.headers.get('content-type') ?? ''
  const about = { check: 'charset', remedy: texts.remedy }
  if (delivery && delivery.undecodable > 0)
    return [
      {
        ...about,
        severity: 'high',
        text: texts.undecodable({ characters: delivery.undecodable, charset: delivery.charset }),
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
        text: texts.missing,
        evidence: header === '' ? '' : quoteText(`content-type: ${header}`),
      },
    ]
  return []
}

export const checkMetadata = (
  page: AuditedPage,
  facts: PageFacts,
  { metadata: texts }: AuditTexts,
): Finding[] => [
  ...titleFindings(page, facts, texts),
  ...descriptionFindings(page, facts, texts),
  ...canonicalFindings(page, facts, texts),
  ...charsetFindings(page, facts, texts),
  ...(facts.doctype === null
    ? [
        {
          check: 'doctype',
          severity: 'medium' as const,
          text: texts.doctype.text,
          evidence: quoteText(page.html.trimStart().slice(0, 60)),
          remedy: texts.doctype.remedy,
        },
      ]
    : []),
  ...(linksOf(facts, 'icon').length === 0 && linksOf(facts, 'apple-touch-icon').length === 0
    ? [
        {
          check: 'icon',
          severity: 'low' as const,
          text: texts.icon.text,
          evidence: '',
          remedy: texts.icon.remedy,
        },
      ]
    : []),
]

const WANTED = ['og:title', 'og:description', 'og:image', 'og:url', 'og:type']
const CARDS = new Set(['summary', 'summary_large_image', 'app', 'player'])

export const checkSocial = (
  { html, url }: AuditedPage,
  facts: PageFacts,
  { social: texts }: AuditTexts,
): Finding[] => {
  const lacking = WANTED.filter((name) => contentOf(metasNamed(facts, name)[0]) === '')
  const findings: Finding[] = []
  if (lacking.length === WANTED.length)
    findings.push({
      check: 'open-graph',
      severity: 'high',
      text: texts.openGraph.missing,
      evidence: '',
      remedy: texts.openGraph.missingRemedy,
    })
  else if (lacking.length > 0)
    findings.push({
      check: 'open-graph',
      severity: lacking.includes('og:title') || lacking.includes('og:image') ? 'medium' : 'low',
      text: texts.openGraph.incomplete(lacking.join(', ')),
      evidence: quoteFrom(
        html,
        WANTED.flatMap((name) => metasNamed(facts, name)),
      ),
      remedy: texts.openGraph.incompleteRemedy(lacking.join(', ')),
    })
  const [image] = metasNamed(facts, 'og:image')
  const address = contentOf(image)
  if (image && address !== '' && !/^https?:\/\//i.test(address))
    findings.push({
      check: 'card-image',
      severity: 'medium',
      text: texts.cardImage.text,
      evidence: quoteFrom(html, [image]),
      remedy: texts.cardImage.remedy(
        quoteText(URL.parse(address, url ?? 'https://example.com/')?.href ?? 'https://…'),
      ),
    })
  const [card] = metasNamed(facts, 'twitter:card')
  if (!card)
    findings.push({
      check: 'twitter-card',
      severity: 'low',
      text: texts.twitterCard.missing,
      evidence: '',
      remedy: texts.twitterCard.missingRemedy,
    })
  else if (!CARDS.has(contentOf(card).toLowerCase()))
    findings.push({
      check: 'twitter-card',
      severity: 'low',
      text: texts.twitterCard.unknown,
      evidence: quoteFrom(html, [card]),
      remedy: texts.twitterCard.unknownRemedy,
    })
  return findings
}

export const checkHeadings = (
  { html }: AuditedPage,
  { headings, landmarks }: PageFacts,
  { headings: texts }: AuditTexts,
): Finding[] => {
  const findings: Finding[] = []
  const main = headings.filter(({ level }) => level === 1)
  if (headings.length === 0)
    findings.push({
      check: 'headings',
      severity: 'high',
      text: texts.missing.text,
      evidence: '',
      remedy: texts.missing.remedy,
    })
  else if (main.length === 0)
    findings.push({
      check: 'main-heading',
      severity: 'high',
      text: texts.noMain.text,
      evidence: quoteFrom(html, headings.slice(0, 1)),
      remedy: texts.noMain.remedy,
    })
  else if (main.length > 1)
    findings.push({
      check: 'main-heading',
      severity: 'low',
      text: texts.severalMain.text(main.length),
      evidence: quoteFrom(html, main),
      remedy: texts.severalMain.remedy,
    })
  const empty = headings.filter(({ text }) => text === '')
  if (empty.length > 0)
    findings.push({
      check: 'empty-headings',
      severity: 'medium',
      text: texts.empty.text(empty.length),
      evidence: quoteFrom(html, empty),
      remedy: texts.empty.remedy,
    })
  const jumps = headings.filter(
    ({ level }, index) => index > 0 && level > (headings[index - 1]?.level ?? 6) + 1,
  )
  if (jumps.length > 0)
    findings.push({
      check: 'heading-order',
      severity: 'low',
      text: texts.order.text(jumps.length),
      evidence: quoteFrom(html, jumps),
      remedy: texts.order.remedy,
    })
  if (!landmarks.has('main'))
    findings.push({
      check: 'main-landmark',
      severity: 'low',
      text: texts.noMainLandmark.text,
      evidence: '',
      remedy: texts.noMainLandmark.remedy,
    })
  return findings
}
