const DAY_MS = 86_400_000

export const EXPIRIES = [
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
  { value: 'date', label: 'On a date…' },
  { value: 'never', label: 'Never' },
] as const

/** Returns an instant, a day (which the API reads in the user's time zone), or null. */
export const expiryOf = (choice: string, date: string, now = Date.now()): string | null => {
  if (choice === 'never') return null
  if (choice === 'date') return date
  return new Date(now + Number(choice) * DAY_MS).toISOString()
}
