import { formatNumber, plural } from '../format.ts'

export const title = 'Abrechnung'
export const about = 'Tarif, Nutzung, Budgets und Rechnungen'

export const measures = {
  aiCostUsd: 'KI-Kosten',
  aiRequests: 'KI-Anfragen',
  aiTokens: 'KI-Tokens',
  messagesSynced: 'Synchronisierte E-Mails',
  storageBytes: 'Speicher',
}

export const plan = 'Tarif'
export const selfHosted = 'Selbst gehostet'
export const selfHostedAbout = 'Alle Funktionen enthalten'
export const free = 'Kostenlos'
export const usageBased = 'Nach Verbrauch'
/** Price with the interval between charges. */
export const prices = {
  day: ({ amount, count }: { amount: string; count: number }) =>
    plural(count, { one: `${amount} pro Tag`, other: `${amount} alle ${formatNumber(count)} Tage` }),
  week: ({ amount, count }: { amount: string; count: number }) =>
    plural(count, { one: `${amount} pro Woche`, other: `${amount} alle ${formatNumber(count)} Wochen` }),
  month: ({ amount, count }: { amount: string; count: number }) =>
    plural(count, { one: `${amount} pro Monat`, other: `${amount} alle ${formatNumber(count)} Monate` }),
  year: ({ amount, count }: { amount: string; count: number }) =>
    plural(count, { one: `${amount} pro Jahr`, other: `${amount} alle ${formatNumber(count)} Jahre` }),
}
export const planStatuses = {
  active: 'Aktiv',
  trialing: 'Testphase',
  past_due: 'Zahlung überfällig',
  unpaid: 'Nicht bezahlt',
  paused: 'Pausiert',
  incomplete: 'Zahlung unvollständig',
  incomplete_expired: 'Zahlung abgelaufen',
  canceled: 'Gekündigt',
}
export const endsOn = (date: string) => `Endet am ${date}`
export const renewsOn = (date: string) => `Verlängert sich am ${date}`
export const subscribe = 'Abonnieren'
export const subscribeTo = ({ name, price }: { name: string; price: string }) =>
  `${name} abonnieren, ${price}`
export const thanksForPlan = (name: string) => `Danke. Du nutzt jetzt den Tarif ${name}.`
export const thanksForPayment = 'Danke. Dein Tarif ändert sich, sobald die Zahlung bestätigt ist.'
export const paymentMethod = 'Zahlungsart'
export const cancelSubscription = 'Abonnement kündigen'
export const cancelSubscriptionTitle = 'Abonnement kündigen?'
export const cancelSubscriptionAbout = 'Es endet nach dem bezahlten Zeitraum. Deine Daten bleiben erhalten.'
export const subscriptionCancelled = 'Abonnement gekündigt'

export const usageInDays = (days: number) => `Nutzung in den letzten ${formatNumber(days)} Tagen`
export const measure = 'Messgröße'
export const usageSummary = ({
  measure: name,
  first,
  last,
  most,
}: {
  measure: string
  first: string
  last: string
  most: string
}) => `${name} vom ${first} bis ${last}: höchstens ${most} pro Tag`
export const noUsage = 'Keine Nutzung in diesem Zeitraum'
export const mostPerDay = (amount: string) => `Höchstens ${amount} pro Tag`
export const showTable = 'Als Tabelle anzeigen'
export const usageTable = (name: string) => `${name} pro Tag`
export const day = 'Tag'
export const daysStartIn = (city: string) => `Tage beginnen um Mitternacht (Zeitzone: ${city}).`
export const unpricedRequests = (count: number) =>
  plural(count, {
    one: 'Die Kosten enthalten 1 KI-Anfrage mit unbekanntem Preis nicht.',
    other: `Die Kosten enthalten ${formatNumber(count)} KI-Anfragen mit unbekanntem Preis nicht.`,
  })

export const budgets = 'Budgets'
export const budgetsAbout =
  'Eine Benachrichtigung, wenn ein Monat das Limit überschreitet. Nichts wird gesperrt.'
export const setBudget = 'Budget festlegen'
export const newBudget = 'Neues Budget'
export const noBudgets = 'Keine Budgets'
export const noBudgetsAbout = 'Lege eines fest, um über hohe Nutzung benachrichtigt zu werden.'
export const budgetSaved = 'Budget gespeichert'
export const budgetDeleted = 'Budget gelöscht'
export const deleteBudget = (measureName: string) => `Budget für ${measureName} löschen`
export const reached = 'Erreicht'
export const usedOfLimit = ({ used, limit }: { used: string; limit: string }) => `${used} von ${limit}`
export const budgetProgress = (measureName: string) => `${measureName}: verbraucht`
export const budgetLimits = {
  aiCostUsd: 'US-Dollar pro Monat',
  aiRequests: 'Anfragen pro Monat',
  aiTokens: 'Tokens pro Monat',
  messagesSynced: 'E-Mails pro Monat',
  storageBytes: 'Gigabyte',
}

export const invoices = 'Rechnungen'
export const noInvoices = 'Keine Rechnungen'
export const noInvoicesAbout = 'Der selbst gehostete Tarif ist kostenlos.'
export const invoiceStatuses = {
  draft: 'Entwurf',
  open: 'Offen',
  paid: 'Bezahlt',
  uncollectible: 'Uneinbringlich',
  void: 'Storniert',
}
export const invoiceWithoutNumber = 'Noch ohne Nummer'
export const pay = 'Bezahlen'
export const downloadInvoice = (name: string) => `Rechnung ${name} herunterladen`

export const billingDetails = 'Rechnungsangaben'
export const billingDetailsAbout = 'Stehen auf deinen Rechnungen'
export const billingDetailsSaved = 'Rechnungsangaben gespeichert'
export const billingDetailsChanged = 'Die Rechnungsangaben wurden an anderer Stelle geändert.'
export const nameOrCompany = 'Name oder Firma'
export const invoiceEmail = 'E-Mail für Rechnungen'
export const addressLines = {
  line1: 'Adresse',
  line2: 'Adresszusatz',
  postalCode: 'Postleitzahl',
  city: 'Ort',
  state: 'Bundesland oder Region',
}
export const country = 'Land'
export const countryHint = 'Zweistelliger Code, zum Beispiel DE'
export const vatId = 'USt-IdNr.'
export const vatIdHint = 'Mit Länderkürzel, zum Beispiel DE123456789'
