import { existsSync, globSync, readFileSync } from 'node:fs'

/** Where the public halves lie beside the project; the held ones are measured the same way where they are given. */
const ROOT = process.env.EVALUATION_DATA ?? '../shared/data'

export const hasData = (set: string): boolean => existsSync(`${ROOT}/${set}`)

/** The cases of a part of a set: `en` of `datetime-ctparse` is every file `en.*.jsonl` there. */
export const loadCases = <T>(set: string, part: string): T[] =>
  globSync(`${ROOT}/${set}/${part}.*jsonl`)
    .sort()
    .flatMap((file) => readFileSync(file, 'utf8').split('\n'))
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as T)

/** As much as a model is made of. Nothing at all is refused, for what is learnt from it still looks like a model. */
export const loadLessons = <T>(set: string, part: string): T[] => {
  const lessons = loadCases<T>(set, part)
  if (lessons.length === 0)
    throw new Error(`No ${part} part of ${set} in ${ROOT}; EVALUATION_DATA names another folder.`)
  return lessons
}

export interface Rate {
  right: number
  of: number
  wrong: string[]
}

export const rate = <T extends { text: string }>(cases: readonly T[], isRight: (one: T) => boolean): Rate => {
  const wrong = cases.filter((one) => !isRight(one)).map(({ text }) => text)
  return { right: cases.length - wrong.length, of: cases.length, wrong }
}

export const percent = ({ right, of }: { right: number; of: number }): number =>
  of === 0 ? 0 : (100 * right) / of
