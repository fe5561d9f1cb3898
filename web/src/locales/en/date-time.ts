// Texts of the date and time fields.
export const chooseDate = (label: string) => `${label}: choose a date`
export const chooseTime = (label: string) => `${label}: choose a time`
export const invalidDate = (example: string) => `Enter a date such as ${example}.`
export const dateTooEarly = (first: string) => `Enter a date from ${first} on.`
export const invalidTime = (example: string) => `Enter a time such as ${example}.`
