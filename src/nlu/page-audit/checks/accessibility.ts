import type { AuditTexts } from '../locales/en.ts'
import { type AuditedPage, contentOf, type Finding, metasNamed, type PageFacts, quoteFrom } from '../page.ts'

type Texts = AuditTexts['accessibility']

/** Matches the syntax of BCP 47. */
const LANGUAGE = /^[a-z]{2,3}(?:-[a-z0-9]{1,8}){0,6}$/i

const languageFindings = (
  { html }: AuditedPage,
  { html: root }: PageFacts,
  { language: texts }: Texts,
): Finding[] => {
  const lang = root?.attributes.get('lang')?.trim() ?? root?.attributes.get('xml:lang')?.trim() ?? ''
  if (LANGUAGE.test(lang)) return []
  return [
    {
      check: 'language',
      severity: lang === '' ? 'high' : 'medium',
      text: lang === '' ? texts.missing : texts.invalid,
      evidence: root ? quoteFrom(html, [root]) : '',
      remedy: texts.remedy,
    },
  ]
}

const viewportFindings = ({ html }: AuditedPage, facts: PageFacts, { viewport: texts }: Texts): Finding[] => {
  const tags = metasNamed(facts, 'viewport')
  const content = contentOf(tags[0]).toLowerCase().replaceAll(' ', '')
  if (content === '')
    return [
      {
        check: 'viewport',
        severity: 'high',
        text: texts.missing,
        evidence: quoteFrom(html, tags),
        remedy: texts.remedy,
      },
    ]
  const scale = /maximum-scale=([\d.]{1,10})/.exec(content)?.[1]
  if (/user-scalable=(?:no|0)/.test(content) || (scale !== undefined && Number(scale) < 2))
    return [
      {
        check: 'viewport',
        severity: 'medium',
        text: texts.noZoom,
        evidence: quoteFrom(html, tags),
        remedy: texts.noZoomRemedy,
      },
    ]
  if (content.includes('width=device-width')) return []
  return [
    {
      check: 'viewport',
      severity: 'medium',
      text: texts.fixedWidth,
      evidence: quoteFrom(html, tags),
      remedy: texts.remedy,
    },
  ]
}

const imageFindings = ({ html }: AuditedPage, { images }: PageFacts, texts: Texts): Finding[] => {
  const bare = images.filter(({ alt, hidden }) => alt === null && !hidden)
  const named = images.filter(({ alt }) => alt && /^\S+\.(?:jpe?g|png|gif|webp|svg|avif|bmp)$/i.test(alt))
  const share = bare.length / Math.max(1, images.length)
  return [
    ...(bare.length === 0
      ? []
      : [
          {
            check: 'image-alternatives',
            severity: share > 0.5 && bare.length > 2 ? ('critical' as const) : ('high' as const),
            text: texts.imageAlternatives.text({ bare: bare.length, images: images.length }),
            evidence: quoteFrom(html, bare),
            remedy: texts.imageAlternatives.remedy,
          },
        ]),
    ...(named.length === 0
      ? []
      : [
          {
            check: 'image-file-names',
            severity: 'medium' as const,
            text: texts.imageFileNames.text(named.length),
            evidence: quoteFrom(html, named),
            remedy: texts.imageFileNames.remedy,
          },
        ]),
  ]
}

const formFindings = (
  { html }: AuditedPage,
  { controls, buttons, labelsFor }: PageFacts,
  texts: Texts,
): Finding[] => {
  const bare = controls.filter(({ labelled, id }) => !labelled && !(id !== '' && labelsFor.has(id)))
  const nameless = buttons.filter(({ name }) => name === '')
  const unhelpful = controls.filter(
    ({ type, autocomplete }) => /^(?:email|tel|password)$/.test(type) && autocomplete === null,
  )
  return [
    ...(bare.length === 0
      ? []
      : [
          {
            check: 'form-labels',
            severity: 'high' as const,
            text: texts.formLabels.text({ bare: bare.length, fields: controls.length }),
            evidence: quoteFrom(html, bare),
            remedy: texts.formLabels.remedy,
          },
        ]),
    ...(nameless.length === 0
      ? []
      : [
          {
            check: 'button-names',
            severity: 'high' as const,
            text: texts.buttonNames.text(nameless.length),
            evidence: quoteFrom(html, nameless),
            remedy: texts.buttonNames.remedy,
          },
        ]),
    ...(unhelpful.length === 0
      ? []
      : [
          {
            check: 'autocomplete',
            severity: 'low' as const,
            text: texts.autocomplete.text(unhelpful.length),
            evidence: quoteFrom(html, unhelpful),
            remedy: texts.autocomplete.remedy,
          },
        ]),
  ]
}

const frameFindings = (
  { html }: AuditedPage,
  { frames, repeatedIds }: PageFacts,
  texts: Texts,
): Finding[] => {
  const untitled = frames.filter(
    ({ attributes }) => !attributes.get('title') && !attributes.get('aria-label'),
  )
  return [
    ...(untitled.length === 0
      ? []
      : [
          {
            check: 'frame-titles',
            severity: 'medium' as const,
            text: texts.frameTitles.text(untitled.length),
            evidence: quoteFrom(html, untitled),
            remedy: texts.frameTitles.remedy,
          },
        ]),
    ...(repeatedIds.length === 0
      ? []
      : [
          {
            check: 'repeated-ids',
            severity: 'low' as const,
            text: texts.repeatedIds.text(repeatedIds.length),
            evidence: quoteFrom(html, repeatedIds),
            remedy: texts.repeatedIds.remedy,
          },
        ]),
  ]
}

export const checkAccessibility = (
  page: AuditedPage,
  facts: PageFacts,
  { accessibility: texts }: AuditTexts,
): Finding[] => [
  ...languageFindings(page, facts, texts),
  ...viewportFindings(page, facts, texts),
  ...imageFindings(page, facts, texts),
  ...formFindings(page, facts, texts),
  ...frameFindings(page, facts, texts),
]
