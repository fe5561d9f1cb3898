/** Each once, whatever its spelling, as it was spelled first. */
export const eachOnce = (given: readonly string[], keyOf: (text: string) => string): string[] => {
  const byKey = new Map<string, string>()
  for (const text of given) if (!byKey.has(keyOf(text))) byKey.set(keyOf(text), text.trim())
  return [...byKey.values()]
}
