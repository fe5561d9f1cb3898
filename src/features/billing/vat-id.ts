import { invalidField } from '../../platform/errors.ts'

/** How the numbers of the European Union are written after the letters of the country (Directive 2006/112/EC, 215). */
const EUROPEAN: Readonly<Record<string, RegExp>> = {
  AT: /^U\d{8}$/,
  BE: /^[01]\d{9}$/,
  BG: /^\d{9,10}$/,
  CY: /^\d{8}[A-Z]$/,
  CZ: /^\d{8,10}$/,
  DE: /^\d{9}$/,
  DK: /^\d{8}$/,
  EE: /^\d{9}$/,
  EL: /^\d{9}$/,
  ES: /^[A-Z\d]\d{7}[A-Z\d]$/,
  FI: /^\d{8}$/,
  FR: /^[A-Z\d]{2}\d{9}$/,
  HR: /^\d{11}$/,
  HU: /^\d{8}$/,
  IE: /^\d[A-Z\d+*]\d{5}[A-Z]{1,2}$/,
  IT: /^\d{11}$/,
  LT: /^(\d{9}|\d{12})$/,
  LU: /^\d{8}$/,
  LV: /^\d{11}$/,
  MT: /^\d{8}$/,
  NL: /^[A-Z\d+*]{10}\d{2}$/,
  PL: /^\d{10}$/,
  PT: /^\d{9}$/,
  RO: /^\d{2,10}$/,
  SE: /^\d{12}$/,
  SI: /^\d{8}$/,
  SK: /^\d{10}$/,
  XI: /^(\d{9}|\d{12}|GD\d{3}|HA\d{3})$/,
}

/** As it is compared and told: in capitals, without what people put between the digits. */
export const readVatId = (path: string, text: string): string => {
  const vatId = text.replace(/[\s./-]/g, '').toUpperCase()
  const [, country = '', rest = ''] = /^([A-Z]{2})([A-Z\d+*]{2,18})$/.exec(vatId) ?? []
  if (country === '')
    throw invalidField(path, 'must begin with two letters for the country, such as DE123456789')
  const form = EUROPEAN[country]
  if (form && !form.test(rest)) throw invalidField(path, `is not how ${country} writes its VAT ids`)
  return vatId
}
