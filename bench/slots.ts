/*
 * Measures how well the tagger marks the arguments of requests. `npm run evaluate` runs it, too. The shipped model knows
 * the public sentences of its own sources, so models trained here on a part of them are tested on the rest.
 */
import { unpackTagger } from '../src/nlu/tagger/model.ts'
import { type Argument, type Role, tagArguments, tagWith } from '../src/nlu/tagger/tagger.ts'
import { hasData } from './nlu/data.ts'
import {
  countSlots,
  f1,
  isValidation,
  loadSlotSentences,
  SHIPPED_SOURCES,
  type SlotSentence,
} from './nlu/slots.ts'
import { trainTaggerOn } from './train/tagger.ts'

/** Fewer examples say little about a role. */
const MIN_EXAMPLES = 20

const WHEN: ReadonlySet<Role> = new Set(['date', 'time'])

const printTable = (
  name: string,
  sentences: readonly SlotSentence[],
  tag: (text: string) => readonly Argument[],
): void => {
  const byRole = countSlots(sentences, tag, ({ language }, role) => [
    language,
    `${language} ${role}`,
    ...(WHEN.has(role) ? [`${language} date and time`] : []),
  ])
  const bySource = countSlots(sentences, tag, ({ language, source }) => [`${language} ${source}`])
  console.log(
    `\nArguments, ${name} (${sentences.length} sentences): exact F1 in percent, and the number of examples`,
  )
  for (const language of ['en', 'de']) {
    const total = byRole.get(language)
    if (!total) continue
    const figures = (tallies: ReturnType<typeof countSlots>): string =>
      [...tallies]
        .filter(([key, { wanted }]) => key.startsWith(`${language} `) && wanted > 0)
        .map(([key, tally]) => `${key.slice(3)} ${f1(tally).toFixed(1)} (${tally.wanted})`)
        .sort()
        .join(', ')
    const frequent = [...byRole].filter(
      ([key, { wanted }]) =>
        key.startsWith(`${language} `) && !key.endsWith('date and time') && wanted >= MIN_EXAMPLES,
    )
    const macro = frequent.reduce((sum, [, tally]) => sum + f1(tally), 0) / frequent.length
    console.log(
      `${language}: ${f1(total).toFixed(1)} (${total.wanted}), mean of roles with ${MIN_EXAMPLES} examples ${macro.toFixed(1)}`,
    )
    console.log(`  roles: ${figures(byRole)}`)
    console.log(`  sources: ${figures(bySource)}`)
  }
}

export const printSlots = (): void => {
  if (!hasData('slots')) return
  const all = loadSlotSentences()
  printTable('shipped model', all, tagArguments)
  const trainAndPrint = (
    name: string,
    isTraining: (one: SlotSentence) => boolean,
    isTest: (one: SlotSentence) => boolean,
  ): void => {
    const tagger = unpackTagger(trainTaggerOn(all.filter(isTraining)))
    printTable(name, all.filter(isTest), (text) => tagWith(tagger, text))
  }
  trainAndPrint(
    'sources of the shipped model, validation',
    (one) => SHIPPED_SOURCES.has(one.source) && !isValidation(one),
    isValidation,
  )
  trainAndPrint('all sources, validation', (one) => !isValidation(one), isValidation)
  trainAndPrint(
    'without the Microsoft skills, tested on them',
    ({ source }) => source !== 'ms-skills',
    ({ source }) => source === 'ms-skills',
  )
}

if (import.meta.main) printSlots()
