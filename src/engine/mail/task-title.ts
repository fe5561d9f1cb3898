const POLITE =
  /^(?:(?:and|also|so|then|und|dann|außerdem)\s+)?(?:(?:please|pls|kindly|bitte)[\s,]+)?(?:(?:(?:could|can|would|will) you|könnten sie|könntest du|können sie|kannst du|würden sie|würdest du)\s+)?(?:(?:please|pls|kindly|bitte|maybe|mir|uns)[\s,]+)*/iu

/** What is asked for, as one would write it on a list: without the courtesy, and without the mark at its end. */
export const taskTitle = (text: string): string => {
  const tidy = text.slice(0, 2000).replace(/\s+/gu, ' ').trim()
  const bare = tidy.replace(POLITE, '').replace(/[\s.?!,;:]{1,20}$/u, '')
  const words = bare.length >= 3 ? bare : tidy
  return words.charAt(0).toLocaleUpperCase() + words.slice(1)
}
