// Texts of the date and time fields.
export const chooseDate = (label: string) => `${label}: Datum auswählen`
export const chooseTime = (label: string) => `${label}: Uhrzeit auswählen`
export const invalidDate = (example: string) => `Gib ein Datum ein, zum Beispiel ${example}.`
export const dateTooEarly = (first: string) => `Gib ein Datum ab dem ${first} ein.`
export const invalidTime = (example: string) => `Gib eine Uhrzeit ein, zum Beispiel ${example}.`
