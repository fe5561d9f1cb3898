/*
 * Judges the rendered message, not its source. A style that looks suspicious often has no effect, and a harmless one
 * can hide text together with others.
 */

/** Shorter remains, such as separators, are not worth a notice. */
const MIN_CHARACTERS = 12
/** Newsletters begin with a hidden line for the message list. Longer text is not such a line. */
const MAX_PREHEADER_LENGTH = 400
const MAX_TEXT_NODES = 20_000
/** Contrast ratio (WCAG) below which nobody can see text. */
const INVISIBLE_CONTRAST = 1.05
/** Contrast ratio that large text needs at least. */
const READABLE_CONTRAST = 2.5

type Color = readonly [red: number, green: number, blue: number, alpha: number]

const parseColor = (text: string): Color | null => {
  const [red, green, blue, alpha = '1'] = /^rgba?\(([^)]*)\)$/.exec(text)?.[1]?.split(/[\s,/]+/) ?? []
  return red === undefined || green === undefined || blue === undefined
    ? null
    : [Number(red), Number(green), Number(blue), Number(alpha)]
}

const luminance = ([red, green, blue]: Color): number => {
  const [r = 0, g = 0, b = 0] = [red, green, blue].map((channel) => {
    const part = channel / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

const contrastOf = (a: Color, b: Color): number => {
  const [light = 0, dark = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x)
  return (light + 0.05) / (dark + 0.05)
}

interface Box {
  left: number
  top: number
  right: number
  bottom: number
}

const isEmpty = ({ left, top, right, bottom }: Box): boolean => right - left < 1 || bottom - top < 1

const intersect = (a: Box, b: Box): Box => ({
  left: Math.max(a.left, b.left),
  top: Math.max(a.top, b.top),
  right: Math.min(a.right, b.right),
  bottom: Math.min(a.bottom, b.bottom),
})

/** Computes styles once per element. */
class RenderedMessage {
  readonly root: Document
  readonly #window: Window
  readonly #styles = new Map<Element, CSSStyleDeclaration>()

  constructor(root: Document) {
    this.root = root
    this.#window = root.defaultView as Window
  }

  style(element: Element): CSSStyleDeclaration {
    const known = this.#styles.get(element)
    if (known) return known
    const style = this.#window.getComputedStyle(element)
    this.#styles.set(element, style)
    return style
  }

  *ancestors(element: Element): Iterable<Element> {
    for (let at: Element | null = element; at; at = at.parentElement) yield at
  }

  /** The color behind an element. Null if a picture, a gradient or a blended layer makes it unknown. */
  background(element: Element): Color | null {
    for (const at of this.ancestors(element)) {
      const { backgroundImage, backgroundColor, position, mixBlendMode, filter } = this.style(at)
      if (backgroundImage !== 'none' || mixBlendMode !== 'normal' || filter !== 'none') return null
      const color = parseColor(backgroundColor)
      if (!color || (color[3] > 0 && color[3] < 1)) return null
      if (color[3] === 1) return color
      // Positioned elements lie over other elements than their ancestors.
      if (position === 'absolute' || position === 'fixed') return null
    }
    const scheme = this.style(this.root.documentElement).colorScheme
    return scheme === 'dark' ? [18, 18, 18, 1] : [255, 255, 255, 1]
  }

  /** The part of a box that no ancestor cuts off. */
  clip(box: Box, element: Element): Box {
    let visible = box
    for (const at of this.ancestors(element)) {
      // The overflow of the root and the body belongs to the viewport, which scrolls.
      if (at === this.root.body || at === this.root.documentElement) break
      const { overflowX, overflowY, clip, clipPath, display } = this.style(at)
      if (clip.startsWith('rect(0px, 0px, 0px') || clipPath === 'inset(100%)' || clipPath === 'inset(50%)')
        return { left: 0, top: 0, right: 0, bottom: 0 }
      if (display === 'inline') continue
      // A reader can scroll to the content of the others.
      const cutsX = overflowX === 'hidden' || overflowX === 'clip'
      const cutsY = overflowY === 'hidden' || overflowY === 'clip'
      if (!cutsX && !cutsY) continue
      const bounds = at.getBoundingClientRect()
      visible = intersect(visible, {
        left: cutsX ? bounds.left : Number.NEGATIVE_INFINITY,
        right: cutsX ? bounds.right : Number.POSITIVE_INFINITY,
        top: cutsY ? bounds.top : Number.NEGATIVE_INFINITY,
        bottom: cutsY ? bounds.bottom : Number.POSITIVE_INFINITY,
      })
    }
    return visible
  }

  /** Whether a reader can reach a box by scrolling: there is no scrolling to the left or above the start. */
  isReachable(box: Box): boolean {
    const { scrollX, scrollY } = this.#window
    return box.right + scrollX > 0 && box.bottom + scrollY > 0
  }

  opacity(element: Element): number {
    let opacity = 1
    for (const at of this.ancestors(element)) opacity *= Number(this.style(at).opacity)
    return opacity
  }

  isVisible(node: Text): boolean {
    const element = node.parentElement
    if (!element) return false
    const style = this.style(element)
    if (style.visibility !== 'visible' || Number.parseFloat(style.fontSize) < 1) return false
    const range = this.root.createRange()
    range.selectNodeContents(node)
    // None if an ancestor is not displayed.
    const boxes = [...range.getClientRects()].filter((box) => !isEmpty(box))
    const seen = boxes.filter((box) => {
      const visible = this.clip(box, element)
      return !isEmpty(visible) && this.isReachable(visible)
    })
    if (seen.length === 0 || this.opacity(element) < 0.05) return false
    if (!this.hasContrastBelow(element, INVISIBLE_CONTRAST)) return true
    return seen.some((box) => this.isOverOther(box, element))
  }

  /** Text that shows the background of an element instead of a color. */
  isCutFromBackground(element: Element): boolean {
    for (const at of this.ancestors(element))
      if (this.style(at).getPropertyValue('-webkit-background-clip').includes('text')) return true
    return false
  }

  /** Whether another element, such as a picture or a positioned box, is painted at the place of the text. */
  isOverOther(box: Box, element: Element): boolean {
    const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2]
    return this.root.elementsFromPoint(x, y).some((other) => {
      if (other.contains(element) || element.contains(other)) return false
      const { backgroundColor, backgroundImage } = this.style(other)
      const color = parseColor(backgroundColor)
      return other.tagName === 'IMG' || backgroundImage !== 'none' || !color || color[3] > 0
    })
  }

  hasContrastBelow(element: Element, limit: number): boolean {
    const style = this.style(element)
    // A shadow or a filled outline can make such text visible.
    if (style.textShadow !== 'none' || this.isCutFromBackground(element)) return false
    const color = parseColor(style.getPropertyValue('-webkit-text-fill-color') || style.color)
    if (!color) return false
    if (color[3] === 0) return true
    const behind = this.background(element)
    return color[3] === 1 && behind !== null && contrastOf(color, behind) < limit
  }
}

const INVISIBLE = /[\s\p{Default_Ignorable_Code_Point}\u2800]+/gu
const plain = (text: string): string => text.replace(INVISIBLE, ' ').trim()
const comparable = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
const countWordCharacters = (text: string): number => text.match(/[\p{L}\p{N}]/gu)?.length ?? 0

const listTexts = (root: Document): Text[] => {
  const walker = root.createTreeWalker(root.body, NodeFilter.SHOW_TEXT)
  const nodes: Text[] = []
  while (nodes.length < MAX_TEXT_NODES && walker.nextNode()) {
    const node = walker.currentNode as Text
    if (plain(node.data) !== '' && !node.parentElement?.closest('details:not([open]),style,script'))
      nodes.push(node)
  }
  return nodes
}

const PHONE_QUERY = /max-(?:device-)?width:\s*(\d+)px/

/** Selectors of elements that the style sheets display on a phone. */
const listPhoneSelectors = (root: Document): string[] =>
  root.adoptedStyleSheets
    .flatMap((sheet) => [...sheet.cssRules])
    .filter((rule): rule is CSSMediaRule => 'media' in rule && 'cssRules' in rule)
    .filter(({ conditionText }) => {
      const width = Number(PHONE_QUERY.exec(conditionText)?.[1] ?? 0)
      return width >= 320 && width <= 1000
    })
    .flatMap(({ cssRules }) => [...cssRules])
    .filter((rule): rule is CSSStyleRule => 'selectorText' in rule)
    .filter(({ style }) => style.display !== '' && style.display !== 'none')
    .map(({ selectorText }) => selectorText)

/** Judges every text of a rendered message. */
export const judgeTexts = (root: Document): { node: Text; isVisible: boolean }[] => {
  const message = new RenderedMessage(root)
  return listTexts(root).map((node) => ({ node, isVisible: message.isVisible(node) }))
}

/**
 * Finds text that a reader cannot see. Harmless kinds do not count: the preview line at the start of a newsletter,
 * copies of visible text, and parts for phones.
 */
export const findHiddenText = (root: Document): string | null => {
  const phoneSelectors = listPhoneSelectors(root)
  const judged = judgeTexts(root).map(({ node, isVisible }) => ({
    text: plain(node.data),
    isVisible,
    isForPhones: phoneSelectors.some((selector) => node.parentElement?.closest(selector)),
  }))
  const visibleText = comparable(judged.map(({ text, isVisible }) => (isVisible ? text : '')).join(' '))
  const first = Math.max(
    0,
    judged.findIndex(({ isVisible }) => isVisible),
  )
  const leading = judged.slice(0, first).map(({ text }) => text)
  const isPreheader = leading.join(' ').length <= MAX_PREHEADER_LENGTH
  const hidden = judged
    .slice(isPreheader ? first : 0)
    .filter(({ isVisible, isForPhones }) => !isVisible && !isForPhones)
    .filter(({ text }) => !visibleText.includes(comparable(text)))
    .map(({ text }) => text)
    .join(' ')
  return countWordCharacters(hidden) < MIN_CHARACTERS ? null : hidden
}

/** Whether all visible text has enough contrast, for messages that claim to support dark mode. */
export const isReadable = (root: Document): boolean => {
  const message = new RenderedMessage(root)
  return listTexts(root).every((node) => {
    const element = node.parentElement
    const { display, visibility } = element ? message.style(element) : {}
    if (!element || display === 'none' || visibility !== 'visible') return true
    const range = root.createRange()
    range.selectNode(node)
    if (range.getClientRects().length === 0) return true
    return !message.hasContrastBelow(element, READABLE_CONTRAST)
  })
}
