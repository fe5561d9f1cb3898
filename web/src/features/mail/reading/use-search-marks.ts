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

/** Each window has a registry of its own. */
const markIn = (target: Window & typeof globalThis, elements: Iterable<Element>, q: string): void => {
  target.CSS.highlights.set(NAME, new target.Highlight(...findRanges(elements, q)))
}

/** The windows of HTML messages. They run no scripts, but the console can change them. */
const listFrames = (root: Element): (Window & typeof globalThis)[] =>
  [...root.querySelectorAll<HTMLIFrameElement>(FRAMES)].flatMap(
    ({ contentWindow }) => (contentWindow as (Window & typeof globalThis) | null) ?? [],
  )

/** Marks the words of a search in an open conversation, also in messages that open later. */
export const useSearchMarks = (root: RefObject<HTMLElement | null>, q: string): void => {
  useEffect(() => {
    const element = root.current
    // Older browsers show the text without marks.
    if (!element || q.trim() === '' || typeof Highlight === 'undefined') return
    const mark = () => {
      markIn(window, element.querySelectorAll(TEXTS), q)
      for (const frame of listFrames(element)) markIn(frame, [frame.document.body], q)
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
  }, [root, q])
}
