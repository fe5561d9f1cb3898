/*
 * Judges the assistant without a key by what it stores: `node bench/understanding/evaluate.ts [held|validation] [id…]`.
 * Prints the outcomes by class and language. With ids (or their beginnings) it runs those items alone, and prints what
 * happened. Held items and the validation part of the second round are never printed, so nobody tunes on them.
 */
import { type Judgement, judgeLanguage, type Verdict } from './run.ts'

const VERDICTS: readonly Verdict[] = ['right', 'asked', 'declined', 'answered', 'stored']

const printTable = (title: string, judgements: readonly Judgement[]): void => {
  console.log(`\n${title.padEnd(28)}${['', ...VERDICTS, 'good'].map((name) => name.padStart(9)).join('')}`)
  const classes = [...new Set(judgements.map((one) => one.class))].sort()
  for (const name of [...classes, 'all']) {
    const own = judgements.filter((one) => name === 'all' || one.class === name)
    const counts = VERDICTS.map((verdict) => own.filter((one) => one.verdict === verdict).length)
    const good = (100 * ((counts[0] as number) + (counts[1] as number))) / own.length
    console.log(
      `${name.padEnd(28)}${[own.length, ...counts].map((count) => `${count}`.padStart(9)).join('')}${`${good.toFixed(1)} %`.padStart(9)}`,
    )
  }
}

/** Each third item of the second round validates. */
const isValidation = (id: string): boolean => {
  const number = Number(id.split('-').at(-1))
  return number > 300 && number % 3 === 0
}

/** Runs the items of one part in both languages. */
export const evaluateUnderstanding = async (args: readonly string[]): Promise<void> => {
  const isHeld = args.includes('held')
  const isUnread = args.includes('validation')
  const ids = args.filter((one) => !['held', 'validation'].includes(one))
  const isWanted = (id: string): boolean =>
    (isHeld || isValidation(id) === isUnread) && (ids.length === 0 || ids.some((one) => id.startsWith(one)))
  for (const language of ['en', 'de'] as const) {
    const judgements = await judgeLanguage(language, { isHeld, isWanted })
    if (!isHeld && !isUnread)
      for (const { id, class: name, say, verdict, seen } of judgements)
        if (ids.length > 0 || !['right', 'asked'].includes(verdict))
          console.log(`${verdict.padEnd(9)} ${id} (${name}): ${say}\n      ${seen}`)
    for (const kind of ['sentence', 'dialogue'] as const) {
      const own = judgements.filter((one) => one.kind === kind)
      if (own.length > 0) printTable(`${kind}s, ${language}`, own)
    }
  }
}

if (import.meta.main) await evaluateUnderstanding(process.argv.slice(2))
