/** Elements whose words matter, while they are open. Bounded in number and in length, however deep a page goes. */
interface Capture {
  name: string
  text: string
  end(text: string, to: number): void
}

const MOST_OPEN = 40

/** Which an opening tag ends, as in browsers: a link or a heading holds no other of its kind. */
const kindOf = (name: string): string => (/^h[1-6]$/.test(name) ? 'heading' : name)
const EXCLUSIVE = new Set(['a', 'button', 'heading', 'title'])

export const createCaptures = () => {
  const open: Capture[] = []

  const endFrom = (index: number, to: number): void => {
    for (const capture of open.splice(index).reverse()) capture.end(capture.text, to)
  }

  return {
    begin(capture: Omit<Capture, 'text'>, from: number): void {
      const kind = kindOf(capture.name)
      if (EXCLUSIVE.has(kind)) {
        const index = open.findIndex(({ name }) => kindOf(name) === kind)
        if (index >= 0) endFrom(index, from)
      }
      if (open.length < MOST_OPEN) open.push({ ...capture, text: '' })
    },
    add(words: string, longest: number): void {
      for (const capture of open)
        if (capture.text.length < longest) capture.text += words.slice(0, longest - capture.text.length)
    },
    close(name: string, to: number): void {
      // Browsers let any heading's end tag end the heading that is open.
      const index = open.findLastIndex((capture) => kindOf(capture.name) === kindOf(name))
      if (index >= 0) endFrom(index, to)
    },
    isWithin: (name: string): boolean => open.some((capture) => capture.name === name),
    endAll: (to: number): void => endFrom(0, to),
  }
}
