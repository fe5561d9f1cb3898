import { createCaptures } from './captures.ts'
import { createFacts, type PageFacts } from './facts.ts'
import type { Place } from './finding.ts'
import { readMarkup, type Tag } from './markup.ts'

/** More of one kind says nothing new; they are counted still. */
const MOST = 2_000
const MOST_IDS = 50_000
const LONGEST_WORDS = 400
const LONGEST_STRUCTURED = 400_000

const LANDMARKS = new Set(['main', 'nav', 'header', 'footer', 'aside'])
const CONTROLS = new Set(['input', 'select', 'textarea'])
/** Named by what they show, or not shown at all. */
const UNLABELLED_INPUTS = new Set(['hidden', 'submit', 'button', 'reset', 'image'])
/** What may stand in a head: the first other tag begins the body, as in browsers. */
const HEAD = new Set(
  'html head title meta link base script style noscript template object bgsound basefont'.split(' '),
)
const LOADS: Record<string, string> = {
  script: 'src',
  img: 'src',
  iframe: 'src',
  audio: 'src',
  video: 'src',
  source: 'src',
  embed: 'src',
  object: 'data',
}

const squeeze = (text: string): string => text.replace(/\s+/g, ' ').trim()

/** What a tag says of itself to those who cannot see it. */
const labelOf = ({ attributes }: Tag): string =>
  squeeze(
    attributes.get('aria-label') ||
      (attributes.get('aria-labelledby') ? 'labelled elsewhere' : '') ||
      attributes.get('title') ||
      '',
  )

const isHidden = ({ attributes }: Tag): boolean =>
  attributes.get('aria-hidden') === 'true' || /^(?:presentation|none)$/.test(attributes.get('role') ?? '')

export const readFacts = (html: string): PageFacts => {
  const facts = createFacts()
  const captures = createCaptures()
  const ids = new Set<string>()
  let inHead = true
  let [drawings, templates, unscripted] = [0, 0, 0]

  const keep = <T>(list: T[], one: T): void => {
    if (list.length < MOST) list.push(one)
  }
  const capture = (tag: Tag, end: (text: string, place: Place) => void): void =>
    captures.begin(
      {
        name: tag.name,
        end: (text, to) => end(text, { from: tag.from, to: Math.max(to, tag.to) }),
      },
      tag.from,
    )

  const openScript = (tag: Tag): void => {
    const { attributes } = tag
    const type = (attributes.get('type') ?? '').trim().toLowerCase()
    if (type === 'application/ld+json') {
      capture(tag, (text, place) => keep(facts.structured, { text, ...place }))
      return
    }
    const src = attributes.get('src') ?? null
    const isCode = type === '' || type.includes('javascript') || type === 'module'
    const blocks =
      inHead &&
      isCode &&
      src !== null &&
      type !== 'module' &&
      !attributes.has('async') &&
      !attributes.has('defer')
    capture(tag, (text, { from }) =>
      keep(facts.scripts, {
        ...{ src, type, blocks, integrity: attributes.has('integrity') },
        ...{ length: text.length, from, to: tag.to },
      }),
    )
  }

  const openControl = (tag: Tag): void => {
    const { attributes } = tag
    const type = tag.name === 'input' ? (attributes.get('type') ?? 'text').trim().toLowerCase() : tag.name
    if (type === 'image')
      keep(facts.buttons, {
        name: squeeze(attributes.get('alt') ?? '') || labelOf(tag),
        from: tag.from,
        to: tag.to,
      })
    if (tag.name === 'input' && UNLABELLED_INPUTS.has(type)) return
    keep(facts.controls, {
      ...{ type, id: attributes.get('id') ?? '', from: tag.from, to: tag.to },
      labelled: labelOf(tag) !== '' || captures.isWithin('label'),
      autocomplete: attributes.get('autocomplete') ?? null,
    })
  }

  const openImage = (tag: Tag): void => {
    const { attributes, from, to } = tag
    const alt = attributes.get('alt')?.trim() ?? null
    facts.total.images++
    keep(facts.images, {
      ...{ alt, hidden: isHidden(tag) || labelOf(tag) !== '', src: attributes.get('src') ?? '', from, to },
      sized: attributes.has('width') && attributes.has('height'),
    })
    if (alt) captures.add(` ${alt} `, LONGEST_WORDS)
  }

  /** What each kind of tag is kept for. */
  const kinds: Record<string, (tag: Tag) => void> = {
    html: (tag) => {
      facts.html ??= tag
    },
    base: (tag) => {
      facts.base ??= tag.attributes.get('href') ?? null
    },
    title: (tag) => {
      if (drawings === 0) capture(tag, (text, place) => keep(facts.titles, { text: squeeze(text), ...place }))
    },
    meta: (tag) => keep(facts.metas, tag),
    link: (tag) => keep(facts.links, tag),
    script: openScript,
    style: (tag) =>
      capture(tag, (text) => {
        facts.total.styles += text.length
      }),
    img: openImage,
    a: (tag) => {
      facts.total.anchors++
      const href = tag.attributes.get('href')?.trim() ?? null
      capture(tag, (text, { from }) =>
        keep(facts.anchors, { href, name: squeeze(text) || labelOf(tag), from, to: tag.to }),
      )
    },
    button: (tag) =>
      capture(tag, (text, { from }) =>
        keep(facts.buttons, { name: squeeze(text) || labelOf(tag), from, to: tag.to }),
      ),
    label: (tag) => {
      const target = tag.attributes.get('for')
      if (target && facts.labelsFor.size < MOST) facts.labelsFor.add(target)
      capture(tag, () => {})
    },
    form: (tag) => keep(facts.forms, tag),
    iframe: (tag) => keep(facts.frames, tag),
  }
  for (const name of CONTROLS) kinds[name] = openControl
  for (const level of [1, 2, 3, 4, 5, 6])
    kinds[`h${level}`] = (tag) =>
      capture(tag, (text, place) =>
        keep(facts.headings, { level, text: squeeze(text) || labelOf(tag), ...place }),
      )

  const note = (tag: Tag): void => {
    const { name, attributes } = tag
    if (attributes.size === 0) return
    const id = attributes.get('id')
    if (id) {
      if (ids.has(id)) keep(facts.repeatedIds, tag)
      else if (ids.size < MOST_IDS) ids.add(id)
    }
    if (attributes.has('itemscope') || attributes.has('typeof')) keep(facts.items, tag)
    const role = attributes.get('role')
    if (role === 'main' || role === 'navigation') facts.landmarks.add(role === 'main' ? 'main' : 'nav')
    const isSheet = name === 'link' && /\bstylesheet\b/i.test(attributes.get('rel') ?? '')
    const url = attributes.get(isSheet ? 'href' : (LOADS[name] ?? ''))?.trim()
    if (url) keep(facts.loaded, { url, tag })
  }

  facts.isWhole = readMarkup(html, {
    doctype: (words) => {
      if (/^!?doctype/i.test(words)) facts.doctype ??= words
    },
    open(tag) {
      facts.total.elements++
      const { name } = tag
      if (inHead && !HEAD.has(name)) inHead = false
      if (name === 'svg') drawings++
      else if (name === 'template') templates++
      else if (name === 'noscript') unscripted++
      if (templates > 0) return
      note(tag)
      if (LANDMARKS.has(name)) facts.landmarks.add(name)
      if (unscripted === 0 && Object.hasOwn(kinds, name)) kinds[name]?.(tag)
    },
    close(name, from) {
      if (name === 'svg') drawings = Math.max(0, drawings - 1)
      else if (name === 'template') templates = Math.max(0, templates - 1)
      else if (name === 'noscript') unscripted = Math.max(0, unscripted - 1)
      captures.close(name, from)
    },
    text(words) {
      const inCode = captures.isWithin('script') || captures.isWithin('style')
      captures.add(words, inCode ? LONGEST_STRUCTURED : LONGEST_WORDS)
      if (!inCode) facts.total.words += words.length
    },
  })
  captures.endAll(html.length)
  return facts
}
