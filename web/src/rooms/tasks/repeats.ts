/** The rules that most people want, in words; another one stays as it is written. */
export const REPEATS: readonly (readonly [rule: string, words: string])[] = [
  ['FREQ=DAILY', 'Every day'],
  ['FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR', 'Every weekday'],
  ['FREQ=WEEKLY', 'Every week'],
  ['FREQ=WEEKLY;INTERVAL=2', 'Every two weeks'],
  ['FREQ=MONTHLY', 'Every month'],
  ['FREQ=YEARLY', 'Every year'],
]

export const wordsOf = (rule: string): string =>
  REPEATS.find(([known]) => known === rule)?.[1] ?? `By rule: ${rule}`
