import type Stripe from 'stripe'
import { foreignOf, listOf, textOf } from '../../platform/outbound/foreign.ts'
import { isMissing, isRefusal } from './failures.ts'

const EUROPEAN = /^(AT|BE|BG|CY|CZ|DE|DK|EE|EL|ES|FI|FR|HR|HU|IE|IT|LT|LU|LV|MT|NL|PL|PT|RO|SE|SI|SK|XI)/
const KINDS = ['eu_vat', 'gb_vat'] as const

/** What Stripe calls such a number; of the others it keeps the text alone. */
const kindOf = (vatId: string): (typeof KINDS)[number] | undefined =>
  EUROPEAN.test(vatId) ? 'eu_vat' : vatId.startsWith('GB') ? 'gb_vat' : undefined

/** Makes a customer's VAT id the one that is wanted. One that Stripe will not have is no reason to fail. */
export const setTaxId = async (stripe: Stripe, customerId: string, vatId: string | null): Promise<void> => {
  const kind = vatId === null ? undefined : kindOf(vatId)
  const found = listOf(foreignOf(await stripe.customers.listTaxIds(customerId, { limit: 100 })).data)
  const ours = found.filter(({ type }) => KINDS.some((known) => known === type))
  const isWanted = ({ type, value }: (typeof ours)[number]): boolean => type === kind && value === vatId
  for (const other of ours.filter((one) => !isWanted(one)))
    await stripe.customers.deleteTaxId(customerId, textOf(other.id, 255)).catch((error: unknown) => {
      if (!isMissing(error)) throw error
    })
  if (kind === undefined || vatId === null || ours.some(isWanted)) return
  await stripe.customers.createTaxId(customerId, { type: kind, value: vatId }).catch((error: unknown) => {
    if (!isRefusal(error)) throw error
  })
}
