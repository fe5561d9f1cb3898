import type { Choice } from '../../../ui/combobox-field.tsx'

const TAGS =
  `af am ar ar-AE ar-EG ar-MA ar-SA bg bn ca cs cy da de de-AT de-CH el en en-AU en-CA en-GB en-IE en-IN
en-NZ en-US en-ZA es es-AR es-CL es-CO es-MX et eu fa fi fil fr fr-BE fr-CA fr-CH ga gl gu he hi hr hu hy id is it
it-CH ja ka kk km kn ko lt lv mk ml mn mr ms mt my nb ne nl nl-BE nn pa pl pt pt-BR pt-PT ro ru sk sl sq sr sv sv-FI sw
ta te th tr uk ur uz vi zh zh-CN zh-HK zh-TW zu`.split(/\s+/)

const sentence = (text: string, tag: string): string =>
  text.replace(/^\p{Ll}/u, (first) => first.toLocaleUpperCase(tag))

/** Locales with their native names and an example of their date format. */
export const listLocales = (own: string, now = new Date()): Choice[] => {
  const english = new Intl.DisplayNames('en', { type: 'language', languageDisplay: 'standard' })
  return [...new Set([...Intl.DateTimeFormat.supportedLocalesOf(TAGS), own])]
    .map((value) => {
      const names = new Intl.DisplayNames(value, { type: 'language', languageDisplay: 'standard' })
      return {
        value,
        label: sentence(names.of(value) ?? value, value),
        keywords: english.of(value) ?? '',
        note: new Intl.DateTimeFormat(value, { dateStyle: 'short', timeStyle: 'short' }).format(now),
      }
    })
    .sort((one, other) => one.label.localeCompare(other.label))
}
