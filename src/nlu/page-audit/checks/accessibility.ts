import {
  type AuditedPage,
  contentOf,
  count,
  type Finding,
  metasNamed,
  type PageFacts,
  quoteFrom,
} from '../page.ts'

/** Matches the syntax of BCP 47. */
const LANGUAGE = /^[a-z]{2,3}(?:-[a-z0-9]{1,8}){0,6}$/i

const languageFindings = ({ html }: AuditedPage, { html: root }: PageFacts): Finding[] => {
  const lang = root?.attributes.get('lang')?.trim() ?? root?.attributes.get('xml:lang')?.trim() ?? ''
  if (LANGUAGE.test(lang)) return []
  return [
    {
      check: 'language',
      severity: lang === '' ? 'high' : 'medium',
      text:
        lang === ''
          ? 'The page does not declare its language.'
          : 'The declared language is not a valid language tag.',
      evidence: root ? quoteFrom(html, [root]) : '',
      remedy: 'Declare it on the root element, such as <html lang="en">, for screen readers and translation.',
    },
  ]
}

const viewportFindings = ({ html }: AuditedPage, facts: PageFacts): Finding[] => {
  const tags = metasNamed(facts, 'viewport')
  const content = contentOf(tags[0]).toLowerCase().replaceAll(' ', '')
  const remedy = 'Add <meta name="viewport" content="width=device-width, initial-scale=1">.'
  if (content === '')
    return [
      {
        check: 'viewport',
        severity: 'high',
        remedy,
        text: 'The page has no viewport, so phones show it as a shrunken desktop page.',
        evidence: quoteFrom(html, tags),
      },
    ]
  const scale = /maximum-scale=([\d.]{1,10})/.exec(content)?.[1]
  if (/user-scalable=(?:no|0)/.test(content) || (scale !== undefined && Number(scale) < 2))
    return [
      {
        check: 'viewport',
        severity: 'medium',
        text: 'The page prevents zooming.',
        evidence: quoteFrom(html, tags),
        remedy: 'Remove user-scalable and maximum-scale from the viewport.',
      },
    ]
  if (content.includes('width=device-width')) return []
  return [
    {
      check: 'viewport',
      severity: 'medium',
      remedy,
      text: 'The viewport does not follow the width of the device.',
      evidence: quoteFrom(html, tags),
    },
  ]
}

const imageFindings = ({ html }: AuditedPage, { images }: PageFacts): Finding[] => {
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
            text: `${bare.length} of ${count(images.length, 'image has', 'images have')} no alternative text.`,
            evidence: quoteFrom(html, bare),
            remedy: 'Describe each image in alt; use alt="" for decorative images.',
          },
        ]),
    ...(named.length === 0
      ? []
      : [
          {
            check: 'image-file-names',
            severity: 'medium' as const,
            text: `${count(named.length, 'image has', 'images have')} a file name as alternative text.`,
            evidence: quoteFrom(html, named),
            remedy: 'Describe in words what the image shows.',
          },
        ]),
  ]
}

const formFindings = ({ html }: AuditedPage, { controls, buttons, labelsFor }: PageFacts): Finding[] => {
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
            text: `${bare.length} of ${count(controls.length, 'form field has', 'form fields have')} no label.`,
            evidence: quoteFrom(html, bare),
            remedy: 'Add a <label for="…"> for each field; a placeholder disappears when the user types.',
          },
        ]),
    ...(nameless.length === 0
      ? []
      : [
          {
            check: 'button-names',
            severity: 'high' as const,
            text: `${count(nameless.length, 'button has', 'buttons have')} no name.`,
            evidence: quoteFrom(html, nameless),
            remedy: 'Label each button with its action, or use aria-label.',
          },
        ]),
    ...(unhelpful.length === 0
      ? []
      : [
          {
            check: 'autocomplete',
            severity: 'low' as const,
            text: `${count(unhelpful.length, 'field', 'fields')} for personal data cannot be filled in by the browser.`,
            evidence: quoteFrom(html, unhelpful),
            remedy: 'Set autocomplete, for example to email or tel.',
          },
        ]),
  ]
}

const frameFindings = ({ html }: AuditedPage, { frames, repeatedIds }: PageFacts): Finding[] => {
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
            text: `${count(untitled.length, 'frame has', 'frames have')} no title.`,
            evidence: quoteFrom(html, untitled),
            remedy: 'Describe the content of each frame in title.',
          },
        ]),
    ...(repeatedIds.length === 0
      ? []
      : [
          {
            check: 'repeated-ids',
            severity: 'low' as const,
            text: `${count(repeatedIds.length, 'element has', 'elements have')} an id that another element already has.`,
            evidence: quoteFrom(html, repeatedIds),
            remedy: 'Use each id once: labels and links find only the first.',
          },
        ]),
  ]
}

export const checkAccessibility = (page: AuditedPage, facts: PageFacts): Finding[] => [
  ...languageFindings(page, facts),
  ...viewportFindings(page, facts),
  ...imageFindings(page, facts),
  ...formFindings(page, facts),
  ...frameFindings(page, facts),
]
