import { type RefObject, useEffect } from 'react'
import { findWords } from '../search-words.ts'
import { FRAME_RENDERED } from './html-document.ts'

/** The name in `::highlight()` of reading.css and of the message frames. */
const NAME = 'mail-search'
const TEXTS = '.message-text'
const FRAMES = 'iframe.message-frame'
/** A long message with a frequent word has more matches than a reader can use. */
const MAX_RANGES = 2_000

const findRanges = (elements: Iterable<Element>, q: string): Range[] => {
  const ranges: Range[] = []
  for (const element of elements) {
    const walker = element.ownerDocument.createTreeWalker(element, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node && ranges.length < MAX_RANGES; node = walker.nextNode())
      for (const { start, end } of findWords(node.textContent ?? '', q)) {
        const range = element.ownerDocument.createRange()
        range.setStart(node, start)
        range.setEnd(node, end)
        ranges.push(range)
      }
  }
  return ranges
}

/** Finds a quote, which may span elements and differ in white space. */
const findQuote = (elements: Iterable<Element>, quote: string): Range[] => {
  const searched = quote.replace(/\s+/g, '')
  for (const element of elements) {
    const walker = element.ownerDocument.createTreeWalker(element, NodeFilter.SHOW_TEXT)
    // The position of each character that is no white space.
    const places: { node: Node; offset: number }[] = []
    let text = ''
    for (let node = walker.nextNode(); node; node = walker.nextNode())
      for (const { 0: character, index } of (node.textContent ?? '').matchAll(/\S/g)) {
        text += character
        places.push({ node, offset: index })
      }
    const at = text.indexOf(searched)
    const [first, last] = [places[at], places[at + searched.length - 1]]
    if (at === -1 || !first || !last) continue
    const range = element.ownerDocument.createRange()
    range.setStart(first.node, first.offset)
    range.setEnd(last.node, last.offset + 1)
    return [range]
  }
  return []
}

/** Each window has a registry of its own. */
const markIn = (target: Window & typeof globalThis, ranges: readonly Range[]): void => {
  target.CSS.highlights.set(NAME, new target.Highlight(...ranges))
}

/** The windows of HTML messages. They run no scripts, but the console can change them. */
const listFrames = (root: Element): (Window & typeof globalThis)[] =>
  [...root.querySelectorAll<HTMLIFrameElement>(FRAMES)].flatMap(
    ({ contentWindow }) => (contentWindow as (Window & typeof globalThis) | null) ?? [],
  )

interface Marks {
  /** The words of a search. */
  q: string
  /** A sentence to show instead. The page scrolls to it. */
  quote: string
}

/** Marks words or a quote in an open thread, also in messages that open later. */
export const useSearchMarks = (root: RefObject<HTMLElement | null>, { q, quote }: Marks): void => {
  useEffect(() => {
    const element = root.current
    const isQuote = quote.trim() !== ''
    // Older browsers show the text without marks.
    if (!element || (!isQuote && q.trim() === '') || typeof Highlight === 'undefined') return
    let hasScrolled = false
    const markTexts = (target: Window & typeof globalThis, elements: Iterable<Element>) => {
      const ranges = isQuote ? findQuote(elements, quote) : findRanges(elements, q)
      markIn(target, ranges)
      if (!isQuote || hasScrolled || ranges.length === 0) return
      hasScrolled = true
      ranges[0]?.startContainer.parentElement?.scrollIntoView({ block: 'center' })
    }
    const mark = () => {
      markTexts(window, element.querySelectorAll(TEXTS))
      for (const frame of listFrames(element)) markTexts(frame, [frame.document.body])
    }
    const watcher = new MutationObserver(mark)
    mark()
    watcher.observe(element, { childList: true, subtree: true })
    element.addEventListener(FRAME_RENDERED, mark)
    return () => {
      watcher.disconnect()
      element.removeEventListener(FRAME_RENDERED, mark)
      for (const target of [window, ...listFrames(element)]) target.CSS.highlights.delete(NAME)
    }
  }, [root, q, quote])
}
