import { existsSync, globSync, readFileSync } from 'node:fs'

/**
 * The folder of the public data sets. EVALUATION_DATA selects another one, for example with the held-out
 * sets.
 */
export const ROOT = process.env.EVALUATION_DATA ?? '../shared/data'

export const hasData = (set: string): boolean => existsSync(`${ROOT}/${set}`)

/** Loads the cases of one part of a set: `en` of `datetime-ctparse` is every file `en.*.jsonl` there. */
export const loadCases = <T>(set: string, part: string): T[] =>
  globSync(`${ROOT}/${set}/${part}.*jsonl`)
    .sort()
    .flatMap((file) => readFileSync(file, 'utf8').split('\n'))
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as T)

/** Loads training data. Throws if there is none, because training on nothing would still yield a model. */
export const loadTrainingCases = <T>(set: string, part: string): T[] => {
  const trainingCases = loadCases<T>(set, part)
  if (trainingCases.length === 0)
    throw new Error(`No ${part} part of ${set} in ${ROOT}; EVALUATION_DATA names another folder.`)
  return trainingCases
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
