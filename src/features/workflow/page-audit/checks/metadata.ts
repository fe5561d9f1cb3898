import type { AuditTexts } from '../locales/en.ts'
import {
  type AuditedPage,
  contentOf,
  type Findings,
  linksOf,
  metasNamed,
  type PageFacts,
  quoteText,
} from '../page.ts'

type MetadataTexts = AuditTexts['metadata']

const TITLE = { shortest: 10, longest: 65 }
const DESCRIPTION = { shortest: 50, longest: 170 }

const checkTitle = ({ titles }: PageFacts, texts: MetadataTexts['title'], findings: Findings): void => {
  const [first] = titles
  const length = first?.text.length ?? 0
  const { remedy } = texts
  if (length === 0)
    findings.add(
      'title',
      'critical',
      { text: first ? texts.empty : texts.missing, remedy },
      findings.quote(titles.slice(0, 1)),
    )
  else if (titles.length > 1) findings.addPlaces('title', 'medium', { text: texts.several, remedy }, titles)
  else if (length < TITLE.shortest)
    findings.addPlaces('title', 'low', { text: texts.short(length), remedy }, titles)
  else if (length > TITLE.longest)
    findings.addPlaces('title', 'low', { text: texts.long(length), remedy }, titles)
}

const checkDescription = (
  facts: PageFacts,
  texts: MetadataTexts['description'],
  findings: Findings,
): void => {
  const tags = metasNamed(facts, 'description')
  const { length } = contentOf(tags[0])
  const { remedy } = texts
  const evidence = findings.quote(tags.slice(0, 1))
  if (length === 0)
    findings.add(
      'description',
      'high',
      { text: tags.length > 0 ? texts.empty : texts.missing, remedy },
      evidence,
    )
  else if (length < DESCRIPTION.shortest)
    findings.add('description', 'low', { text: texts.short(length), remedy }, evidence)
  else if (length > DESCRIPTION.longest)
    findings.add('description', 'low', { text: texts.long(length), remedy }, evidence)
}

const checkCanonical = (
  { url }: AuditedPage,
  facts: PageFacts,
  texts: MetadataTexts['canonical'],
  findings: Findings,
): void => {
  const tags = linksOf(facts, 'canonical')
  const hrefs = new Set(tags.map(({ attributes }) => attributes.get('href')))
  const { missing, several, invalid, otherSite, otherSiteRemedy, remedy } = texts
  const [href = ''] = hrefs
  const target = URL.parse(href, url ?? undefined)
  if (tags.length === 0) findings.add('canonical', 'low', { text: missing, remedy })
  else if (hrefs.size > 1) findings.addPlaces('canonical', 'medium', { text: several, remedy }, tags)
  else if (target === null && (url !== null || href === ''))
    findings.addPlaces('canonical', 'medium', { text: invalid, remedy }, tags)
  else if (target && url && target.host !== new URL(url).host)
    findings.addPlaces('canonical', 'medium', { text: otherSite(target.host), remedy: otherSiteRemedy }, tags)
}

const checkCharset = (
  { delivery }: AuditedPage,
  facts: PageFacts,
  texts: MetadataTexts['charset'],
  findings: Findings,
): void => {
  const declared = facts.metas.filter(
    ({ attributes }) =>
      attributes.has('charset') || (attributes.get('http-equiv') ?? '').toLowerCase() === 'content-type',
  )
  const header = delivery?.headers.get('content-type') ?? ''
  const isInHeader = header.toLowerCase().includes('charset')
  const { remedy } = texts
  if (delivery && delivery.undecodable > 0)
    findings.add(
      'charset',
      'high',
      { text: texts.undecodable({ characters: delivery.undecodable, charset: delivery.charset }), remedy },
      quoteText(isInHeader ? `content-type: ${header}` : findings.quote(declared)),
    )
  else if (declared.length === 0 && !isInHeader)
    findings.add(
      'charset',
      'medium',
      { text: texts.missing, remedy },
      header === '' ? '' : quoteText(`content-type: ${header}`),
    )
}

export const checkMetadata = (
  page: AuditedPage,
  facts: PageFacts,
  { metadata: texts }: AuditTexts,
  findings: Findings,
): void => {
  checkTitle(facts, texts.title, findings)
  checkDescription(facts, texts.description, findings)
  checkCanonical(page, facts, texts.canonical, findings)
  checkCharset(page, facts, texts.charset, findings)
  if (facts.doctype === null)
    findings.add('doctype', 'medium', texts.doctype, quoteText(page.html.trimStart().slice(0, 60)))
  if (linksOf(facts, 'icon').length === 0 && linksOf(facts, 'apple-touch-icon').length === 0)
    findings.add('icon', 'low', texts.icon)
}

const WANTED = ['og:title', 'og:description', 'og:image', 'og:url', 'og:type']
const CARDS = new Set(['summary', 'summary_large_image', 'app', 'player'])

export const checkSocial = (
  { url }: AuditedPage,
  facts: PageFacts,
  { social: texts }: AuditTexts,
  findings: Findings,
): void => {
  const { openGraph, cardImage, twitterCard } = texts
  const lacking = WANTED.filter((name) => contentOf(metasNamed(facts, name)[0]) === '')
  const names = lacking.join(', ')
  if (lacking.length === WANTED.length)
    findings.add('open-graph', 'high', { text: openGraph.missing, remedy: openGraph.missingRemedy })
  else if (lacking.length > 0)
    findings.add(
      'open-graph',
      lacking.includes('og:title') || lacking.includes('og:image') ? 'medium' : 'low',
      { text: openGraph.incomplete(names), remedy: openGraph.incompleteRemedy(names) },
      findings.quote(WANTED.flatMap((name) => metasNamed(facts, name))),
    )
  const [image] = metasNamed(facts, 'og:image')
  const address = contentOf(image)
  if (image && address !== '' && !/^https?:\/\//i.test(address)) {
    const absolute = quoteText(URL.parse(address, url ?? 'https://example.com/')?.href ?? 'https://…')
    findings.addPlaces('card-image', 'medium', { text: cardImage.text, remedy: cardImage.remedy(absolute) }, [
      image,
    ])
  }
  const [card] = metasNamed(facts, 'twitter:card')
  if (!card)
    findings.add('twitter-card', 'low', { text: twitterCard.missing, remedy: twitterCard.missingRemedy })
  else if (!CARDS.has(contentOf(card).toLowerCase()))
    findings.addPlaces(
      'twitter-card',
      'low',
      { text: twitterCard.unknown, remedy: twitterCard.unknownRemedy },
      [card],
    )
}

export const checkHeadings = (
  _page: AuditedPage,
  { headings, landmarks }: PageFacts,
  { headings: texts }: AuditTexts,
  findings: Findings,
): void => {
  const main = headings.filter(({ level }) => level === 1)
  if (headings.length === 0) findings.add('headings', 'high', texts.missing)
  else if (main.length === 0) findings.addPlaces('main-heading', 'high', texts.noMain, headings.slice(0, 1))
  else if (main.length > 1) findings.addPlaces('main-heading', 'low', texts.severalMain, main)
  const empty = headings.filter(({ text }) => text === '')
  findings.addPlaces('empty-headings', 'medium', texts.empty, empty)
  const jumps = headings.filter(
    ({ level }, index) => index > 0 && level > (headings[index - 1]?.level ?? 6) + 1,
  )
  findings.addPlaces('heading-order', 'low', texts.order, jumps)
  if (!landmarks.has('main')) findings.add('main-landmark', 'low', texts.noMainLandmark)
}
