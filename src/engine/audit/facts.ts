import type { Place } from './finding.ts'
import type { Tag } from './markup.ts'

export interface Heading extends Place {
  level: number
  text: string
}
export interface Image extends Place {
  /** Null without the attribute; "" says that it is decoration. */
  alt: string | null
  /** Kept from those who listen to the page, by role or aria-hidden. */
  hidden: boolean
  src: string
  sized: boolean
}
export interface Anchor extends Place {
  href: string | null
  /** What it is called, by its words, its pictures or its labels. */
  name: string
}
export interface Control extends Place {
  type: string
  id: string
  labelled: boolean
  autocomplete: string | null
}
export interface Button extends Place {
  name: string
}
export interface Script extends Place {
  src: string | null
  type: string
  /** Runs before anything after it is shown. */
  blocks: boolean
  integrity: boolean
  length: number
}
export interface Block extends Place {
  text: string
}

/** What a page holds, as far as anything is checked by it. Lists are bounded; `total` counts all. */
export interface PageFacts {
  doctype: string | null
  html: Tag | null
  titles: Block[]
  metas: Tag[]
  links: Tag[]
  base: string | null
  headings: Heading[]
  images: Image[]
  anchors: Anchor[]
  controls: Control[]
  buttons: Button[]
  labelsFor: Set<string>
  forms: Tag[]
  scripts: Script[]
  structured: Block[]
  /** Elements with `itemscope`, and RDFa's `typeof`. */
  items: Tag[]
  frames: Tag[]
  repeatedIds: Tag[]
  /** What a page loads from elsewhere: the address and the tag. */
  loaded: { url: string; tag: Tag }[]
  landmarks: Set<string>
  /** Whether all of the page was looked at. */
  isWhole: boolean
  total: { elements: number; anchors: number; images: number; styles: number; words: number }
}

export const createFacts = (): PageFacts => ({
  doctype: null,
  html: null,
  titles: [],
  metas: [],
  links: [],
  base: null,
  headings: [],
  images: [],
  anchors: [],
  controls: [],
  buttons: [],
  labelsFor: new Set(),
  forms: [],
  scripts: [],
  structured: [],
  items: [],
  frames: [],
  repeatedIds: [],
  loaded: [],
  landmarks: new Set(),
  isWhole: true,
  total: { elements: 0, anchors: 0, images: 0, styles: 0, words: 0 },
})

const fold = (text: string | undefined): string => (text ?? '').trim().toLowerCase()

/** The tags of `<meta>` by `name`, `property` or `http-equiv`, whichever a page uses. */
export const metasNamed = (facts: PageFacts, name: string): Tag[] =>
  facts.metas.filter(({ attributes }) =>
    ['name', 'property', 'http-equiv'].some((key) => fold(attributes.get(key)) === name),
  )

export const contentOf = (tag: Tag | undefined): string => tag?.attributes.get('content')?.trim() ?? ''

export const linksOf = (facts: PageFacts, rel: string): Tag[] =>
  facts.links.filter(({ attributes }) => fold(attributes.get('rel')).split(/\s+/).includes(rel))
