import { type RefObject, useEffect } from 'react'
import { findWords } from '../search-words.ts'

/** The name in `::highlight()` of reading.css. */
const NAME = 'mail-search'
const TEXTS = '.message-text'

const findRanges = (root: Element, q: string): Range[] => {
  const ranges: Range[] = []
  for (const element of root.querySelectorAll(TEXTS)) {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode())
      for (const { start, end } of findWords(node.textContent ?? '', q)) {
        const range = new Range()
        range.setStart(node, start)
        range.setEnd(node, end)
        ranges.push(range)
      }
  }
  return ranges
}

/** Marks the words of a search in the plain text of an open conversation, also in messages that open later. */
export const useSearchMarks = (root: RefObject<HTMLElement | null>, q: string): void => {
  useEffect(() => {
    const element = root.current
    // Older browsers show the text without marks.
    if (!element || q.trim() === '' || typeof Highlight === 'undefined') return
    const mark = () => CSS.highlights.set(NAME, new Highlight(...findRanges(element, q)))
    const watcher = new MutationObserver(mark)
    mark()
    watcher.observe(element, { childList: true, subtree: true })
    return () => {
      watcher.disconnect()
      CSS.highlights.delete(NAME)
    }
  }, [root, q])
}
