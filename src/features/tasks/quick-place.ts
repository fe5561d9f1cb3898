import type { QuickTask } from './schema.ts'

type Understood = QuickTask['understood'][number]

interface Named {
  id: number
  name: string
}

interface Mark extends Named {
  offset: number
  /** The sign and the name. */
  text: string
}

/** Finds a sign with the name of one of these things behind it. Of several names that fit, the longest counts. */
const findMark = (line: string, sign: '/' | '>', named: readonly Named[]): Mark | undefined => {
  const byLength = named.toSorted((one, other) => other.name.length - one.name.length)
  for (const { id, name } of byLength) {
    const match = new RegExp(`(?<=^|\\s)${sign}\\s?${RegExp.escape(name)}(?=$|[\\s,.;!?])`, 'iu').exec(line)
    if (match) return { id, name, offset: match.index, text: match[0] }
  }
  return undefined
}

/** Replaces a mark by spaces, so that offsets stay. */
const blank = (line: string, mark: Mark | undefined): string =>
  mark === undefined
    ? line
    : line.slice(0, mark.offset) + ' '.repeat(mark.text.length) + line.slice(mark.offset + mark.text.length)

/** Returns what a line may name: the sections of the list, and tasks with words of the line. */
export interface Nameable {
  sections(): Promise<readonly Named[]>
  tasks(query: string): Promise<readonly Named[]>
}

export interface QuickPlace {
  /** The line without the place. */
  line: string
  sectionId: number | null
  parentId: number | null
  understood: Understood[]
}

const MAX_QUERY = 100

/** Reads `/Section` and `>Task`: where a new task goes. A name that does not exist stays in the title. */
export const readQuickPlace = async (given: string, nameable: Nameable): Promise<QuickPlace> => {
  const after = /(?<=^|\s)>\s?(?=\S)/u.exec(given)
  const [word = ''] = after === null ? [] : given.slice(after.index + after[0].length).split(/\s/u, 1)
  const parents = word === '' ? [] : await nameable.tasks(word.slice(0, MAX_QUERY))
  const parent = findMark(given, '>', parents)
  const line = blank(given, parent)
  const sections = !parent && /(?<=^|\s)\/\s?\S/u.test(line) ? await nameable.sections() : []
  const section = findMark(line, '/', sections)
  const marks = [
    ...(parent ? [{ kind: 'parent' as const, text: parent.text, offset: parent.offset }] : []),
    ...(section ? [{ kind: 'section' as const, text: section.text, offset: section.offset }] : []),
  ]
  return {
    line: blank(line, section),
    sectionId: section?.id ?? null,
    parentId: parent?.id ?? null,
    understood: marks,
  }
}
