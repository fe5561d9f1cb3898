export interface Sentence {
  from: number
  to: number
}

const END =
  /(?=[.?!])(?<!\b(?:Dr|Mr|Mrs|Ms|Mt|St|vs|No|Nr|ca|bzw|z\.B|d\.h|u\.a|e\.g|i\.e|a|p|m|(?<!\b(?:at|by|till|until|around|um|gegen)\s)\d|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec|Mo|Di|Mi|Do|Fr|Sa|So))(?!(?<=\b(?:bis zum|am|zum|vom|den|dem)\s\d\d)\.\s\p{Lu})(?!(?<=\b\d\d)\.\s(?:\p{Ll}|Jan|Feb|Mär|Apr|Mai|Jun|Jul|Aug|Sep|Okt|Nov|Dez))[.?!]+["')\]]?(?=\s|$)|(?<=\d)\.(?=\s(?:Can|Could|Would|Will|Please|I|We|You|They|He|She|It|The|This|That|If|Do|Does|Did|Is|Are|What|When|Where|Who|How|Why|Let|Also|Then|Thanks|Bitte|Können|Könnten|Kannst|Könntest|Wir|Ich|Danke|Außerdem|Falls|Wenn)\s)|\n+/gu

/** A text cut into sentences and lines; every character belongs to one. */
export const sentencesOf = (text: string): Sentence[] => {
  const sentences: Sentence[] = []
  let from = 0
  let looked = 0
  for (const match of text.matchAll(END)) {
    const to = match.index + match[0].length
    // What is blank belongs to the next one; it is looked at once.
    const isBlank = text.slice(looked, to).trim() === ''
    looked = to
    if (isBlank) continue
    sentences.push({ from, to })
    from = to
  }
  if (from < text.length || sentences.length === 0) sentences.push({ from, to: text.length })
  return sentences
}

/** With single blanks between the words. */
export const onOneLine = (text: string): string => text.replace(/\s{2,}|[^\S ]/g, ' ')

/** The index of the sentence that holds an offset. */
export const sentenceAt = (sentences: readonly Sentence[], offset: number): number => {
  const found = sentences.findIndex(({ to }) => offset < to)
  return found < 0 ? sentences.length - 1 : found
}
