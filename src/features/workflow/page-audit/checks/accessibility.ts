import type { AuditTexts } from '../locales/en.ts'
import { type AuditedPage, contentOf, type Findings, metasNamed, type PageFacts } from '../page.ts'

type Texts = AuditTexts['accessibility']

/** Matches the syntax of BCP 47. */
const LANGUAGE = /^[a-z]{2,3}(?:-[a-z0-9]{1,8}){0,6}$/i

const checkLanguage = ({ html: root }: PageFacts, { language: texts }: Texts, findings: Findings): void => {
  const lang = root?.attributes.get('lang')?.trim() ?? root?.attributes.get('xml:lang')?.trim() ?? ''
  if (LANGUAGE.test(lang)) return
  const { missing, invalid, remedy } = texts
  const evidence = findings.quote(root ? [root] : [])
  if (lang === '') findings.add('language', 'high', { text: missing, remedy }, evidence)
  else findings.add('language', 'medium', { text: invalid, remedy }, evidence)
}

const checkViewport = (facts: PageFacts, { viewport: texts }: Texts, findings: Findings): void => {
  const tags = metasNamed(facts, 'viewport')
  const { missing, noZoom, noZoomRemedy, fixedWidth, remedy } = texts
  const evidence = findings.quote(tags)
  const content = contentOf(tags[0]).toLowerCase().replaceAll(' ', '')
  const scale = /maximum-scale=([\d.]{1,10})/.exec(content)?.[1]
  if (content === '') findings.add('viewport', 'high', { text: missing, remedy }, evidence)
  else if (/user-scalable=(?:no|0)/.test(content) || (scale !== undefined && Number(scale) < 2))
    findings.add('viewport', 'medium', { text: noZoom, remedy: noZoomRemedy }, evidence)
  else if (!content.includes('width=device-width'))
    findings.add('viewport', 'medium', { text: fixedWidth, remedy }, evidence)
}

const checkImages = ({ images }: PageFacts, texts: Texts, findings: Findings): void => {
  const bare = images.filter(({ alt, hidden }) => alt === null && !hidden)
  const share = bare.length / Math.max(1, images.length)
  findings.addPlaces(
    'image-alternatives',
    share > 0.5 && bare.length > 2 ? 'critical' : 'high',
    {
      ...texts.imageAlternatives,
      text: texts.imageAlternatives.text({ bare: bare.length, images: images.length }),
    },
    bare,
  )
  const named = images.filter(({ alt }) => alt && /^\S+\.(?:jpe?g|png|gif|webp|svg|avif|bmp)$/i.test(alt))
  findings.addPlaces('image-file-names', 'medium', texts.imageFileNames, named)
}

const checkForms = ({ controls, buttons, labelsFor }: PageFacts, texts: Texts, findings: Findings): void => {
  const bare = controls.filter(({ labelled, id }) => !labelled && !(id !== '' && labelsFor.has(id)))
  const labels = texts.formLabels.text({ bare: bare.length, fields: controls.length })
  findings.addPlaces('form-labels', 'high', { ...texts.formLabels, text: labels }, bare)
  const nameless = buttons.filter(({ name }) => name === '')
  findings.addPlaces('button-names', 'high', texts.buttonNames, nameless)
  const unhelpful = controls.filter(
    ({ type, autocomplete }) => /^(?:email|tel|password)$/.test(type) && autocomplete === null,
  )
  findings.addPlaces('autocomplete', 'low', texts.autocomplete, unhelpful)
}

export const checkAccessibility = (
  _page: AuditedPage,
  facts: PageFacts,
  { accessibility: texts }: AuditTexts,
  findings: Findings,
): void => {
  checkLanguage(facts, texts, findings)
  checkViewport(facts, texts, findings)
  checkImages(facts, texts, findings)
  checkForms(facts, texts, findings)
  const untitled = facts.frames.filter(
    ({ attributes }) => !attributes.get('title') && !attributes.get('aria-label'),
  )
  findings.addPlaces('frame-titles', 'medium', texts.frameTitles, untitled)
  findings.addPlaces('repeated-ids', 'low', texts.repeatedIds, facts.repeatedIds)
}
